"""Find pairs of near-duplicate notes without comparing every pair.

Two texts that overlap by a threshold share at least one of each text's rarest words, so only
notes with such a word in common are compared. Texts with different paths, numbers, flags or
negations are never near-duplicates, and neither are texts that exchange two things, or of which
one names a place, a part or a person that the other does not name.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from twiceshy.language.comparison import compare_statements
from twiceshy.language.similar import (
    count_rarest_needed,
    firm_terms,
    telling_terms_of,
    word_overlap,
)
from twiceshy.language.stem import stem_word
from twiceshy.language.supersede import are_opposite
from twiceshy.language.word_order import is_swapped

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from twiceshy.core.note import Note

    Words = frozenset[str]
    Pair = tuple[Note, Note, float]


_MARKS = ".,;:!?()'\"`"


def measure_likeness(one: str, other: str) -> float:
    """Return the share of common words of two texts; 0 if contradictory."""
    shared = word_overlap(telling_terms_of(one), telling_terms_of(other))
    return 0.0 if shared and say_different_things(one, other) else shared


def say_different_things(one: str, other: str) -> bool:
    """True if two texts are opposites, exchange two things, or are about different ones."""
    return is_swapped(one, other) or are_opposite(one, other) or _name_others(one, other)


def _name_others(one: str, other: str) -> bool:
    """True if one of two texts names a place, part or person that the other does not name."""
    if telling_terms_of(one) == telling_terms_of(other):
        return False
    signs = compare_statements(one, other), compare_statements(other, one)
    if any(each.is_apart or each.is_elsewhere for each in signs):
        return True
    mine, yours = _list_names(one), _list_names(other)
    return bool((mine - yours - telling_terms_of(other)) | (yours - mine - telling_terms_of(one)))


def _list_names(text: str) -> set[str]:
    """Return the stems of words with a capital that begin no sentence."""
    words = text.split()
    return {
        stem_word(word.strip(_MARKS).casefold())
        for before, word in pairwise(words)
        if word[:1].isupper() and before[-1:] not in ".!?:"
    }


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
