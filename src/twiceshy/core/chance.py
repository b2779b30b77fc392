"""Chance that anyone can repeat: numbers that look random and follow from names alone.

A session and a note always draw the same lot, in every process and on every machine. The mixing is
that of splitmix64; a hash of the standard library would cost a hook more than the draw is worth.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_BITS = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio
_BETWEEN = "\x1f"


def seed_of(*names: str) -> int:
    """Return 64 bits that follow from the names, in their order."""
    raw = _BETWEEN.join(names).encode("utf-8", "surrogatepass")
    seed = len(raw)
    for at in range(0, len(raw), 8):
        seed = _mixed(seed ^ int.from_bytes(raw[at : at + 8], "little"))
    return seed


def lot(*names: str) -> float:
    """Return a number from 0 to below 1 that follows from the names."""
    return _fraction(_mixed(seed_of(*names)))


def beta_draw(hits: float, misses: float, seed: int) -> float:
    """Draw from a Beta distribution with both parameters at least 1, the same for the same seed."""
    numbers = _numbers(seed)
    one, other = _gamma(hits, numbers), _gamma(misses, numbers)
    return one / (one + other)


def _gamma(shape: float, numbers: Iterator[float]) -> float:
    """Draw from a Gamma distribution by the squeeze of Marsaglia and Tsang; shape is at least 1."""
    centre = shape - 1 / 3
    width = 1 / sqrt(9 * centre)
    while True:
        normal = sqrt(-2 * log(1 - next(numbers))) * cos(2 * pi * next(numbers))
        cube = (1 + width * normal) ** 3
        bound = normal * normal / 2 + centre
        if cube > 0 and log(1 - next(numbers)) < bound - centre * cube + centre * log(cube):
            return centre * cube


def _numbers(seed: int) -> Iterator[float]:
    while True:
        seed = (seed + _STEP) & _BITS
        yield _fraction(_mixed(seed))


def _mixed(number: int) -> int:
    number = (number + _STEP) & _BITS
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return number ^ (number >> 31)


def _fraction(number: int) -> float:
    return (number >> 11) / (1 << 53)
