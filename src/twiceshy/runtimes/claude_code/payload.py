"""Claude Code hook payloads to events, and replies to hook output."""

from __future__ import annotations

from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import build_reply

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

_DIALECT = dialect.PayloadDialect(started_in="CLAUDE_PROJECT_DIR", changes_calls=True)


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    return dialect.parse_event(dialect.parse_payload(raw), _DIALECT, environ=environ, now=now)
