"""Anthropic Messages, as Claude Code speaks it: whole and streamed answers, and token counts."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from tests.journeys.lab.script import Asked, Step
from tests.journeys.lab.wire import Json


class Anthropic:
    """The protocol of ``POST /v1/messages``."""

    def serves(self, path: str) -> bool:
        return path.endswith("/messages")

    def asked(self, path: str, body: Json) -> Asked:
        messages = body.get("messages") or [{}]
        return Asked(
            model=body.get("model", ""),
            tools=tuple(tool["name"] for tool in body.get("tools") or []),
            system=plain(body.get("system")),
            last=plain(messages[-1].get("content")),
            streams=bool(body.get("stream")),
        )

    def whole(self, step: Step, model: str) -> Json:
        return {
            "id": f"msg_{uuid4().hex[:20]}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": list(blocks(step)),
            "stop_reason": "tool_use" if step.calls else "end_turn",
            "stop_sequence": None,
            "usage": usage(step),
        }

    def stream(self, step: Step, model: str) -> Iterator[tuple[str, Json | str]]:
        for name, told in parts(self.whole(step, model)):
            yield name, {"type": name} | told

    def aside(self, path: str, raw: str) -> Json | None:
        if path.endswith("/messages/count_tokens"):
            return {"input_tokens": len(raw) // 4 + 1}
        return None

    def prompt(self, body: Json) -> tuple[list[object], list[object]]:
        before = [*(body.get("tools") or []), body.get("system")]
        return uncached(before), uncached(body.get("messages") or [])


def usage(step: Step) -> Json:
    """Say what an answer cost."""
    cache = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {"input_tokens": step.tokens, "output_tokens": 20} | cache


def parts(message: Json) -> Iterator[tuple[str, Json]]:
    """Take an answer apart, in the order in which a model would write it."""
    yield "message_start", {"message": message | {"content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        empty, delta = opened(block)
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": ended, "usage": message["usage"]}
    yield "message_stop", {}


def blocks(step: Step) -> Iterator[Json]:
    """Yield the content of an answer; there is always some."""
    if step.text or not step.calls:
        yield {"type": "text", "text": step.text or "."}
    for call in step.calls:
        made = f"toolu_{uuid4().hex[:20]}"
        yield {"type": "tool_use", "id": made, "name": call.tool, "input": call.input}


def opened(block: Json) -> tuple[Json, Json]:
    """Split a block into its empty beginning and the one delta that fills it."""
    if block["type"] == "text":
        return block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    filled = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return block | {"input": {}}, filled


def plain(content: Any) -> str:
    """Flatten message content to its text, tool results included."""
    if isinstance(content, list):
        return "\n".join(plain(part) for part in content)
    if isinstance(content, dict):
        return plain(content.get("text") or content.get("content"))
    return content or ""


def uncached(node: Any) -> Any:
    """Drop the marks that say where to cache, at any depth."""
    if isinstance(node, list):
        return [uncached(part) for part in node]
    if isinstance(node, dict):
        return {key: uncached(part) for key, part in node.items() if key != "cache_control"}
    return node
