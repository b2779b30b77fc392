"""Write the distiller's log: a redacted line per event, owner-readable, limited in size."""

from __future__ import annotations

import contextlib
import os

from twiceshy.core.moment import format_stamp
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.files.log import append_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LOG_NAME = "distiller.log"
_LONGEST = 1_000
_SESSION = 8


def find_log_path(path: str, *, debug: bool, home: str) -> str:
    """Return the path of the log: as configured, or in the memory home while debugging."""
    return path or (os.path.join(home, LOG_NAME) if debug else "")


class DistillerLog(Value):
    """A log file; without a path, nothing is written."""

    path: str
    redact: Callable[[str], str]
    kilobytes: int = 1_024

    def write_events(self, session: str, events: Iterable[tuple[str, str]], *, at: int) -> None:
        """Append events, such as ``("SKIP", "nothing went wrong")``; a full disk loses them quietly."""
        if not self.path:
            return
        when = format_stamp(at)[:19].replace("T", " ")
        who = fold_to_line(strip_unsafe(session), limit=200)[:_SESSION] or "-"
        lines = [
            fold_to_line(
                strip_unsafe(self.redact(f"{when} | {who} | {event} | {text}")), limit=_LONGEST
            )
            for event, text in events
        ]
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        append_lines(self.path, lines, most=self.kilobytes << 10)
