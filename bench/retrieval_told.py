"""What is told to somebody who did not ask, beside what a search finds; and successors before what they replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bench.retrieval_ours import Ours
    from bench.retrieval_sets import Haystack, Query

SUPERSEDED = "superseded"
HEAD = (
    f"{'set':<38}{'n':>5}{'found':>8}{'told':>8}{'others':>8}{'silent':>8}{'none':>7}{'told':>8}"
    "  found: by a search, among five; told: unasked; none: prompts without a note"
)


class Told(Value):
    """What was told unasked for one prompt, and whether a search had a right note among five."""

    query: Query
    notes: tuple[str, ...]
    found: bool


class ToldRow(Value):
    """What was told for many prompts; shares of one.

    ``right``, ``others`` and ``silent`` add up to one: a right note was told, only other notes, or nothing.
    ``false`` is the share of the prompts without a note for which something was told.
    """

    name: str
    queries: int
    found: float
    right: float
    others: float
    silent: float
    negatives: int
    false: float

    def line(self) -> str:
        """Return the row as it is printed."""
        row = f"{self.name:<38}{self.queries:>5}"
        shares = (self.found, self.right, self.others, self.silent)
        row += "".join(f"{share * 100:8.1f}" if self.queries else f"{'':8}" for share in shares)
        false = f"{self.negatives:7}{self.false * 100:8.1f}" if self.negatives else ""
        return (row + false).rstrip()


def tell_all(stack: Haystack, product: Ours) -> Iterator[Told]:
    """Tell for every prompt of a haystack what an agent with this intent gets."""
    for query in stack.queries:
        found = bool(query.rel) and in_five(product.find(query.text), query)
        yield Told(query, tuple(product.tell(query.text)), found)


def in_five(found: Sequence[str], query: Query) -> bool:
    """True if a right answer is among the first five."""
    return not set(query.rel).isdisjoint(found[:5])


def count_told(name: str, everything: Sequence[Told], ids: Collection[str]) -> ToldRow:
    """Return the row for the prompts with these ids."""
    mine = [one for one in everything if one.query.id in ids]
    asked = [one for one in mine if one.query.rel]
    negatives = [bool(one.notes) for one in mine if not one.query.rel]
    right = [bool(set(one.query.rel) & set(one.notes)) for one in asked]
    silent = [not one.notes for one in asked]
    return ToldRow(
        name=name,
        queries=len(asked),
        found=_share([one.found for one in asked]),
        right=_share(right),
        others=_share([not hit and not none for hit, none in zip(right, silent, strict=True)]),
        silent=_share(silent),
        negatives=len(negatives),
        false=_share(negatives),
    )


def in_order(stack: Haystack, product: Ours) -> list[bool]:
    """Tell for each pair whether the successor is found and what it replaced is not."""
    replaced = {doc.id: doc.supersedes for doc in stack.docs}
    order = []
    for query in stack.queries:
        if query.group == SUPERSEDED:
            found = product.find(query.text)
            (successor,) = query.rel
            order.append(successor in found[:5] and replaced[successor] not in found)
    return order


def _share(many: Sequence[bool]) -> float:
    return sum(many) / max(1, len(many))
