"""Group sentences that say the same: shared words, or the same thing to avoid and to prefer."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.core.value import Value
from twiceshy.language.contrast import find_contrast
from twiceshy.language.similar import THRESHOLD, telling_terms_of, word_overlap
from twiceshy.language.word_order import is_swapped

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Item = TypeVar("Item")

_SHORT_NOT = r"\b(do|does|did|should|must|is|are|could|would)n'?t\b"
_END_MARKS = ".,;:。；，!！?？ "


class SentenceMeaning(Value):
    """What tells a sentence from others: its words, and a thing to avoid and one to prefer."""

    plain: str
    words: frozenset[str]
    contrast: tuple[str, str]


def read_meaning(text: str) -> SentenceMeaning:
    """Read a sentence for comparison with others."""
    plain = " ".join(text.casefold().split()).rstrip(_END_MARKS)
    avoid, prefer = find_contrast(text.rstrip(_END_MARKS))
    words = telling_terms_of(compile_pattern(_SHORT_NOT).sub(r"\1 not", plain.replace("’", "'")))
    return SentenceMeaning(plain, words, (avoid.casefold(), prefer.casefold()))


def is_same_meaning(
    one: SentenceMeaning, other: SentenceMeaning, *, threshold: float = THRESHOLD
) -> bool:
    """True if two sentences say the same in equal or in other words."""
    if one.plain == other.plain:
        return True
    if all(one.contrast) and all(other.contrast):
        return one.contrast == other.contrast
    near = word_overlap(one.words, other.words) >= threshold
    return near and not is_swapped(one.plain, other.plain)


def group_by_meaning(items: Iterable[Item], *, text_of: Callable[[Item], str]) -> list[list[Item]]:
    """Return groups of items whose texts say the same, in the order of their first items."""
    groups: list[tuple[SentenceMeaning, list[Item]]] = []
    for item in items:
        meaning = read_meaning(text_of(item))
        same = (group for known, group in groups if is_same_meaning(known, meaning))
        if (group := next(same, None)) is not None:
            group.append(item)
        else:
            groups.append((meaning, [item]))
    return [group for _, group in groups]
