"""A hybrid clock: wall time in the high bits, a counter in the low ones, and never backwards.

A wall clock that is years ahead would make every record old. So ages are counted up to a time that
several days of use attest.
"""

from __future__ import annotations

from twiceshy.core.moment import DAY, SECOND

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

COUNTER_BITS = 16
# Machines that keep time with NTP differ by less than a second; a day off is a broken clock.
DRIFT = 300 * SECOND
# A battery that fails, or a virtual machine that wakes up, gives one wrong day, seldom two.
ATTESTING_DAYS = 3
# Who is away for longer is believed again after as many days of use; who is away for more than a year
# after many more, because a clock that is years ahead is used for days before somebody sees it.
ALLOWANCE = 31 * DAY
LONG_GAP = 400 * DAY
MANY_ATTESTING_DAYS = 14


def first_clock_of(at: int) -> int:
    """Return the first clock value of a millisecond."""
    return at << COUNTER_BITS


def millisecond_of(clock: int) -> int:
    """Return the millisecond of a clock value."""
    return clock >> COUNTER_BITS


def next_clock(last: int, *, now: int) -> int:
    """Return the clock value of a new entry: later than ``last`` and not before ``now``."""
    return max(last + 1, first_clock_of(now))


def is_from_future(clock: int, *, now: int) -> bool:
    """True if a clock value is further ahead than honest clocks drift."""
    return millisecond_of(clock) > now + DRIFT


def observe_clock(last: int, seen: int, *, now: int) -> int:
    """Advance past a clock value of another device, unless the value is from the future."""
    return last if is_from_future(seen, now=now) else max(last, seen)


def believe_time(now: int, days: Sequence[int]) -> int:
    """Return the time up to which ages count: ``now``, or the last time that is believed.

    ``days`` are the newest days of use, newest first, as days since 1970. A day that follows another
    one within a month is believed, and one after a longer gap once enough days attest it. The clock is
    believed a month beyond the newest of them.
    """
    if not days:
        return now
    believed = days[-1]
    for later in range(len(days), 0, -1):
        gap = (days[later - 1] - believed) * DAY
        if gap > ALLOWANCE and later < _count_attesting(gap):
            break
        believed = days[later - 1]
    attested = (believed + 1) * DAY
    return now if now <= attested + ALLOWANCE else attested


def _count_attesting(gap: int) -> int:
    return ATTESTING_DAYS if gap <= LONG_GAP else MANY_ATTESTING_DAYS
