"""Gemini CLI hook payloads to events, and replies to hook output.

The client has one event for successful and failed calls, no call id, and cannot receive
context before a call: only a ruling.
"""

from __future__ import annotations

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.core.jsontext import parse_object, write
from twiceshy.runtimes import dialect
from twiceshy.runtimes.gemini import names, outcome
from twiceshy.runtimes.gemini.calls import call_id, calling_message

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeGuard

    from twiceshy.core.event import Event

# PreCompress is none of them: it fires before every request, whether or not anything is compressed.
_EVENTS = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
}
_FAILED = "PostToolUseFailure"
_DIALECT = dialect.Dialect()


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    payload = parse_object(raw.decode("utf-8", "replace"))
    said = dialect.Given(payload)
    name = said.text("hook_event_name")
    known = _EVENTS.get(name)
    if not known:
        return name, None
    told: dict[str, object] = {**payload, "hook_event_name": known}
    if name == "BeforeAgent":
        told["prompt"] = outcome.without_hooks(said.text("prompt"))
    elif name in ("BeforeTool", "AfterTool"):
        told |= _call(said) | (_result(said) if name == "AfterTool" else {})
    _, event = dialect.parse(dialect.Given(told), _DIALECT, environ=environ, now=now)
    if isinstance(event, CallPending | CallSucceeded | CallFailed):
        place = names.place_of(said.text("tool_name"), said.mapping("tool_input"), event.cwd)
        event = event.but(place=place)
    return name, event.but(deaf=True) if _deaf(event, said) else event


def _deaf(event: Event | None, said: dialect.Given) -> TypeGuard[CallPending | CallFailed]:
    """True if the client discards context now: before a call, and for error results."""
    refused = isinstance(said.mapping("tool_response").get("error"), dict)
    return isinstance(event, CallPending) or (isinstance(event, CallFailed) and refused)


def reply(name: str, text: str, *, ruling: str = "") -> str:
    """Return hook output; nothing the client would discard.

    A call the user should be asked about is denied: without a terminal the client waits forever
    (seen with 0.61.0), and no payload tells about a terminal.
    """
    if ruling:
        reason = f"{text} {dialect.CANNOT_ASK}" if ruling == "ask" else text
        return write({"decision": "deny", "reason": reason})
    return "" if name == "BeforeTool" else dialect.reply(name, text)


def _call(said: dialect.Given) -> dict[str, object]:
    """Return the call fields in our words."""
    tool, given = said.text("tool_name"), said.mapping("tool_input")
    server, inner = said.text("mcp_context", "server_name"), said.text("mcp_context", "tool_name")
    return {
        "tool_name": names.foreign(server, inner) or names.TOOLS.name(tool),
        "tool_input": names.arguments_of(tool, given, said.text("cwd")),
    }


def _result(said: dialect.Given) -> dict[str, object]:
    """Return the fields of a call's end."""
    tool, given, answer = (
        said.text("tool_name"),
        said.mapping("tool_input"),
        said.mapping("tool_response"),
    )
    caller = calling_message(said.text("transcript_path")) or _once(said)
    made = call_id(caller, tool, given)
    text = outcome.text_of(answer.get("llmContent"))
    if isinstance(answer.get("error"), dict):
        message = said.text("tool_response", "error", "message")
        error = outcome.of_server(message) or outcome.bare(text)
        return {"hook_event_name": _FAILED, "tool_use_id": made, "error": error}
    if tool != names.SHELL:
        return {"tool_use_id": made, "tool_response": outcome.bare(text)}
    ended = outcome.of_command(text, answer.get("returnDisplay"))
    if not ended.failure:
        return {"tool_use_id": made, "tool_response": ended.printed}
    return {
        "hook_event_name": _FAILED,
        "tool_use_id": made,
        "error": ended.error,
        "is_interrupt": ended.stopped,
    }


def _once(said: dialect.Given) -> str:
    """Return a unique key for a call absent from every chat: session and time."""
    moment = "".join(filter(str.isalnum, said.text("timestamp")))
    return f"{said.text('session_id')}-{moment}" if moment else said.text("session_id")
