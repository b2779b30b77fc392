"""Pi extension payloads to events; reading a SKILL.md loads the skill.

Pi has a shell and seven file tools; others are extensions.
"""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.event import FOREIGN
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import ToolName, ToolNames, build_reply
from twiceshy.runtimes.pi import words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

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
_DIALECT = dialect.PayloadDialect(tools=TOOLS)
_SLASH = "/skill:"


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
            stopped = event.interrupted or words.is_stopped(error)
            return name, event.but(error=words.describe_failure(error), interrupted=stopped)
        case events.CallSucceeded(output=output):
            return name, event.but(output=words.strip_wrapping(output))
        case _:
            return name, event
