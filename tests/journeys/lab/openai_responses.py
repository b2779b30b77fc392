"""OpenAI Responses, as Codex speaks it: items in, items out, and a patch that is plain text."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from tests.journeys.lab.script import Asked, Call, Step
from tests.journeys.lab.wire import Json

# Tools that take a text instead of JSON: calls("apply_patch", input="…"). Newer models are offered little
# but ``exec``, a program in JavaScript that calls all other tools.
PLAIN = {"apply_patch", "exec"}


class OpenAIResponses:
    """The protocol of ``POST /v1/responses``."""

    def serves(self, path: str) -> bool:
        return path.endswith("/responses")

    def asked(self, path: str, body: Json) -> Asked:
        items = body.get("input") or [{}]
        return Asked(
            model=body.get("model", ""),
            tools=tuple(tool.get("name") or tool["type"] for tool in offered(body)),
            system=body.get("instructions", ""),
            last=plain(items[-1]),
            streams=bool(body.get("stream")),
        )

    def whole(self, step: Step, model: str) -> Json:
        return {
            "id": f"resp_{uuid4().hex[:20]}",
            "object": "response",
            "created_at": 1_767_600_000,
            "status": "completed",
            "model": model,
            "output": list(items(step)),
            "usage": usage(step),
        }

    def stream(self, step: Step, model: str) -> Iterator[tuple[str, Json | str]]:
        for number, (name, told) in enumerate(parts(self.whole(step, model))):
            yield name, {"type": name, "sequence_number": number} | told

    def aside(self, path: str, raw: str) -> Json | None:
        if path.endswith("/v1/models"):
            return {"object": "list", "data": [], "models": []}
        return None

    def prompt(self, body: Json) -> tuple[list[object], list[object]]:
        return [body.get("instructions"), *(body.get("tools") or [])], body.get("input") or []


def usage(step: Step) -> Json:
    """Say what an answer cost."""
    return {
        "input_tokens": step.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": step.tokens + 20,
    }


def offered(body: Json) -> list[Json]:
    """Return the tools of a request; newer models find them in the conversation's first item."""
    more = [item.get("tools") or [] for item in body.get("input") or []]
    return [*(body.get("tools") or []), *(tool for tools in more for tool in tools)]


def parts(response: Json) -> Iterator[tuple[str, Json]]:
    """Take an answer apart, in the order in which a model would write it."""
    empty = response | {"status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": empty}
    for index, item in enumerate(response["output"]):
        where = {"output_index": index}
        yield "response.output_item.added", where | {"item": item | {"status": "in_progress"}}
        if item["type"] == "message":
            here = where | {"item_id": item["id"], "content_index": 0}
            yield "response.output_text.delta", here | {"delta": plain(item)}
        yield "response.output_item.done", where | {"item": item}
    yield "response.completed", {"response": response}


def items(step: Step) -> Iterator[Json]:
    """Yield what an answer consists of; there is always something."""
    if step.text or not step.calls:
        content = {"type": "output_text", "text": step.text or ".", "annotations": []}
        head = {"type": "message", "id": f"msg_{uuid4().hex[:20]}", "role": "assistant"}
        yield head | {"status": "completed", "content": [content]}
    for call in step.calls:
        yield called(call) | {"call_id": f"call_{uuid4().hex[:20]}", "status": "completed"}


def called(call: Call) -> Json:
    """Write a call as the client offered the tool: as text, as one of a server's, or plainly."""
    made = uuid4().hex[:20]
    if call.tool in PLAIN:
        text = {"name": call.tool, "input": call.input["input"]}
        return {"type": "custom_tool_call", "id": f"ctc_{made}"} | text
    server, _, tool = call.tool.rpartition("__")
    named = {"namespace": server, "name": tool} if server else {"name": call.tool}
    arguments = json.dumps(call.input)
    return {"type": "function_call", "id": f"fc_{made}"} | named | {"arguments": arguments}


def plain(content: Any) -> str:
    """Flatten an item to its text, the output of a tool included."""
    if isinstance(content, list):
        return "\n".join(plain(part) for part in content)
    if isinstance(content, dict):
        return plain(content.get("text") or content.get("content") or content.get("output"))
    return content or ""
