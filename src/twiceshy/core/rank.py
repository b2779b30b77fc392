"""Order notes by how much they deserve the agent's attention: relevant, recent, seen often."""

from __future__ import annotations

from math import log

from twiceshy.core.decay import HALF_LIFE_DAYS, recency
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from twiceshy.core.note import Note

    # for each part of a note (text, why, tag, concepts, files) its index terms
    Parts = Sequence[Sequence[str]]

# BM25's usual constants; a tag or a concept that matches says more than a word in a sentence.
K1, B = 1.2, 0.75
PART_WEIGHTS = (1.0, 0.8, 1.5, 1.5, 1.0)


class Weights(Value):
    """How much relevance, recency and sightings count; only their proportion matters."""

    relevance: float = 0.6
    recency: float = 0.25
    sightings: float = 0.15
    half_life_days: float = HALF_LIFE_DAYS


class Collection(Value):
    """What must be known about all notes to weigh the terms of one: their number and length."""

    notes: int
    mean_length: float
    holding: Mapping[str, int]  # term → how many notes have it


class Ranked(Value):
    """A note with its score and the parts it is made of, for ``why``."""

    note: Note
    score: float
    relevance: float
    recency: float
    sightings: float


def bm25(query: Iterable[str], collection: Collection) -> Callable[[Parts], float]:
    """Return the function that weighs a query's terms in one note.

    Rare terms count more, repeated ones less and less, and long notes must say more.
    """
    rarity = [(term, (K1 + 1) * _rarity(term, collection)) for term in query]
    slope = K1 * B / (collection.mean_length or 1)

    def score(parts: Parts) -> float:
        filled = [pair for pair in zip(PART_WEIGHTS, parts, strict=False) if pair[1]]
        norm = K1 * (1 - B) + slope * sum([len(part) for _, part in filled])
        total = 0.0
        for term, rare in rarity:
            count = sum([weight * part.count(term) for weight, part in filled])
            if count:
                total += rare * count / (count + norm)
        return total

    return score


def describe(notes: Iterable[Parts], query: Iterable[str]) -> Collection:
    """Describe a set of notes that is small enough to be counted."""
    everything = list(notes)
    sets = [set[str]().union(*parts) for parts in everything]
    words = sum(len(part) for parts in everything for part in parts)
    holding = {term: sum(term in terms for terms in sets) for term in query}
    return Collection(len(everything), words / max(1, len(everything)), holding)


def rank(
    notes: Iterable[Note],
    relevance: Mapping[str, float],
    *,
    now: int,
    weights: Weights | None = None,
) -> list[Ranked]:
    """Best first; without any relevance, by recency and sightings; ties go to the older id."""
    weights = weights or Weights()
    notes = list(notes)
    most_relevant = max(relevance.values(), default=0.0) or 1.0
    most_seen = max((note.sightings for note in notes), default=0) or 1
    total = (weights.relevance + weights.recency + weights.sightings) or 1.0

    def scored(note: Note) -> Ranked:
        parts = (
            relevance.get(note.id, 0.0) / most_relevant,
            recency(note.learned_at, now=now, half_life_days=weights.half_life_days),
            note.sightings / most_seen,
        )
        shares = (weights.relevance, weights.recency, weights.sightings)
        score = sum(share * part for share, part in zip(shares, parts, strict=True)) / total
        return Ranked(note, score, *parts)

    return sorted(map(scored, notes), key=lambda r: (not r.note.pinned, -r.score, r.note.id))


def _rarity(term: str, collection: Collection) -> float:
    """Return the inverse document frequency, never below zero."""
    having = min(collection.holding.get(term, 0), collection.notes)
    return log(1 + (collection.notes - having + 0.5) / (having + 0.5))
