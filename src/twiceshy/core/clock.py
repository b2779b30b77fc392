"""A hybrid clock: wall time in the high bits, a counter in the low ones, and never backwards."""

from __future__ import annotations

from twiceshy.core.moment import SECOND

COUNTER_BITS = 16
# Machines that keep time with NTP differ by less than a second; a day off is a broken clock.
DRIFT = 300 * SECOND


def reading(at: int) -> int:
    """Return the first clock value of a millisecond."""
    return at << COUNTER_BITS


def moment_of(clock: int) -> int:
    """Return the millisecond a clock value belongs to."""
    return clock >> COUNTER_BITS


def tick(last: int, *, now: int) -> int:
    """Return the value for a new entry: later than ``last``, and than ``now`` began."""
    return max(last + 1, reading(now))


def from_future(clock: int, *, now: int) -> bool:
    """Tell whether a value lies further ahead than honest clocks drift apart."""
    return moment_of(clock) > now + DRIFT


def witness(last: int, seen: int, *, now: int) -> int:
    """Move past a value from another device, unless it comes from the future."""
    return last if from_future(seen, now=now) else max(last, seen)
