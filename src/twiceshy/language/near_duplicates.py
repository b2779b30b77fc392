"""Find pairs of near-duplicate notes without comparing every pair.

Two texts that overlap by a threshold share at least one of each text's rarest words, so only
notes with such a word in common are compared. Texts with different paths, numbers, flags or
negations are never near-duplicates, and neither are texts that exchange two things.
"""

from __future__ import annotations

from collections import Counter

from twiceshy.language.similar import (
    count_rarest_needed,
    firm_terms,
    telling_terms_of,
    word_overlap,
)
from twiceshy.language.supersede import are_opposite
from twiceshy.language.word_order import is_swapped

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from twiceshy.core.note import Note

    Words = frozenset[str]
    Pair = tuple[Note, Note, float]


def measure_likeness(one: str, other: str) -> float:
    """Return the share of common words of two texts; 0 if contradictory."""
    shared = word_overlap(telling_terms_of(one), telling_terms_of(other))
    return 0.0 if shared and say_different_things(one, other) else shared


def say_different_things(one: str, other: str) -> bool:
    """True if two texts with equal words are opposites, or exchange two things."""
    return is_swapped(one, other) or are_opposite(one, other)


def find_near_duplicates(
    notes: Iterable[Note], *, threshold: float, group_by: Callable[[Note], Hashable]
) -> list[Pair]:
    """Return pairs of a group with likeness of at least ``threshold``, older id first."""
    groups: dict[tuple[Hashable, Words], list[tuple[Note, Words]]] = {}
    for note in sorted(notes, key=lambda note: note.id):
        words = telling_terms_of(note.text)
        key = group_by(note), firm_terms(words)
        groups.setdefault(key, []).append((note, words))
    pairs = [pair for group in groups.values() for pair in _pairs_within(group, threshold)]
    return sorted(pairs, key=lambda pair: (pair[0].id, pair[1].id))


def _pairs_within(group: Sequence[tuple[Note, Words]], threshold: float) -> Iterator[Pair]:
    frequency = Counter(word for _, words in group for word in words)
    holders: dict[str, list[int]] = {}
    for place, (note, words) in enumerate(group):
        rarest = sorted(words, key=lambda word: (frequency[word], word))
        candidates: set[int] = set()
        for word in rarest[: count_rarest_needed(len(words), threshold=threshold)]:
            earlier = holders.setdefault(word, [])
            candidates.update(earlier)
            earlier.append(place)
        for older, others in (group[at] for at in candidates):
            common = len(words & others)
            likeness = common / (len(words) + len(others) - common)
            if likeness < threshold:
                continue  # counting alone dismisses most candidates
            if word_overlap(words, others) and not say_different_things(older.text, note.text):
                yield older, note, likeness
