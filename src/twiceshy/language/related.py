"""Words and facets shared by found notes, for follow-up searches."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from math import log

from twiceshy.language.snippet import split_runs
from twiceshy.language.terms import JOINERS, STOP_WORDS, index_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from twiceshy.core.note import Note

    # the words of a text, each with its index terms; the last of these is for the whole word
    Words = list[tuple[str, tuple[str, ...]]]

FACETS = ("kind", "skill", "project", "concept")
_SHORTEST = 3
_LEADING = JOINERS.replace("-", "")
_ALIKE = 0.75


def count_facets(notes: Iterable[Note]) -> dict[str, dict[str, int]]:
    """Count notes by kind, skill, project and concept, most frequent first."""
    counted: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for note in notes:
        counted["kind"][note.kind] += 1
        counted["project"][note.scope.project] += 1
        if note.scope.skill:
            counted["skill"][note.scope.skill] += 1
        counted["concept"].update(set(note.concepts))
    return {
        facet: dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
        for facet, counts in counted.items()
    }


def find_related_words(
    query: Collection[str], found: Sequence[Words], *, among: Sequence[Words] = (), most: int = 6
) -> list[str]:
    """Return the most telling words of the found texts, as written.

    ``among`` are all known texts: a word in many of them tells little.
    """
    holding = Counter(term for text in among for term in _terms_of_word(text))
    having = Counter(term for text in found for term in _terms_of_word(text))
    written: dict[str, Counter[str]] = {}
    for word, terms_of_it in (pair for text in found for pair in text):
        written.setdefault(terms_of_it[-1], Counter())[word] += 1
    everything = max(len(among), len(found))

    def tells(term: str) -> float:
        return having[term] * log(1 + everything / max(holding[term], having[term]))

    telling = [
        term for term in written if term not in query and _is_meaningful(term, having[term])
    ]
    telling.sort(key=lambda term: -tells(term))  # stable: between equals, what comes first
    return [written[term].most_common(1)[0][0] for term in telling[:most]]


def suggest_corrections(query: str, known: Iterable[Words]) -> dict[str, str]:
    """Return the unknown words of a query, each with a likely correction."""
    import difflib  # noqa: PLC0415 - slow to load, and only needed when little was found

    spelt: dict[str, str] = {}
    terms_known: set[str] = set()
    for word, terms_of_it in (pair for text in known for pair in text):
        spelt.setdefault(word.casefold(), word)
        terms_known.update(terms_of_it)
    meant: dict[str, str] = {}
    for word, terms_of_it in list_telling_words(query):
        if terms_known.isdisjoint(terms_of_it) and word.isalpha() and word.isascii():
            for guess in difflib.get_close_matches(word.casefold(), spelt, n=1, cutoff=_ALIKE):
                meant[word] = spelt[guess]
    return meant


def list_telling_words(text: str) -> Words:
    """Return the telling words and Chinese character pairs of a text, with their terms."""
    return [(word, found) for word in _split_words(text) if (found := _find_texts(word))]


def _split_words(text: str) -> Iterator[str]:
    for _, run, dense in split_runs(text):
        if dense:
            yield from (first + second for first, second in pairwise(run))
        elif _rank_telling(word := run.lstrip(_LEADING).rstrip(JOINERS)):
            yield word


@lru_cache(maxsize=8_192)  # words come again and again: half the time for five hundred notes
def _find_texts(word: str) -> tuple[str, ...]:
    return tuple(index_terms(word))


def _terms_of_word(text: Words) -> set[str]:
    return {found[-1] for _, found in text}


def _rank_telling(word: str) -> bool:
    return len(word) >= _SHORTEST and not word.isdecimal() and word.casefold() not in STOP_WORDS


def _is_meaningful(term: str, texts: int) -> bool:
    """True if a term is meaningful alone: in Chinese, any two neighbours form a pair."""
    return term.isascii() or texts > 1
