"""A hybrid clock: wall time in the high bits, a counter in the low ones, and never backwards."""

from __future__ import annotations

from twiceshy.core.moment import SECOND

COUNTER_BITS = 16
# Machines that keep time with NTP differ by less than a second; a day off is a broken clock.
DRIFT = 300 * SECOND


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
