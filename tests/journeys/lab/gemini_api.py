"""Gemini's generateContent, as Gemini CLI speaks it: the path names the model and how to answer."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from tests.journeys.lab.script import Asked, Step
from tests.journeys.lab.wire import Json

WHOLE, STREAMED = ":generateContent", ":streamGenerateContent"


class GeminiApi:
    """The protocol of ``POST /v1beta/models/MODEL:generateContent`` and its streamed sister."""

    def serves(self, path: str) -> bool:
        return path.endswith((WHOLE, STREAMED))

    def asked(self, path: str, body: Json) -> Asked:
        contents = body.get("contents") or [{}]
        declared = [tool.get("functionDeclarations") or [] for tool in body.get("tools") or []]
        return Asked(
            model=path.rpartition("/")[2].partition(":")[0],
            tools=tuple(tool["name"] for some in declared for tool in some),
            system=plain(body.get("systemInstruction")),
            last=plain(contents[-1]),
            streams=path.endswith(STREAMED),
        )

    def whole(self, step: Step, model: str) -> Json:
        content = {"role": "model", "parts": list(parts(step))}
        return {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage(step),
            "modelVersion": model,
            "responseId": uuid4().hex[:20],
        }

    def stream(self, step: Step, model: str) -> Iterator[tuple[str, Json | str]]:
        yield "", self.whole(step, model)

    def aside(self, path: str, raw: str) -> Json | None:
        if path.endswith(":countTokens"):
            return {"totalTokens": len(raw) // 4 + 1}
        return None

    def prompt(self, body: Json) -> tuple[list[object], list[object]]:
        before = [body.get("systemInstruction"), *(body.get("tools") or [])]
        return before, body.get("contents") or []


def usage(step: Step) -> Json:
    """Say what an answer cost."""
    total = step.tokens + 20
    return {"promptTokenCount": step.tokens, "candidatesTokenCount": 20, "totalTokenCount": total}


def parts(step: Step) -> Iterator[Json]:
    """Yield the parts of an answer; there is always one."""
    if step.text or not step.calls:
        yield {"text": step.text or "."}
    for call in step.calls:
        yield {"functionCall": {"name": call.tool, "args": call.input}}


def plain(content: Any) -> str:
    """Flatten content to its text, the answers of tools included."""
    if isinstance(content, list):
        return "\n".join(plain(part) for part in content)
    if isinstance(content, dict):
        inner = ("text", "parts", "functionResponse", "response", "output", "error")
        return plain(next((content[key] for key in inner if content.get(key)), ""))
    return content or ""
