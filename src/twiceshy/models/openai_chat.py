"""Ask a model behind an OpenAI-compatible address, in either API form.

The prompt is redacted by the caller. The key goes to the chosen address, over TLS or on this
machine; errors name host, status and the server's reason.
"""

from __future__ import annotations

import time

from twiceshy.core.errors import ConfigError
from twiceshy.core.jsontext import parse_json
from twiceshy.core.text import estimate_tokens, fold_to_line
from twiceshy.models.completer import PREVIEW, Completion
from twiceshy.models.post import check_endpoint, parse_endpoint, post_with_deadline

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.config.resolved import Config
    from twiceshy.models.post import Endpoint

BACKEND = "openai"
KEY = "OPENAI_API_KEY"
SECONDS = 30.0
_CHAT, _RESPONSES = "/chat/completions", "/responses"
_MOST = 4 << 20  # bytes of an answer
_LONGEST_ERROR = 200
_TOKENS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))


class OpenAiChat:
    """A model behind an address."""

    def __init__(self, model: str, place: Endpoint, *, key: str, seconds: float = SECONDS) -> None:
        self._model, self._place = model, place
        self._key, self._seconds = key, seconds

    def complete(self, prompt: str, *, most: int = 4) -> Completion:  # noqa: ARG002 - there is one model
        """Return the answer, or the error."""
        began = time.monotonic()
        raw, fault = self._send_question(prompt)
        text, counted = "", (0, 0)
        if not fault:
            answer = _parse_answer(raw)
            text, counted = extract_text(answer).strip(), _parse_usage(answer)
            fault = "" if text else _describe_shapeless(answer, raw)
        return Completion(
            text=text,
            backend=BACKEND,
            model=self._model,
            error=fault,
            preview=raw[: 4 * PREVIEW].decode("utf-8", "replace")[:PREVIEW],
            tokens_in=counted[0] or estimate_tokens(prompt),
            tokens_out=counted[1] or (estimate_tokens(text) if text else 0),
            milliseconds=int((time.monotonic() - began) * 1_000),
        )

    def _send_question(self, prompt: str) -> tuple[bytes, str]:
        """Return the response, and its fault."""
        import http.client  # noqa: PLC0415 - only models on the network need it

        who, question = self._place.display_name, self._build_question(prompt)
        try:
            status, raw = post_with_deadline(
                self._place, question, key=self._key, timeout=self._seconds
            )
        except TimeoutError:
            return b"", f"timeout: {who} did not answer within {self._seconds:g} s"
        except (OSError, ValueError, http.client.HTTPException) as error:
            why = getattr(error, "strerror", "") or type(error).__name__
            return b"", f"unreachable: {who}: {why}"
        if status != 200:
            return raw, f"http {status}: {_server_reason(raw)}".rstrip(": ")
        return raw, f"too long: {who} answered without end" if len(raw) > _MOST else ""

    def _build_question(self, prompt: str) -> dict[str, object]:
        if self._place.path.partition("?")[0].endswith(_RESPONSES):
            return {"model": self._model, "input": prompt}
        return {"model": self._model, "messages": [{"role": "user", "content": prompt}]}


def build_completer(config: Config, environ: Mapping[str, str]) -> OpenAiChat:
    """Return the model of ``distiller.openai_url``; sends nothing yet."""
    url = config.text("distiller.openai_url")
    whole = url.partition("?")[0].rstrip("/").endswith((_CHAT, _RESPONSES))
    try:
        place = parse_endpoint(url, root="/v1", path="" if whole else _CHAT)
    except ConfigError:
        raise ConfigError(
            "distiller.openai_url is no address, or holds a password",
            hint=f"such as http://127.0.0.1:8080/v1; a key belongs into {KEY}",
        ) from None
    key = environ.get(KEY, "").strip()
    check_endpoint(key, place, setting="distiller.openai_url", variable=KEY)
    return OpenAiChat(config.text("distiller.openai_model"), place, key=key)


def extract_text(answer: object) -> str:
    """Return the answer text, wherever the server puts it; empty if absent."""
    match answer:
        case {"output_text": str(text)} if text:
            return text
        case {"choices": [{"message": {"content": content}}, *_]}:
            return _join_parts(content)
        case {"output": list(items)}:
            return "".join(
                _join_parts(item.get("content")) for item in items if type(item) is dict
            )
        case _:
            return ""


def _join_parts(content: object) -> str:
    """Return a text given whole or in parts."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if type(part) is dict else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _parse_usage(answer: object) -> tuple[int, int]:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    if not isinstance(usage, dict):
        return 0, 0
    read, written = (_parse_number(usage, names) for names in _TOKENS)
    return read, written


def _parse_number(usage: dict[str, object], names: tuple[str, str]) -> int:
    found = (usage.get(name) for name in names)
    return next((n for n in found if type(n) is int and 0 <= n < 1 << 40), 0)


def _parse_answer(raw: bytes) -> object:
    try:
        return parse_json(raw.decode())
    except (ValueError, RecursionError):
        return None


def _describe_shapeless(answer: object, raw: bytes) -> str:
    if answer is None:
        return "bad JSON: it is cut off, or a page for people"
    return f"no text: {reason}" if (reason := _server_reason(raw)) else "no text in the answer"


def _server_reason(raw: bytes) -> str:
    """Return the server's error reason from the usual places."""
    match _parse_answer(raw[:_MOST]):
        case {"error": {"message": str(message)}} | {"error": str(message)}:
            return fold_to_line(message, limit=_LONGEST_ERROR)
        case {"message": str(message)} | {"detail": str(message)}:
            return fold_to_line(message, limit=_LONGEST_ERROR)
        case _:
            return ""
