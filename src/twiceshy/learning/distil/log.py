"""The distiller's log: one redacted line an event, readable by its owner alone, and never without end."""

from __future__ import annotations

import contextlib
import os

from twiceshy.core.moment import stamp
from twiceshy.core.text import clean, one_line
from twiceshy.files.log import append_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App

NAME = "distiller.log"
_LONGEST = 1_000
_SESSION = 8


def log_events(app: App, session: str, events: Iterable[tuple[str, str]], *, at: int) -> None:
    """Append events, such as ``("SKIP", "nothing went wrong")``; a full disk loses them quietly.

    The log is where the user says, or in the memory home while it is asked for; else there is none.
    """
    config = app.config
    at_home = os.path.join(config.home, NAME) if config.flag("distiller.debug") else ""
    path = config.text("logs.distiller") or at_home
    if not path:
        return
    when = stamp(at)[:19].replace("T", " ")
    who = one_line(clean(session), limit=200)[:_SESSION] or "-"
    lines = [
        one_line(clean(app.redact(f"{when} | {who} | {event} | {text}")), limit=_LONGEST)
        for event, text in events
    ]
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    append_lines(path, lines, most=config.integer("retention.log_kilobytes") << 10)
