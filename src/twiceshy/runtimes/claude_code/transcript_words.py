"""Separate a person's words from tagged text by Claude Code, hooks or us."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.transcript import Refusal

CONTINUED = "This session is being continued from a previous conversation"
INTERRUPTED = "[Request interrupted by user"

# Notes for the agent, which stand beside a prompt or inside what a tool returned.
_NOTES = ("system-reminder", "skill-memory", "project-memory", "twiceshy-note")
_MACHINES = (
    *_NOTES,
    *("command-name", "command-message", "command-args", "command-contents"),
    *("local-command-stdout", "local-command-stderr", "local-command-caveat"),
    *("bash-input", "bash-stdout", "bash-stderr", "task-notification", "task-status"),
    *("ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics", "total_tokens"),
    *("user-prompt-submit-hook", "session-start-hook", "teammate-message"),
)
# The user agreed to a plan and began anew with it; all but its title is the agent's.
_PLAN = "Implement the following plan:"
_NOT_SAID = (
    CONTINUED,
    INTERRUPTED,
    "Caveat: The messages below",
    "Base directory for this skill:",
)
_REJECTED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "The agent proposed a plan that was rejected by the user",
)
_SAID = "the user said:"
_BY_CLIENT = "The user wants to clarify these questions."  # where a reason of theirs would stand
_ASIDE = "\n\nNote: The user's next message"
_ERROR, _ERROR_END = "<tool_use_error>", "</tool_use_error>"
_CANCELLED = ("Sibling tool call errored", "Cancelled: parallel tool call")
_DENIED = ("Permission to use ", "Claude requested permissions to ")


def extract_user_words(text: str) -> str:
    """Return the user's own words; empty for machine text."""
    text = _remove_tags(text, _MACHINES).strip()
    if text.startswith(_PLAN):
        title = text.removeprefix(_PLAN).lstrip().partition("\n")[0]
        return f"{_PLAN} {title}".strip()
    return "" if text.startswith(_NOT_SAID) else text


def strip_agent_notes(text: str) -> str:
    """Return a tool result without notes for the agent."""
    return _remove_tags(text, _NOTES).strip("\n")


def extract_summary(text: str) -> str:
    """Return a compaction summary without Claude Code's framing sentences."""
    text = _remove_tags(text, _NOTES)
    inner = text.partition("\nSummary:")[2] or text.partition("\n")[2]
    return inner.partition("\nIf you need specific details from before compaction")[0].strip()


def extract_tag(text: str, tag: str) -> str:
    """Return the text inside a tag; empty if absent."""
    _, opened, rest = text.partition(f"<{tag}>")
    inner, closed, _ = rest.partition(f"</{tag}>")
    return inner.strip() if opened and closed else ""


def classify_refusal(text: str, denial: str) -> tuple[Refusal, str]:
    """Return the reason a failed call did not finish, and the user's comment."""
    if text.startswith(_REJECTED) or denial == "user-rejected":
        said = text.partition(_SAID)[2].partition(_ASIDE)[0].strip()
        return "rejected", "" if said.startswith(_BY_CLIENT) else said
    if any(line.startswith(INTERRUPTED) for line in text.split("\n", 2)[:2]):
        return "interrupted", ""
    if text.startswith(_ERROR):
        cancelled = text[len(_ERROR) :].startswith(_CANCELLED)
        return "cancelled" if cancelled else "invalid", ""
    if text.startswith(_DENIED) or denial:
        return "denied", ""
    return "", ""


def strip_error_tag(text: str) -> str:
    """Return an error without Claude Code's tag."""
    return text.removeprefix(_ERROR).removesuffix(_ERROR_END)


def _remove_tags(text: str, tags: tuple[str, ...]) -> str:
    """Remove tagged text at line starts."""
    present = [tag for tag in tags if f"<{tag}" in text]
    kept: list[str] = []
    at = 0
    while present and (found := _find_opening_tag(text, at, present)):
        start, tag = found
        end = text.find(f"</{tag}>", start)
        if end < 0 and text[:start].strip():
            break  # somebody writes about the tag
        kept.append(text[at:start])
        at = len(text) if end < 0 else end + len(tag) + 3
    return "".join([*kept, text[at:]])


def _find_opening_tag(text: str, behind: int, tags: list[str]) -> tuple[int, str] | None:
    """Return position and name of the next opening tag."""
    at = text.find("<", behind)
    while at >= 0:
        line = max(text.rfind("\n", 0, at) + 1, behind)
        name = text[at + 1 : at + 40].replace(">", " ").split(" ", 1)[0].partition("\n")[0]
        if name in tags and not text[line:at].strip():
            return at, name
        at = text.find("<", at + 1)
    return None
