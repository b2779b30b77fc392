"""Ask a model behind an OpenAI-compatible address, in either API form.

The prompt is redacted by the caller. The key goes to the chosen address, over TLS or on this
machine; errors name host, status and the server's reason.
"""

from __future__ import annotations

import time

from twiceshy.core.errors import ConfigError
from twiceshy.core.jsontext import parse, write
from twiceshy.core.text import one_line, token_estimate
from twiceshy.models.chat import PREVIEW, Completion
from twiceshy.models.post import asked, endpoint

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.models.port import Settings
    from twiceshy.models.post import Endpoint

BACKEND = "openai"
KEY = "OPENAI_API_KEY"
SECONDS = 30.0
_CHAT, _RESPONSES = "/chat/completions", "/responses"
_MOST = 4 << 20  # bytes of an answer
_LONGEST_ERROR = 200
_TOKENS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))


class OpenAi:
    """A model behind an address."""

    def __init__(self, model: str, place: Endpoint, *, key: str, seconds: float = SECONDS) -> None:
        self._model = model
        self._place = place
        self._seconds = seconds
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def complete(self, prompt: str, *, most: int = 4) -> Completion:  # noqa: ARG002 - there is one model
        """Return the answer, or the error."""
        began = time.monotonic()
        raw, fault = self._sent(prompt)
        text, counted = "", (0, 0)
        if not fault:
            answer = _parsed(raw)
            text, counted = text_of(answer).strip(), _usage(answer)
            fault = "" if text else _shapeless(answer, raw)
        return Completion(
            text=text,
            backend=BACKEND,
            model=self._model,
            error=fault,
            preview=raw[: 4 * PREVIEW].decode("utf-8", "replace")[:PREVIEW],
            tokens_in=counted[0] or token_estimate(prompt),
            tokens_out=counted[1] or (token_estimate(text) if text else 0),
            milliseconds=int((time.monotonic() - began) * 1_000),
        )

    def _sent(self, prompt: str) -> tuple[bytes, str]:
        """Return the parsed response, and its fault."""
        import http.client  # noqa: PLC0415 - only models on the network need it

        secure = http.client.HTTPSConnection, http.client.HTTPConnection
        connection = secure[not self._place.secure](
            self._place.host, self._place.port, timeout=self._seconds
        )
        body = write(self._question(prompt)).encode("utf-8", "replace")
        try:
            status, raw = asked(connection, self._place.path, body, self._headers, self._seconds)
        except TimeoutError:
            return b"", f"timeout: {self._place.name} did not answer within {self._seconds:g} s"
        except (OSError, ValueError, http.client.HTTPException) as error:
            why = getattr(error, "strerror", "") or type(error).__name__
            return b"", f"unreachable: {self._place.name}: {why}"
        finally:
            connection.close()
        if status != 200:
            return raw, f"http {status}: {_reason(raw)}".rstrip(": ")
        too_long = len(raw) > _MOST
        return raw, f"too long: {self._place.name} answered without end" if too_long else ""

    def _question(self, prompt: str) -> dict[str, object]:
        if self._place.path.partition("?")[0].endswith(_RESPONSES):
            return {"model": self._model, "input": prompt}
        return {"model": self._model, "messages": [{"role": "user", "content": prompt}]}


def completer(config: Settings, environ: Mapping[str, str]) -> OpenAi:
    """Return the model of ``distiller.openai_url``; sends nothing yet."""
    url = config.text("distiller.openai_url")
    whole = url.partition("?")[0].rstrip("/").endswith((_CHAT, _RESPONSES))
    try:
        place = endpoint(url, root="/v1", path="" if whole else _CHAT)
    except ConfigError:
        raise ConfigError(
            "distiller.openai_url is no address, or holds a password",
            hint=f"such as http://127.0.0.1:8080/v1; a key belongs into {KEY}",
        ) from None
    key = environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"{KEY} holds signs that no key has", hint="set it again, or unset it")
    if key and not place.secure and not place.local:
        raise ConfigError(
            f"the key would travel to {place.name} unencrypted",
            hint=f"set distiller.openai_url to an https:// address, or unset {KEY}",
        )
    return OpenAi(config.text("distiller.openai_model"), place, key=key)


def text_of(answer: object) -> str:
    """Return the answer text, wherever the server puts it; empty if absent."""
    match answer:
        case {"output_text": str(text)} if text:
            return text
        case {"choices": [{"message": {"content": content}}, *_]}:
            return _joined(content)
        case {"output": list(items)}:
            return "".join(_joined(item.get("content")) for item in items if type(item) is dict)
        case _:
            return ""


def _joined(content: object) -> str:
    """Return a text given whole or in parts."""
    if isinstance(content, str):
        return content
    return "".join(_parts(content)) if isinstance(content, list) else ""


def _parts(content: list[object]) -> Iterator[str]:
    for part in content:
        match part:
            case str(text) | {"text": str(text)}:
                yield text
            case _:
                continue


def _usage(answer: object) -> tuple[int, int]:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    if not isinstance(usage, dict):
        return 0, 0
    read, written = (_number(usage, names) for names in _TOKENS)
    return read, written


def _number(usage: dict[str, object], names: tuple[str, str]) -> int:
    found = (usage.get(name) for name in names)
    return next((n for n in found if type(n) is int and 0 <= n < 1 << 40), 0)


def _parsed(raw: bytes) -> object:
    try:
        return parse(raw.decode())
    except (ValueError, RecursionError):
        return None


def _shapeless(answer: object, raw: bytes) -> str:
    if answer is None:
        return "bad JSON: it is cut off, or a page for people"
    return f"no text: {reason}" if (reason := _reason(raw)) else "no text in the answer"


def _reason(raw: bytes) -> str:
    """Return the server's error reason from the usual places."""
    match _parsed(raw[:_MOST]):
        case {"error": {"message": str(message)}} | {"error": str(message)}:
            return one_line(message, limit=_LONGEST_ERROR)
        case {"message": str(message)} | {"detail": str(message)}:
            return one_line(message, limit=_LONGEST_ERROR)
        case _:
            return ""
