"""Separate output and typed text from OpenCode's framing and ours."""

from __future__ import annotations

from twiceshy.runtimes.claude_code.transcript_words import strip_agent_notes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.transcript import Refusal

__all__ = [
    "classify_refusal",
    "find_expanded_skill",
    "is_stopped",
    "strip_agent_notes",
    "strip_wrapping",
]

_REJECTED = "The user rejected permission to use this specific tool call"
_SAID = " with the following feedback: "
_DENIED = "The user has specified a rule which prevents you from using this specific tool call."
_INVALID = " tool was called with invalid arguments: "
_NOTE, _NOTE_END = "<twiceshy-note", "</twiceshy-note>"
_FOLDER = "\nBase directory for this skill: "
_PATHS = "\nRelative paths in this skill (e.g., scripts/, references/) are relative to this base directory."
_NOTHING = "(no output)"


def classify_refusal(error: str) -> tuple[Refusal, str]:
    """Return the reason a failed call did not run, and the user's comment; empty if it ran."""
    if error.startswith(_REJECTED):
        return "rejected", error.removeprefix(_REJECTED).partition(_SAID)[2].strip()
    if error.startswith(_DENIED) or (error.startswith(_NOTE) and error.endswith(_NOTE_END)):
        return "denied", ""
    first = error.partition("\n")[0]
    return ("invalid", "") if first.startswith("The ") and _INVALID in first else ("", "")


def is_stopped(printed_text: str) -> bool:
    """True if the user stopped a command without exit status."""
    _, opened, behind = printed_text.rpartition("\n<shell_metadata>\n")
    return bool(opened) and "User aborted the command" in behind.splitlines()


def strip_wrapping(printed_text: str) -> str:
    """Return the output of a command."""
    return "" if printed_text.strip() == _NOTHING else printed_text


def find_expanded_skill(text: str) -> tuple[str, str]:
    """Return the skill behind a prompt and its arguments; empty if none."""
    _, opened, rest = text.partition(_FOLDER)
    folder, closed, given = rest.partition(_PATHS)
    if not (opened and closed) or "\n" in folder:
        return "", ""
    return folder.rstrip("/").rpartition("/")[2], given.strip()
