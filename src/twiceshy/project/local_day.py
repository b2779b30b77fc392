"""Days of the user's local calendar; stored times stay in UTC."""

import time

from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY, SECOND, parse_day

_NOON = 12 * 3_600 * SECOND


def format_local_day(at: int) -> str:
    """Format a time as the user's local day, such as ``2026-11-02``."""
    return time.strftime("%Y-%m-%d", time.localtime(at // SECOND))


def format_local_time(at: int) -> str:
    """Format a time as the user's local hour and minute."""
    return time.strftime("%H:%M", time.localtime(at // SECOND))


def day_bounds(day: str) -> tuple[int, int]:
    """Return the start of a local day and of the next day.

    A day can have 23 or 25 hours. Raises NoteError unless ``day`` reads like 2026-11-02.
    """
    try:
        noon = parse_day(day) + _NOON
        if len(day) != len("2026-11-02"):
            raise ValueError(day)
    except ValueError as error:
        raise NoteError(f"{day!r} is no day", hint="write it like 2026-11-02") from error
    return _local_midnight(noon), _local_midnight(noon + DAY)


def _local_midnight(noon: int) -> int:
    year, month, date = time.gmtime(noon // SECOND)[:3]
    return int(time.mktime((year, month, date, 0, 0, 0, 0, 0, -1))) * SECOND
