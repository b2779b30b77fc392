"""Time in milliseconds since 1970 (UTC), and its calendar."""

from __future__ import annotations

SECOND = 1_000
DAY = 86_400 * SECOND
HALF_LIFE_DAYS = 30.0


def format_day(at: int) -> str:
    """Write the UTC day as ``2026-11-02``."""
    year, month, date = _civil_from_days(at // DAY)
    return f"{year:04}-{month:02}-{date:02}"


def format_stamp(at: int) -> str:
    """Write the UTC time as ``2026-11-02T09:30:00.125Z``."""
    seconds, milliseconds = divmod(at % DAY, SECOND)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{format_day(at)}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z"


def parse_day(text: str) -> int:
    """Read ``2026-11-02`` or ``2026-11`` as its first millisecond; ValueError otherwise."""
    parts = text.split("-")
    if [len(part) for part in parts] not in ([4, 2], [4, 2, 2]) or not "".join(parts).isdecimal():
        raise ValueError(text)
    year, month, date = (*map(int, parts), 1)[:3]
    at = _days_from_civil(year, month, date) * DAY
    if (year, month, date) != _civil_from_days(at // DAY):
        raise ValueError(text)
    return at


def parse_stamp(text: str) -> int:
    """Read ``2026-11-02T09:30:00.125Z``, as far as it goes, as UTC; ValueError otherwise."""
    date, _, rest = text.removesuffix("Z").removesuffix("+00:00").replace(" ", "T").partition("T")
    clock, _, fraction = rest.partition(".")
    parts = [*clock.split(":"), "0", "0"] if clock else ["0", "0", "0"]
    hour, minute, second = (int(part) if part.isdecimal() else -1 for part in parts[:3])
    milliseconds = int((fraction + "000")[:3]) if (fraction or "0").isdecimal() else -1
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 61 and milliseconds >= 0):
        raise ValueError(text)
    return parse_day(date) + ((hour * 60 + minute) * 60 + second) * SECOND + milliseconds


def count_months(earlier: int, later: int) -> int:
    """Count calendar months between two moments, never below zero."""
    first, last = _civil_from_days(earlier // DAY), _civil_from_days(later // DAY)
    return max(0, (last[0] - first[0]) * 12 + last[1] - first[1])


# The two functions below count days in years that begin in March, so that the leap day comes last.


def compute_recency(at: int, *, now: int, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """Halve every ``half_life_days``; 1 for now and for the future."""
    return float(0.5 ** (max(0, now - at) / DAY / half_life_days))


def _days_from_civil(year: int, month: int, date: int) -> int:
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + date - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _civil_from_days(days: int) -> tuple[int, int, int]:
    era, of_era = divmod(days + 719_468, 146_097)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    march = (5 * of_year + 2) // 153
    month = march + 3 if march < 10 else march - 9
    return year + era * 400 + (month <= 2), month, of_year - (153 * march + 2) // 5 + 1
