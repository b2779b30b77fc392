"""OpenAI Chat Completions, as OpenCode and Pi speak it: whole and streamed answers."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from tests.journeys.lab.script import Asked, Step
from tests.journeys.lab.wire import Json

BEFORE = {"system", "developer"}


class OpenAIChat:
    """The protocol of ``POST /v1/chat/completions``."""

    def serves(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def asked(self, path: str, body: Json) -> Asked:
        messages = body.get("messages") or [{}]
        before = [said for said in messages if said.get("role") in BEFORE]
        return Asked(
            model=body.get("model", ""),
            tools=tuple(tool["function"]["name"] for tool in body.get("tools") or []),
            system="\n".join(plain(said.get("content")) for said in before),
            last=plain(messages[-1].get("content")),
            streams=bool(body.get("stream")),
        )

    def whole(self, step: Step, model: str) -> Json:
        message, why = said(step), "tool_calls" if step.calls else "stop"
        choice = {"index": 0, "message": message, "finish_reason": why}
        return head("chat.completion", model) | {"choices": [choice], "usage": usage(step)}

    def stream(self, step: Step, model: str) -> Iterator[tuple[str, Json | str]]:
        begun = head("chat.completion.chunk", model)
        for delta, why in deltas(step):
            choice = {"index": 0, "delta": delta, "finish_reason": why}
            yield "", begun | {"choices": [choice]}
        yield "", begun | {"choices": [], "usage": usage(step)}
        yield "", "[DONE]"

    def aside(self, path: str, raw: str) -> Json | None:
        return None

    def prompt(self, body: Json) -> tuple[list[object], list[object]]:
        return list(body.get("tools") or []), body.get("messages") or []


def usage(step: Step) -> Json:
    """Say what an answer cost."""
    total = step.tokens + 20
    return {"prompt_tokens": step.tokens, "completion_tokens": 20, "total_tokens": total}


def head(kind: str, model: str) -> Json:
    """Begin an answer."""
    made = f"chatcmpl-{uuid4().hex[:20]}"
    return {"id": made, "object": kind, "created": 1_767_600_000, "model": model}


def said(step: Step) -> Json:
    """Write the message of an answer; there is always some content."""
    text = step.text or (None if step.calls else ".")
    message: Json = {"role": "assistant", "content": text}
    if step.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{uuid4().hex[:20]}",
                "type": "function",
                "function": {"name": call.tool, "arguments": json.dumps(call.input)},
            }
            for call in step.calls
        ]
    return message


def deltas(step: Step) -> Iterator[tuple[Json, str | None]]:
    """Take an answer apart, in the order in which a model would write it."""
    message = said(step)
    yield {"role": "assistant", "content": message["content"] or ""}, None
    for index, call in enumerate(message.get("tool_calls", [])):
        yield {"tool_calls": [{"index": index} | call]}, None
    yield {}, "tool_calls" if step.calls else "stop"


def plain(content: Any) -> str:
    """Flatten message content to its text."""
    if isinstance(content, list):
        return "\n".join(plain(part) for part in content)
    if isinstance(content, dict):
        return plain(content.get("text"))
    return content or ""
