"""Similarity of differently worded notes: shared words, and no concrete difference.

Measured on 308 real lessons: a word overlap of .63 finds 98 % of the pairs with equal
meaning and takes 1 % of the pairs that only look alike. Notes written by hand are less
regular, so a path, a number, a flag or a negation in only one of the two keeps them apart
whatever the overlap, and so does a different word in the same place.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from twiceshy.core.text import strip_list_marks
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import JOINERS, STOP_WORDS, index_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

THRESHOLD = 0.63
_ROUNDING = 1e-9  # 100 * 0.55 is a little more than 55, and a match must not be lost for that
# Words that turn a sentence round; "t" is what is left of "can't" and its like.
_NEGATIONS = frozenset(
    """no not none nothing never nor neither without avoid t cannot cant dont doesnt didnt isnt wont
    shouldnt mustnt instead except unless until before after always only off disable deny forbid
    refuse false""".split()
)
# Stems of such words in German, French, Spanish, Portuguese, Italian and Russian.
_FOREIGN_NEGATIONS = frozenset(
    """nicht nich kein nie niemal ohne ohn nur ne pas pa jamais jamai jama aucun sans san sauf nunca nunc sin salvo tampoco
    ningun ninguna nao nem sem nenhum non senza nessun не нет ни никогд нельз без кром только тольк""".split()
)
_NEGATION_STEMS = _NEGATIONS.union(map(stem_word, _NEGATIONS)) | _FOREIGN_NEGATIONS
_EMPTY = STOP_WORDS.union(map(stem_word, STOP_WORDS)) - _NEGATION_STEMS
_CHINESE = "\u2e80"
_FEW = 5
_BENT = 4
_NEGATIVE_CHARACTERS = frozenset("不别別勿禁没沒非莫未无無避")
# a note meets many others: a quarter of the time a pair
_compared_often = lru_cache(maxsize=8_192)


def keep_telling_terms(found: Iterable[str]) -> frozenset[str]:
    """Return the telling index terms; connecting words are dropped."""
    return frozenset(found) - _EMPTY


def telling_terms_of(text: str) -> frozenset[str]:
    """Return the telling terms of an unindexed text."""
    return keep_telling_terms(index_terms(strip_list_marks(text)))


def word_overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common words, from 0 to 1; 0 for different subjects."""
    together = len(one | other)
    shared = len(one & other) / together if together else 0.0
    if not shared or firm_terms(one) != firm_terms(other) or _has_contrast(one, other):
        return 0.0
    return shared


def find_nearest(
    own: frozenset[str],
    others: Iterable[tuple[str, Iterable[str]]],
    *,
    threshold: float,
    is_same: Callable[[str], bool] = bool,
) -> str | None:
    """Return the id of the best match at or above ``threshold``; ties go to the older id.

    ``is_same`` has the last word about an id whose words match.

    ``own`` are telling terms, the candidates' terms are as indexed: most candidates are
    dismissed by counting alone.
    """
    least = threshold * len(own) - _ROUNDING
    close = [
        (-word_overlap(own, keep_telling_terms(found)), note_id)
        for note_id, found in others
        if len(own.intersection(found)) >= least
    ]
    near = sorted(one for one in close if one[0] and -one[0] >= threshold)
    return next((note_id for _, note_id in near if is_same(note_id)), None)


@_compared_often
def firm_terms(every: frozenset[str]) -> frozenset[str]:
    """Return the terms that equal texts must share."""
    return frozenset(term for term in every if _is_firm(term))


def count_rarest_needed(count: int, *, threshold: float) -> int:
    """Return the number of rarest words that find every possible match.

    Texts that overlap by ``threshold`` share at least that part of their words: among the rest
    plus one there must be a shared word.
    """
    shared = ceil(count * threshold - _ROUNDING)
    return max(1, count - shared + 1)


def _has_contrast(one: frozenset[str], other: frozenset[str]) -> bool:
    """True if the texts differ by a word in the same place: npm here, pnpm there.

    A rewording drops, adds or inflects words; short texts leave no room for that.
    """
    ours, theirs = _split_units(one), _split_units(other)
    gone, new = ours - theirs, theirs - ours
    if not (gone and new):
        return bool(gone or new) and min(len(one), len(other)) < _FEW
    fewer, more = (gone, new) if len(gone) <= len(new) else (new, gone)
    bent = {word[:_BENT] for word in more}
    return not all(len(word) >= _BENT and word[:_BENT] in bent for word in fewer)


@_compared_often
def _split_units(every: frozenset[str]) -> frozenset[str]:
    """Split into words and single Chinese characters: dropping a character changes two pairs."""
    words = frozenset(term for term in every if term < _CHINESE)
    return words.union(*(term for term in every if term >= _CHINESE))


def _is_firm(term: str) -> bool:
    return (
        term in _NEGATION_STEMS
        or any(char.isdigit() or char in JOINERS for char in term)
        or not _NEGATIVE_CHARACTERS.isdisjoint(term)
    )
