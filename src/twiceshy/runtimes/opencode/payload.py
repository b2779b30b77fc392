"""OpenCode plugin payloads to events: Claude Code's form, with own tools and transcript."""

from __future__ import annotations

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import Given
from twiceshy.runtimes.dialect import reply_unasked as reply
from twiceshy.runtimes.opencode.places import database_of, named
from twiceshy.runtimes.opencode.tool_names import TOOLS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["parse", "reply"]

_DIALECT = dialect.Dialect(tools=TOOLS)


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    name, event = dialect.parse(dialect.given(raw), _DIALECT, environ=environ, now=now)
    if event is None:
        return name, None
    if not event.transcript and (database := database_of(environ)):
        event = event.but(transcript=named(database, event.session))
    return name, _placed(event)


def _placed(event: Event) -> Event:
    """Return the event with the command's directory."""
    if not isinstance(event, CallPending | CallFailed | CallSucceeded) or event.tool != "Bash":
        return event
    place = Given(event.arguments).text("workdir")
    return event.but(place=place) if place.startswith("/") else event
