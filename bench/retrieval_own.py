"""What our own set asks for beyond ranks: successors instead of what they replaced, and silence."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from bench.retrieval_ours import ours

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.retrieval_ours import Ours
    from bench.retrieval_sets import Haystack

SUPERSEDED = "superseded"


class Conduct(Value):
    """How the product behaves on our own set; shares of one, and how many prompts they are of."""

    pairs: int
    right_order: float  # the successor found among five, what it replaced not found at all
    negatives: int
    silent: float  # of the prompts that no lesson is about
    answered: int
    silenced: Mapping[str, float]  # of the prompts that a lesson is about, by group
    silence_precision: float  # of all silences, how many were right
    told_right: Mapping[str, float]  # of the prompts that were answered, how often with the lesson


def conduct(stack: Haystack) -> Conduct:
    """Ask a store with these lessons all prompts, as an agent's intents."""
    with tempfile.TemporaryDirectory() as folder, ours(stack.docs, folder) as product:
        told = {query.id: product.tell(query.text) for query in stack.queries}
        order = in_order(stack, product)
    groups: dict[str, list[bool]] = {}
    right: dict[str, list[bool]] = {}
    negatives: list[bool] = []
    for query in stack.queries:
        if not query.rel:
            negatives.append(not told[query.id])
            continue
        groups.setdefault(query.group, []).append(not told[query.id])
        if told[query.id]:
            right.setdefault(query.group, []).append(bool(set(query.rel) & set(told[query.id])))
    wrongly = sum(map(sum, groups.values()))
    return Conduct(
        pairs=len(order),
        right_order=_share(order),
        negatives=len(negatives),
        silent=_share(negatives),
        answered=sum(map(len, groups.values())),
        silenced={group: _share(silences) for group, silences in sorted(groups.items())},
        silence_precision=sum(negatives) / max(1, sum(negatives) + wrongly),
        told_right={group: _share(hits) for group, hits in sorted(right.items())},
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


def paragraph(one: Conduct) -> str:
    """Say it in sentences."""
    silenced = ", ".join(f"{group} {share:.1%}" for group, share in one.silenced.items())
    right = ", ".join(f"{group} {share:.1%}" for group, share in one.told_right.items())
    return "\n".join(
        (
            f"superseded pairs in the right order: {one.right_order:.1%} of {one.pairs}",
            f"negative prompts kept silent about (recall of abstaining): {one.silent:.1%} of {one.negatives}",
            f"precision of abstaining: {one.silence_precision:.1%}",
            f"prompts with a lesson that were silenced, of {one.answered}: {silenced}",
            f"the right lesson among those told, where any was: {right}",
        )
    )


def _share(many: list[bool]) -> float:
    return sum(many) / max(1, len(many))
