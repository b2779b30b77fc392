"""How the words of a newer text lie beside those of an older one: what stayed, and what stands instead."""

from __future__ import annotations

from difflib import SequenceMatcher

from twiceshy.core.value import Value
from twiceshy.language.statement_words import CHINESE
from twiceshy.language.terms import STOP_WORDS
from twiceshy.language.word_order import list_units

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Words = tuple[str, ...]
    Part = tuple[str, int, int, int, int]  # what became of it, and where it is in either text


class Alignment(Value):
    """Two texts, word by word; of Chinese, character by character."""

    sameness: float = 0.0  # twice the words in equal order, of all words
    longest: float = 0.0  # the longest equal part, of the older text
    first_change: float = 1.0  # where the older text is first left, of its length
    fit: float = 0.0  # known neighbours of a replaced part, by its length
    growth: float = 0.0  # length of the newer by that of the older
    length: int = 0  # of the older
    known: float = 0.0  # the share of the newer text's telling words that are known
    first_fresh: float = 1.0  # where the newer text first says something new, of its length
    lost: Words = ()  # telling words of the older text only
    fresh: Words = ()  # telling words of the newer text only
    replaced: tuple[
        tuple[Words, Words], ...
    ] = ()  # parts of the older text, and what stands there now
    is_even: bool = False  # nothing was added and nothing left out


def align_texts(newer: str, older: str) -> Alignment:
    """Lay two texts side by side."""
    new, old = _list_words(newer), _list_words(older)
    if not new or not old:
        return Alignment()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts = matcher.get_opcodes()
    changed = [part for part in parts if part[0] != "equal"]
    told, before = tuple(_pair_up(new)), tuple(_pair_up(old))
    fresh = (at for at, word in enumerate(new) if word not in STOP_WORDS and word not in old)
    return Alignment(
        sameness=matcher.ratio(),
        longest=max((_measure(part) for part in parts if part[0] == "equal"), default=0)
        / len(old),
        first_change=changed[0][1] / len(old) if changed else 1.0,
        fit=max((_measure_fit(parts, at) for at in range(len(parts))), default=0.0),
        growth=len(new) / len(old),
        length=len(old),
        known=len(set(told) & set(before)) / max(1, len(set(told))),
        first_fresh=next(fresh, len(new)) / len(new),
        lost=_subtract(before, told),
        fresh=_subtract(told, before),
        replaced=tuple(
            (tuple(old[begun:ended]), tuple(new[started:stopped]))
            for kind, begun, ended, started, stopped in changed
            if kind == "replace"
        ),
        is_even=len(changed) < len(parts) and all(part[0] == "replace" for part in changed),
    )


def _list_words(text: str) -> list[str]:
    return [unit for unit in list_units(text) if unit != ","]


def _pair_up(words: Sequence[str]) -> Iterator[str]:
    """Yield telling words, of Chinese the pairs of characters."""
    last = ""
    for word in words:
        if word[0] >= CHINESE:
            if last:
                yield last + word
            last = word
        else:
            last = ""
            if word not in STOP_WORDS:
                yield word


def _subtract(words: Words, others: Words) -> Words:
    return tuple(sorted(set(words) - set(others)))


def _measure(part: Part) -> int:
    return part[2] - part[1]


def _measure_fit(parts: Sequence[Part], at: int) -> float:
    """Return how many neighbours of a replaced part stayed, by the words of the part."""
    kind, begun, ended, started, stopped = parts[at]
    if kind != "replace":
        return 0.0
    sides = (at > 0) + (at + 1 < len(parts))  # what is beside a replaced part is equal
    return sides / (ended - begun + stopped - started)
