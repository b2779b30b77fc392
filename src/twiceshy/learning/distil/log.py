"""Write the distiller's log: a redacted line per event, owner-readable, limited in size."""

from __future__ import annotations

import contextlib
import os

from twiceshy.core.moment import format_stamp
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.files.log import append_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App

LOG_NAME = "distiller.log"
_LONGEST = 1_000
_SESSION = 8


def log_events(app: App, session: str, events: Iterable[tuple[str, str]], *, at: int) -> None:
    """Append events, such as ``("SKIP", "nothing went wrong")``; a full disk loses them quietly.

    The log is where the settings say, or in the memory home while debugging; else there is none.
    """
    config = app.config
    at_home = os.path.join(config.home, LOG_NAME) if config.flag("distiller.debug") else ""
    path = config.text("logs.distiller") or at_home
    if not path:
        return
    when = format_stamp(at)[:19].replace("T", " ")
    who = fold_to_line(strip_unsafe(session), limit=200)[:_SESSION] or "-"
    lines = [
        fold_to_line(
            strip_unsafe(app.redact(f"{when} | {who} | {event} | {text}")), limit=_LONGEST
        )
        for event, text in events
    ]
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    append_lines(path, lines, most=config.integer("retention.log_kilobytes") << 10)
