"""Claude Code hook payloads to events, and replies to hook output."""

from __future__ import annotations

from twiceshy.runtimes import dialect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

_DIALECT = dialect.PayloadDialect(started_in="CLAUDE_PROJECT_DIR", changes_calls=True)
_SUMMARY_AHEAD = "PreCompact"


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    return dialect.parse_event(dialect.parse_payload(raw), _DIALECT, environ=environ, now=now)


def build_reply(
    name: str, text: str, *, ruling: str = "", changed: Mapping[str, object] | None = None
) -> str:
    """Return hook output.

    Before a compaction plain text is added to the summariser's instructions, and JSON is shown to
    the user as an error (seen with 2.1.325).
    """
    if name == _SUMMARY_AHEAD:
        return text
    return dialect.build_reply(name, text, ruling=ruling, changed=changed)
