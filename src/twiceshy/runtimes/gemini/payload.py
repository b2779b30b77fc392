"""Gemini CLI hook payloads to events, and replies to hook output.

The client has one event for successful and failed calls, no call id, and cannot receive
context before a call: only a ruling.
"""

from __future__ import annotations

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.core.jsontext import parse_object, write_json
from twiceshy.runtimes import dialect
from twiceshy.runtimes.gemini import names, outcome
from twiceshy.runtimes.gemini.calls import build_call_id, find_calling_message

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
_DIALECT = dialect.PayloadDialect()


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    payload = parse_object(raw.decode("utf-8", "replace"))
    said = dialect.GivenFields(payload)
    name = said.get_text("hook_event_name")
    known = _EVENTS.get(name)
    if not known:
        return name, None
    told: dict[str, object] = {**payload, "hook_event_name": known}
    if name == "BeforeAgent":
        told["prompt"] = outcome.strip_hook_context(said.get_text("prompt"))
    elif name in ("BeforeTool", "AfterTool"):
        told |= _call_fields(said) | (_result_fields(said) if name == "AfterTool" else {})
    _, event = dialect.parse_event(dialect.GivenFields(told), _DIALECT, environ=environ, now=now)
    if isinstance(event, CallPending | CallSucceeded | CallFailed):
        place = names.call_directory(
            said.get_text("tool_name"), said.get_mapping("tool_input"), event.cwd
        )
        event = event.but(place=place)
    return name, event.but(cannot_receive_context=True) if _discards_context(
        event, said
    ) else event


def _discards_context(
    event: Event | None, said: dialect.GivenFields
) -> TypeGuard[CallPending | CallFailed]:
    """True if the client discards context now: before a call, and for error results."""
    refused = isinstance(said.get_mapping("tool_response").get("error"), dict)
    return isinstance(event, CallPending) or (isinstance(event, CallFailed) and refused)


def build_reply(name: str, text: str, *, ruling: str = "") -> str:
    """Return hook output; nothing the client would discard.

    A call the user should be asked about is denied: without a terminal the client waits forever
    (seen with 0.61.0), and no payload tells about a terminal.
    """
    if ruling:
        reason = f"{text} {dialect.CANNOT_ASK}" if ruling == "ask" else text
        return write_json({"decision": "deny", "reason": reason})
    return "" if name == "BeforeTool" else dialect.build_reply(name, text)


def _call_fields(said: dialect.GivenFields) -> dict[str, object]:
    """Return the call fields in our words."""
    tool, given = said.get_text("tool_name"), said.get_mapping("tool_input")
    server, inner = (
        said.get_text("mcp_context", "server_name"),
        said.get_text("mcp_context", "tool_name"),
    )
    return {
        "tool_name": names.foreign_tool_name(server, inner) or names.TOOLS.our_name(tool),
        "tool_input": names.translate_arguments(tool, given, said.get_text("cwd")),
    }


def _result_fields(said: dialect.GivenFields) -> dict[str, object]:
    """Return the fields of a call's end."""
    tool, given, answer = (
        said.get_text("tool_name"),
        said.get_mapping("tool_input"),
        said.get_mapping("tool_response"),
    )
    caller = find_calling_message(said.get_text("transcript_path")) or _unique_call_key(said)
    made = build_call_id(caller, tool, given)
    text = outcome.extract_text(answer.get("llmContent"))
    if isinstance(answer.get("error"), dict):
        message = said.get_text("tool_response", "error", "message")
        error = outcome.server_error(message) or outcome.strip_wrapping(text)
        return {"hook_event_name": _FAILED, "tool_use_id": made, "error": error}
    if tool != names.SHELL:
        return {"tool_use_id": made, "tool_response": outcome.strip_wrapping(text)}
    ended = outcome.parse_command_outcome(text, answer.get("returnDisplay"))
    if not ended.failure:
        return {"tool_use_id": made, "tool_response": ended.printed}
    return {
        "hook_event_name": _FAILED,
        "tool_use_id": made,
        "error": ended.error_text,
        "is_interrupt": ended.stopped,
    }


def _unique_call_key(said: dialect.GivenFields) -> str:
    """Return a unique key for a call absent from every chat: session and time."""
    moment = "".join(filter(str.isalnum, said.get_text("timestamp")))
    return f"{said.get_text('session_id')}-{moment}" if moment else said.get_text("session_id")
