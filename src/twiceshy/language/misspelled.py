"""Words that an unknown word of a question may have been meant to be: one letter apart, digits equal."""

from __future__ import annotations

from twiceshy.core.memo import memoise
from twiceshy.language.related import list_telling_words
from twiceshy.language.spelling import SHORTEST
from twiceshy.language.terms import index_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "".join(map(chr, range(0x430, 0x450))) + "ё"
_VOWELS = frozenset("aeiouyаеиоуыэюяё")
_FIRM = 7  # letters from which another one leaves a word recognisable
_LONGEST = 40
_DENSE = "\u2e80"  # from here on scripts are written without blanks


def may_be_mistyped(word: str) -> bool:
    """True for a word, perhaps with digits, that is long enough to be told from others."""
    return SHORTEST <= len(word) <= _LONGEST and word.isalnum() and max(word) < _DENSE


def list_word_edits(word: str) -> list[str]:
    """Return what a word may be with one letter dropped, added, swapped with the next, or another."""
    word = word.casefold()
    found: set[str] = set()
    for at in range(len(word) + 1):
        head, here, tail = word[:at], word[at : at + 1], word[at + 1 :]
        found.update([head + letter + here + tail for letter in _letters_of(word)])
        if here.isalpha():
            found.add(head + tail)
            found.update([head + letter + tail for letter in _letters_for(here, word)])
            if tail[:1].isalpha():
                found.add(head + tail[0] + here + tail[1:])
    return sorted(each for each in found - {word} if len(each) >= SHORTEST)


def _letters_of(word: str) -> str:
    if any(char in _CYRILLIC for char in word):
        return _CYRILLIC
    return _LATIN if any(char in _LATIN for char in word) else ""


def _letters_for(here: str, word: str) -> Iterator[str]:
    """Yield the letters that may stand instead of one; in a short word a vowel for a vowel."""
    for letter in _letters_of(word):
        if len(word) >= _FIRM or {here, letter} <= _VOWELS:
            yield letter


@memoise(64)  # a server is asked in the same words again; the edits of a word take 10 ms
def list_edit_terms(word: str) -> Mapping[str, str]:
    """Return the index terms of the edits of a word, each with its edit."""
    found: dict[str, str] = {}
    for edit in list_word_edits(word):
        for term in index_terms(edit)[-1:]:
            found.setdefault(term, edit)
    return found


def choose_written(meant: Mapping[str, str], texts: Iterable[str]) -> str:
    """Return the word of some texts that is an edit, as it is written; the most frequent of several."""
    edits = frozenset(meant.values())
    counted: dict[str, int] = {}
    for text in texts:
        for word, terms in dict(list_telling_words(text)).items():
            if word.casefold() in edits or not meant.keys().isdisjoint(terms):
                counted[word] = counted.get(word, 0) + 1
    exact = {word: count for word, count in counted.items() if word.casefold() in edits}
    return min(exact or counted, key=lambda word: (-counted[word], word), default="")
