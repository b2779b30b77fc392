"""Compare two words: is one a slip or a fuller form of the other."""

from __future__ import annotations

import re

_SEPARATORS = frozenset("/:-_.@=+")
_SEPARATOR = re.compile(r"[/:\-_.@=+]+")
_SHORTEST = 3  # letters of a word that one wrong letter leaves recognisable
_LONG = 7  # letters of a word in which two may be wrong


def is_respelled(old: str, new: str) -> bool:
    """True if a word is the same word spelled otherwise, or with more to it.

    Two numbers, or names that differ in a number or in a single letter that stands alone, are
    two things.
    """
    if old == new or _strip_digits(old) == _strip_digits(new) != "":
        return False
    return _is_same_name(old, new) or is_extended(old, new) or is_slip(old, new)


def is_extended(old: str, new: str) -> bool:
    """True if whole names were put around or into a word: ``x`` and ``refs/heads/x``."""
    if len(new) <= len(old):
        return False
    start = next((at for at, char in enumerate(old) if char != new[at]), len(old))
    while start >= 0:
        rest = old[start:]
        if new.endswith(rest) and _is_bounded(new, start, len(new) - len(rest)):
            return True
        start -= 1
    return False


def _is_bounded(word: str, start: int, end: int) -> bool:
    """True if a piece of a word is a name of its own with its separator."""
    if start == 0:
        return word[end - 1] in _SEPARATORS
    if end == len(word):
        return word[start] in _SEPARATORS or not word[start].isalpha()
    return word[start - 1] in _SEPARATORS and word[end - 1] in _SEPARATORS


def _is_same_name(old: str, new: str) -> bool:
    """True if two words differ in case or in the signs between their names only."""
    one, other = (_SEPARATOR.sub("-", word).casefold() for word in (old, new))
    return one == other


def is_slip(old: str, new: str) -> bool:
    """True if letters of one name in a word were left out, doubled, swapped or mistaken."""
    one, other = (_SEPARATOR.split(word) for word in (old, new))
    pairs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
    if len(one) != len(other) or len(pairs) != 1:
        return False
    wrong, right = pairs[0]
    if min(len(wrong), len(right)) < _SHORTEST or wrong + "s" == right or right + "s" == wrong:
        return False
    return count_slips(wrong, right) <= (2 if min(len(wrong), len(right)) >= _LONG else 1)


def count_slips(one: str, other: str) -> int:
    """Return how many letters were left out, added, mistaken, or swapped with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, start=1):
        last, row, earlier = row, [at], before
        for place, letter in enumerate(other, start=1):
            least = min(last[place] + 1, row[-1] + 1, last[place - 1] + (char != letter))
            swapped = at > 1 and place > 1 and (char, one[at - 2]) == (other[place - 2], letter)
            row.append(min(least, earlier[place - 2] + 1) if swapped else least)
        before = last
    return row[-1]


def _strip_digits(word: str) -> str:
    return "".join(char for char in word if not char.isdigit())
