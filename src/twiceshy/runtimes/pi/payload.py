"""Pi extension payloads to events; reading a SKILL.md loads the skill.

Pi has a shell and seven file tools; others are extensions. Its own words and our extension's
are recognised in tool results.
"""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.event import FOREIGN
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import ToolName, ToolNames, build_reply

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event
    from twiceshy.core.transcript import Refusal

__all__ = ["build_reply", "parse"]

_FILE = {"path": "file_path"}
_OURS = ("skill_note", "skill_recall", "recall", "note", "search", "handoff", "feedback", "status")

TOOLS = ToolNames(
    own={
        "bash": ToolName("Bash"),
        "powershell": ToolName("PowerShell"),
        "read": ToolName("Read", _FILE),
        "edit": ToolName("Edit", _FILE | {"oldText": "old_string", "newText": "new_string"}),
        "write": ToolName("Write", _FILE),
        "grep": ToolName("Grep"),
        "find": ToolName("Glob"),
        "ls": ToolName("LS"),
        # Pi has no MCP, so our extension brings these; elsewhere our server does, under this name
        **{name: ToolName(f"{FOREIGN}twiceshy__{name}") for name in _OURS},
    },
    foreign="",
)
_DIALECT = dialect.PayloadDialect(tools=TOOLS, changes_calls=True)
_SLASH = "/skill:"
# What our extension says when a rule keeps a call from being made; plugins/pi/twiceshy.ts has the same.
REFUSED = "The user refused this call."
_NOTE, _OURS_END = "<twiceshy-note", ("</twiceshy-note>", "</twiceshy-guard>")
_FRAMES = (_NOTE, "<skill-memory", "<project-memory")
_EXITED = "Command exited with code "
_STATES = (_EXITED, "Command timed out after ", "Command aborted")
_NOTHING = "(no output)"
_STOPPED = ("Command aborted", "Operation aborted")
_BLOCKED = "Tool execution was blocked"
_INVALID = ("Validation failed for tool ", 'Tool call "')


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    name, event = dialect.parse_event(
        dialect.parse_payload(raw), _DIALECT, environ=environ, now=now
    )
    match event:
        case events.PromptGiven(prompt=prompt) if prompt.startswith(_SLASH):
            skill, _, rest = prompt.removeprefix(_SLASH).partition(" ")
            return name, event.but(prompt=rest.strip() or prompt, skills=(skill,) if skill else ())
        case events.SkillRead():
            fields = event.fields()
            fields["path"] = event.path.removeprefix("@")  # models copy it from prompts
            return name, events.SkillLoaded.of(fields)
        case events.CallFailed(error=error):
            stopped = event.interrupted or is_stopped(error)
            return name, event.but(error=describe_failure(error), interrupted=stopped)
        case events.CallSucceeded(output=output):
            return name, event.but(output=strip_wrapping(output))
        case _:
            return name, event


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
    if text.endswith(_OURS_END) and "<twiceshy-" in text:
        return "rejected" if text.startswith(REFUSED) else "denied"
    refused = text.startswith(_INVALID) or text == f"Tool {tool} not found"
    return "invalid" if refused else ""
