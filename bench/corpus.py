"""Made-up notes whose words are as unevenly frequent as in real text, the same for every run."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u")]
VOCABULARY = 20_000


def words() -> list[str]:
    """Return the vocabulary, the most frequent word first."""
    dice = random.Random(7)
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(dice.choices(SYLLABLES, k=dice.randint(2, 4)))] = None
    return list(made)


def texts(count: int, *, seed: int = 1) -> Iterator[str]:
    """Yield texts of 20 to 60 words; a word's frequency falls with its rank."""
    vocabulary = words()
    weights = list(accumulate(1 / (rank + 30) for rank in range(VOCABULARY)))
    dice = random.Random(seed)
    for _ in range(count):
        length = dice.randint(20, 60)
        yield " ".join(dice.choices(vocabulary, cum_weights=weights, k=length))


def drafts(count: int, *, scope: Scope | None = None, seed: int = 1) -> Iterator[Draft]:
    """Yield drafts, spread over fifty projects and forty skills unless a scope is given."""
    for number, text in enumerate(texts(count, seed=seed)):
        spread = Scope(f"dir:{number % 50:012x}", f"skill-{number % 40}" if number % 2 else "")
        yield Draft("lesson", text, scope or spread, "user")
