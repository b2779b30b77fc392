"""Vectors of signed bytes, compared by cosine, without numpy.

The largest number of a vector is 127, and its last two bytes are its length: comparing is a
sum of products. Vectors of different models are never compared.
"""

from __future__ import annotations

from math import isfinite, sqrt
from operator import mul

from twiceshy.core.filter import SHARE
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_LARGEST = 127
_TAIL = 2  # bytes


class QueryVector(Value):
    """Query vector by a model, with its weight beside words."""

    model: str
    vector: bytes
    share: float = SHARE


class NoteMeaning(Value):
    """Vector of a note field by a model."""

    note: str
    field: str
    meaning: QueryVector


def quantise_vector(values: Sequence[float]) -> bytes:
    """Quantise numbers to a vector of the same direction; empty without a direction."""
    largest = max(map(abs, values), default=0.0)
    if not largest or not all(map(isfinite, values)):
        return b""
    whole = [round(value / largest * _LARGEST) for value in values]
    length = round(sqrt(sum(map(mul, whole, whole))))
    return bytes(number & 0xFF for number in whole) + length.to_bytes(_TAIL, "big")


def pool_vectors(words: Iterable[tuple[float, bytes]]) -> bytes:
    """Sum the weighted word vectors; empty without words."""
    total: list[float] = []
    for weight, word in words:
        numbers = memoryview(word).cast("b")
        if total:
            total = [so_far + weight * n for so_far, n in zip(total, numbers, strict=True)]
        else:
            total = [weight * n for n in numbers]
    return quantise_vector(total)


def cosine_similarity(one: bytes, other: bytes) -> float:
    """Return the cosine similarity of two vectors: 1 equal, 0 unrelated."""
    return build_comparer(one)(other)


def build_comparer(one: bytes) -> Callable[[bytes], float]:
    """Return a function that compares other vectors with this vector."""
    size = len(one) - _TAIL
    left = memoryview(one)[:size].cast("b") if size > 0 else memoryview(b"")
    length = int.from_bytes(one[-_TAIL:], "big")

    def alike(other: bytes) -> float:
        if len(other) != size + _TAIL or size <= 0 or not length:
            return 0.0
        # the two bytes at the end meet nothing: the shorter one decides how far products go
        products: int = sum(map(mul, left, memoryview(other).cast("b")))
        return max(-1.0, min(1.0, products / (length * ((other[-2] << 8) + other[-1] or 1))))

    return alike
