"""Repeatable chance: pseudo-random numbers derived from names.

A session and a note always draw the same lot, in every process and on every machine. The
mixer is splitmix64; a hash of the standard library would cost a hook more than the draw is
worth.
"""

from __future__ import annotations

_BITS = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio
_BETWEEN = "\x1f"


def derive_seed(*names: str) -> int:
    """Return 64 bits derived from the names, in order."""
    raw = _BETWEEN.join(names).encode("utf-8", "surrogatepass")
    seed = len(raw)
    for at in range(0, len(raw), 8):
        seed = _mix_bits(seed ^ int.from_bytes(raw[at : at + 8], "little"))
    return seed


def draw_lot(*names: str) -> float:
    """Return a number in [0, 1) derived from the names."""
    return _to_fraction(_mix_bits(derive_seed(*names)))


def _mix_bits(number: int) -> int:
    number = (number + _STEP) & _BITS
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _BITS
    return number ^ (number >> 31)


def _to_fraction(number: int) -> float:
    return (number >> 11) / (1 << 53)
