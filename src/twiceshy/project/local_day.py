"""The calendar of the user: days begin at their midnight, while all that is kept stays in UTC."""

from __future__ import annotations

import time

from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY, SECOND, parse_day

_NOON = 12 * 3_600 * SECOND


def local_day(at: int) -> str:
    """Write the day that it is for the user, as ``2026-11-02``."""
    return time.strftime("%Y-%m-%d", time.localtime(at // SECOND))


def local_clock(at: int) -> str:
    """Write the hour and minute that it is for the user."""
    return time.strftime("%H:%M", time.localtime(at // SECOND))


def bounds(day: str) -> tuple[int, int]:
    """Return when a day of the user begins and when the next one does; some have 23 or 25 hours."""
    try:
        noon = parse_day(day) + _NOON
        if len(day) != len("2026-11-02"):
            raise ValueError(day)
    except ValueError as error:
        raise NoteError(f"{day!r} is no day", hint="write it like 2026-11-02") from error
    return _midnight(noon), _midnight(noon + DAY)


def _midnight(noon: int) -> int:
    year, month, date = time.gmtime(noon // SECOND)[:3]
    return int(time.mktime((year, month, date, 0, 0, 0, 0, 0, -1))) * SECOND
