"""Pi extension payloads to events; reading a SKILL.md loads the skill."""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import build_reply
from twiceshy.runtimes.pi import words
from twiceshy.runtimes.pi.tools import TOOLS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

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
