"""Recognise Pi's and our extension's own words in tool results."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.transcript import Refusal

# What our extension says when a rule keeps a call from being made; plugins/pi/twiceshy.ts has the same.
REFUSED = "The user refused this call."
_NOTE, _NOTE_END = "<twiceshy-note", "</twiceshy-note>"
_FRAMES = (_NOTE, "<skill-memory", "<project-memory")
_EXITED = "Command exited with code "
_STATES = (_EXITED, "Command timed out after ", "Command aborted")
_NOTHING = "(no output)"
_STOPPED = ("Command aborted", "Operation aborted")
_BLOCKED = "Tool execution was blocked"
_INVALID = ("Validation failed for tool ", 'Tool call "')


def describe_failure(text: str) -> str:
    """Return output of a failed command after its end, in Claude Code's order."""
    printed, _, state = text.rpartition("\n\n")
    if not state.startswith(_STATES):
        return text
    if state.startswith(_EXITED):
        state = f"Exit code {state.removeprefix(_EXITED)}"
    printed = printed.strip("\n")
    return state if printed in ("", _NOTHING) else f"{state}\n{printed}"


def strip_wrapping(text: str) -> str:
    """Return the output of a command."""
    return "" if text == _NOTHING else text


def is_stopped(error: str) -> bool:
    """True if the user stopped a call."""
    return error.endswith(_STOPPED)


def is_our_text(text: str) -> bool:
    """True if we added a text to a tool result."""
    return text.lstrip().startswith(_FRAMES)


def classify_refusal(text: str, tool: str) -> Refusal:
    """Return the reason a failed call did not finish; empty if it did."""
    if is_stopped(text):
        return "interrupted"
    if text == _BLOCKED:
        return "denied"
    if text.endswith(_NOTE_END) and _NOTE in text:
        return "rejected" if text.startswith(REFUSED) else "denied"
    refused = text.startswith(_INVALID) or text == f"Tool {tool} not found"
    return "invalid" if refused else ""
