"""Split a question into passages: sentences that a note may be about.

A long prompt shares words with every note by chance. What counts is one sentence that a note is
about, wherever it stands, so each note is scored by the passage that it fits best.
"""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.text import keep_both_ends
from twiceshy.language.rank import term_weigher, weigh_terms
from twiceshy.language.terms import MAX_PASSAGE, MAX_QUERY, MAX_TERMS, list_telling_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeVar

    from twiceshy.language.rank import CollectionStats, TermCounts

    Item = TypeVar("Item")
    Passage = tuple[str, ...]
    PassageFit = tuple[float, float, int]  # words, covered, and which passage it is

_MAX_SENTENCES = 300
_ENDS = ("\r", "\u3002", "\uff01", "\uff1f", "\uff1b", ". ", "? ", "! ")


def split_passages(text: str) -> tuple[Passage, ...]:
    """Return the distinct terms of each sentence, and of two together; of a short text, all terms.

    A sentence with more terms than a passage may have gives several that overlap by half.
    """
    sentences = list_telling_terms(_split_sentences(keep_both_ends(text, most=MAX_QUERY)))
    whole = _list_distinct(term for terms in sentences for term in terms)
    if len(whole) <= MAX_PASSAGE:
        return (whole,) if whole else ()
    half = MAX_PASSAGE // 2
    found = _keep_ends(
        [
            passage
            for terms in sentences
            for at in range(0, max(1, len(terms) - half), half)
            if (passage := _list_distinct(terms[at : at + MAX_PASSAGE]))
        ]
    )
    both = (_list_distinct((*one, *other)) for one, other in pairwise(found))
    return _list_distinct((*found, *(each for each in both if len(each) <= MAX_PASSAGE)))


def passage_scorer(
    passages: Sequence[Collection[str]], collection: CollectionStats
) -> Callable[[TermCounts], PassageFit]:
    """Return a function that scores the passage of a long query that a note fits best.

    Chance words gather in long passages, so words count by how much of the passage is covered.
    """
    rarity = weigh_terms({term for passage in passages for term in passage}, collection)
    weigh = term_weigher(rarity, collection)
    everything = [sum([rarity[term] for term in passage]) or 1.0 for passage in passages]
    places: dict[str, list[int]] = {}
    for at, passage in enumerate(passages):
        for term in passage:
            places.setdefault(term, []).append(at)

    def score(counted: TermCounts) -> PassageFit:
        words: dict[int, float] = {}
        covered: dict[int, float] = {}
        for term, weight in weigh(counted).items():
            for at in places[term]:
                words[at] = words.get(at, 0.0) + weight
                covered[at] = covered.get(at, 0.0) + rarity[term] / everything[at]
        fits = [(words[at] * covered[at] ** 0.5, covered[at], at) for at in words]
        return max(fits, key=lambda fit: (fit[0] + fit[1], -fit[2]), default=(0.0, 0.0, 0))

    return score


def _split_sentences(text: str) -> list[str]:
    for sign in _ENDS:
        text = text.replace(sign, "\n")
    return text.split("\n")


def _keep_ends(passages: list[Passage]) -> list[Passage]:
    """Drop passages in the middle of a text that has too many, or too many terms."""
    kept: list[tuple[int, Passage]] = []
    known: set[str] = set()
    last = len(passages) - 1
    inwards = (at // 2 if at % 2 else last - at // 2 for at in range(last + 1))
    for at in inwards:
        known.update(passages[at])
        if len(known) > MAX_TERMS or len(kept) >= _MAX_SENTENCES:
            break
        kept.append((at, passages[at]))
    return [passage for _, passage in sorted(kept)]


def _list_distinct(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))
