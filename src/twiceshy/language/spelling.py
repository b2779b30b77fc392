"""What an unknown word of a question may mean: a known word spelled almost so, or known parts.

A word is compared as the index has it, as a stem; so a last vowel that only one of two stems has
counts nothing.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SHORTEST = 5  # letters of a word that may be misspelled
# From so many letters on one may be another, or two may be wrong; in Cyrillic stems are shorter.
_FIRM, _LONG = 7, 8
_SHORTEST_ELSEWHERE = 6
_SHORTEST_KNOWN = 4
_COMPOUND = 8
_DROPPED = "eis"
# What the English stem takes off, and the table of compounds still has.
_LOST = ("", "ation", "ion", "e", "er", "or", "s", "es", "en")
_VOWELS, _VOWELS_FROM = frozenset("aeiouyаеиоуыэюяё"), 5
_MOST_PAIRS, _PAIR = 20, 2
_ENDING = 2  # letters
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN = "".join(map(chr, range(0x430, 0x450)))


class Meant(Value):
    """Index terms for an unknown term; a guess stands beside it, or else instead of it."""

    terms: tuple[str, ...]
    guessed: bool


def is_single_character(term: str) -> bool:
    """True if a term is one Chinese character, which the index has in pairs only."""
    return len(term) == 1 and term >= "\u3400"


def find_parts(term: str) -> tuple[str, ...]:
    """Return the terms of the parts of a German compound, whole or as an English stem."""
    if len(term) < _COMPOUND or not (term.isascii() and term.isalpha()):
        return ()
    from twiceshy.language.german import bend_noun  # noqa: PLC0415 - only long words need the table

    for lost in _LOST:
        if found := bend_noun(term + lost):
            return found[:-1] or found
    return ()


def may_be_misspelled(term: str) -> bool:
    """True for a word that is long enough to be told from others, and for a single character."""
    if is_single_character(term):
        return True
    least = SHORTEST if term.isascii() else _SHORTEST_ELSEWHERE
    return len(term) >= least and term.isalpha() and term < "\u3000"


def list_edits(term: str) -> list[str]:
    """Return every spelling that is one edit away, as it is and without its last vowel."""
    letters = _LATIN if term.isascii() else _RUSSIAN
    found: set[str] = set()
    for word in {term, term.rstrip(_DROPPED)}:
        for at in range(1, len(word) + 1):
            head, tail = word[:at], word[at:]
            found.update([head + letter + tail for letter in letters])
            if tail:
                found.add(head + tail[1:])
                found.update([head + letter + tail[1:] for letter in letters])
            found.add(word[: at - 1] + tail[:1] + word[at - 1] + tail[1:])
    return sorted(found - {term})


def list_spellings(term: str) -> list[str]:
    """Return the edits of an English word, whose stems may differ more than the words do."""
    return list_edits(term) if term.isascii() and term.isalpha() else []


def join_parts(term: str) -> str:
    """Return a word with hyphens as it is written without: "pg-bouncer"; else empty."""
    parts = term.split("-")
    return "".join(parts) if len(parts) > 1 and all(map(str.isalpha, parts)) else ""


def is_near(term: str, other: str) -> bool:
    """True if an unknown term may be a known one: spelled almost so, or a character of a pair."""
    if is_single_character(term):
        return len(other) <= _PAIR and other.startswith(term)
    if len(term) >= _FIRM and other.startswith(term) and len(other) <= len(term) + _ENDING:
        return True  # the stem of one has lost an ending: "pgbounce"
    most = _count_allowed(term)
    if abs(len(other) - len(term)) > most + 1 or len(other) < _SHORTEST_KNOWN:
        return False
    bare, spelled = term.rstrip(_DROPPED), other.rstrip(_DROPPED)
    if count_edits(bare, spelled, most=most) > most:
        return False
    return len(term) >= _FIRM or not _is_other_word(bare, spelled)


def choose_meant(term: str, near: Mapping[str, int]) -> tuple[str, ...]:
    """Return the near term that is most like an unknown one, of equals the most frequent.

    ``near`` tells in how many notes each is. For one Chinese character: its commonest pairs.
    """
    if is_single_character(term):
        return tuple(sorted(near, key=lambda pair: (-near[pair], pair))[:_MOST_PAIRS])
    most, bare = _count_allowed(term), term.rstrip(_DROPPED)
    found = sorted(
        (count_edits(bare, other.rstrip(_DROPPED), most=most), -notes, other)
        for other, notes in near.items()
    )
    return tuple(each for _, _, each in found[:1])


def _count_allowed(term: str) -> int:
    """Return how many letters of a word may be wrong."""
    return 2 if len(term) >= _LONG else 1


def _is_other_word(one: str, other: str) -> bool:
    """True if a letter is another: of two short words this tells them apart, vowels excepted."""
    if len(one) != len(other) or sorted(one) == sorted(other):
        return False
    if len(one) < _VOWELS_FROM:
        return True
    pairs = zip(one, other, strict=True)
    return any(mine != yours and not {mine, yours} <= _VOWELS for mine, yours in pairs)


def count_edits(one: str, other: str, *, most: int) -> int:
    """Count the letters to change, add, drop or swap with the next; ``most + 1`` if more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        older, before, row = before, row, [at]
        for to, wanted in enumerate(other, start=1):
            edits = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != wanted))
            if older and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                edits = min(edits, older[to - 2] + 1)
            row.append(edits)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def replace_terms(
    passages: Iterable[Sequence[str]], meant: Mapping[str, Meant]
) -> list[tuple[str, ...]]:
    """Return passages with what is meant; a guess leaves the unknown term beside it.

    So a guess can never cover a question as well as the word itself.
    """
    found: list[tuple[str, ...]] = []
    for passage in passages:
        terms: dict[str, None] = {}
        for term in passage:
            each = meant.get(term)
            if each is None or each.guessed:
                terms[term] = None
            if each is not None:
                terms |= dict.fromkeys(each.terms)
        found.append(tuple(terms))
    return found
