"""Pairs of notes with the same words in another order, and whether the one that a prompt means comes first.

All pairs lie in one store with the lessons of our own set. Everything is asked twice: with the right note of
each pair written first, and with the wrong one first. What knows no order answers by luck: it has the right
note above the other one in half of the cases, and seldom in both.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from bench.retrieval_ours import OURS, ours, rankers
from bench.retrieval_sets import OWN, Doc, lines, own

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HEAD = (
    f"{'swapped pairs':<30}{'n':>5}  {'ranker':<26}{'above':>7}{'always':>8}{'none':>7}"
    "  above: the right note above the other; always: whichever was written first"
)


class SwappedPair(Value):
    """Two notes that differ in the order of their words, and a prompt that means the right one."""

    id: str
    lang: str
    right: str
    wrong: str
    prompt: str


class SwappedRow(Value):
    """How often a ranker has the right note above the other one; shares of one."""

    lang: str
    pairs: int
    ranker: str
    above: float
    always: float  # in both orders of writing
    none: float  # neither note was found

    def line(self) -> str:
        """Return the row as it is printed."""
        shares = f"{self.above * 100:7.1f}{self.always * 100:8.1f}{self.none * 100:7.1f}"
        return f"{self.lang:<30}{self.pairs:>5}  {self.ranker:<26}{shares}"


def pairs(which: str) -> list[SwappedPair]:
    """Return the pairs in even or odd lines, counted from zero, or all of them."""
    said = enumerate(lines(os.path.join(OWN, "swapped.jsonl")))
    kept = {"even": (0,), "odd": (1,), "all": (0, 1)}[which]
    return [SwappedPair.of(fields) for number, fields in said if number % 2 in kept]


def measure_swapped(which: str, say: Callable[[str], None]) -> list[SwappedRow]:
    """Ask every ranker for all pairs, in both orders of writing."""
    many = pairs(which)
    first, second = (_places(many, right_first=right, say=say) for right in (True, False))
    return [
        count_swapped(
            lang, ranker, [one for one in many if one.lang == lang], first[ranker], second[ranker]
        )
        for lang in dict.fromkeys(one.lang for one in many)
        for ranker in first
    ]


Places = dict[str, tuple[float, float]]  # of the right and of the wrong note, by pair


def _places(
    many: Sequence[SwappedPair], *, right_first: bool, say: Callable[[str], None]
) -> dict[str, Places]:
    say(f"swapped pairs, the {'right' if right_first else 'wrong'} note written first")
    # the name of a note must not tell which one is right: some rankers break ties by it
    places = (0, 1) if right_first else (1, 0)
    written = [
        Doc(_name(one, at), (one.right, one.wrong)[which])
        for one in many
        for at, which in enumerate(places)
    ]
    (stack,) = own().haystacks
    docs = (*stack.docs, *written)
    with tempfile.TemporaryDirectory() as folder, ours(docs, folder) as product:
        found: dict[str, Places] = {
            name: {one.id: _two(ranker(one.prompt), one, places) for one in many}
            for name, ranker in rankers(docs, product)
        }
        found[f"{OURS}, told unasked"] = {
            one.id: _two(product.tell(one.prompt), one, places) for one in many
        }
    return found


def _two(found: Sequence[str], pair: SwappedPair, places: tuple[int, int]) -> tuple[float, float]:
    """Return at which places the right and the wrong note were found."""
    right, wrong = (
        found.index(name) if name in found else float("inf")
        for name in (_name(pair, places[0]), _name(pair, places[1]))
    )
    return right, wrong


def _name(pair: SwappedPair, at: int) -> str:
    return f"{pair.id}-{at}"


def count_swapped(
    lang: str, ranker: str, mine: Sequence[SwappedPair], first: Places, second: Places
) -> SwappedRow:
    """Return the row for these pairs, given the places of their notes in both orders of writing."""
    hits = [[places[one.id][0] < places[one.id][1] for places in (first, second)] for one in mine]
    lost = [min(places[one.id]) == float("inf") for one in mine for places in (first, second)]
    return SwappedRow(
        lang,
        len(mine),
        ranker,
        above=sum(map(sum, hits)) / (2 * len(mine)),
        always=sum(map(all, hits)) / len(mine),
        none=sum(lost) / len(lost),
    )
