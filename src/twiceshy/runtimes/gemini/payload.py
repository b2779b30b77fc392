"""Gemini CLI hook payloads to events, and replies to hook output.

The client has one event for successful and failed calls, no call id, and cannot receive
context before a call: only a ruling.
"""

from __future__ import annotations

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.core.jsontext import parse_object, write_json
from twiceshy.runtimes import dialect
from twiceshy.runtimes.gemini import calls

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
        told["prompt"] = calls.strip_hook_context(said.get_text("prompt"))
    elif name in ("BeforeTool", "AfterTool"):
        told |= _call_fields(said) | (_result_fields(said) if name == "AfterTool" else {})
    _, event = dialect.parse_event(dialect.GivenFields(told), _DIALECT, environ=environ, now=now)
    if isinstance(event, CallPending | CallSucceeded | CallFailed):
        tool, given = said.get_text("tool_name"), said.get_mapping("tool_input")
        event = event.but(place=calls.call_directory(tool, given, event.cwd))
    if _discards_context(event, said):
        event = event.but(cannot_receive_context=True)
    return name, event


def _discards_context(
    event: Event | None, said: dialect.GivenFields
) -> TypeGuard[CallPending | CallFailed]:
    """True if the client discards context now: before a call, and for error results."""
    refused = isinstance(said.get_mapping("tool_response").get("error"), dict)
    return isinstance(event, CallPending) or (isinstance(event, CallFailed) and refused)


def build_reply(
    name: str, text: str, *, ruling: str = "", changed: Mapping[str, object] | None = None
) -> str:
    """Return hook output; nothing the client would discard.

    A call the user should be asked about is denied: without a terminal the client waits forever
    (seen with 0.61.0), and no payload tells about a terminal.
    """
    if ruling:
        reason = f"{text} {dialect.CANNOT_ASK}" if ruling == "ask" else text
        return write_json({"decision": "deny", "reason": reason})
    return "" if name == "BeforeTool" else dialect.build_reply(name, text, changed=changed)


def _call_fields(said: dialect.GivenFields) -> dict[str, object]:
    """Return the call fields in our words."""
    tool, given = said.get_text("tool_name"), said.get_mapping("tool_input")
    server, inner = (said.get_text("mcp_context", f"{each}_name") for each in ("server", "tool"))
    return {
        "tool_name": calls.foreign_tool_name(server, inner) or calls.TOOLS.our_name(tool),
        "tool_input": calls.translate_arguments(tool, given, said.get_text("cwd")),
    }


def _result_fields(said: dialect.GivenFields) -> dict[str, object]:
    """Return the fields of a call's end."""
    tool, answer = said.get_text("tool_name"), said.get_mapping("tool_response")
    caller = calls.find_calling_message(said.get_text("transcript_path")) or _unique_call_key(said)
    made = calls.build_call_id(caller, tool, said.get_mapping("tool_input"))
    text = calls.extract_text(answer.get("llmContent"))
    if isinstance(answer.get("error"), dict):
        message = said.get_text("tool_response", "error", "message")
        error = calls.server_error(message) or calls.strip_wrapping(text)
        return {"hook_event_name": _FAILED, "tool_use_id": made, "error": error}
    if tool != calls.SHELL:
        return {"tool_use_id": made, "tool_response": calls.strip_wrapping(text)}
    ended = calls.parse_command_outcome(text, answer.get("returnDisplay"))
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
