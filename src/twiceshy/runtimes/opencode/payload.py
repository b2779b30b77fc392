"""OpenCode plugin payloads to events: Claude Code's form, with own tools and transcript."""

from __future__ import annotations

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import GivenFields
from twiceshy.runtimes.dialect import build_deny_reply as build_reply
from twiceshy.runtimes.opencode.places import find_database, transcript_path
from twiceshy.runtimes.opencode.tool_names import TOOLS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

_DIALECT = dialect.PayloadDialect(tools=TOOLS)


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    name, event = dialect.parse_event(
        dialect.parse_payload(raw), _DIALECT, environ=environ, now=now
    )
    if event is None:
        return name, None
    if not event.transcript and (database := find_database(environ)):
        event = event.but(transcript=transcript_path(database, event.session))
    return name, _with_directory(event)


def _with_directory(event: Event) -> Event:
    """Return the event with the command's directory."""
    if not isinstance(event, CallPending | CallFailed | CallSucceeded) or event.tool != "Bash":
        return event
    place = GivenFields(event.arguments).get_text("workdir")
    return event.but(place=place) if place.startswith("/") else event
