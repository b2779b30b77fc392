"""How good an answer is, and whether a gain is more than luck: plain arithmetic on lists of ids."""

from __future__ import annotations

import random
from math import log2
from statistics import fmean
from typing import TYPE_CHECKING

from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

DEPTH = 10
RESAMPLES = 10_000
_SEED = 1


class Scores(Value):
    """How good one answer, or the mean of many, is; all are shares of one."""

    r5: float
    r10: float
    ndcg10: float
    mrr: float
    any5: float
    all5: float
    all10: float

    @property
    def values(self) -> tuple[float, ...]:
        """Return the scores in the order of the table."""
        return (self.r5, self.r10, self.ndcg10, self.mrr, self.any5, self.all5, self.all10)


class Gain(Value):
    """How much better than the baseline, and the interval that holds 95 % of the resamples."""

    mean: float
    low: float
    high: float


def usual(rank: int) -> float:
    """Discount a hit by its rank, counted from one, as nearly everybody does."""
    return 1 / log2(rank + 1)


def undiscounted_second(rank: int) -> float:
    """Discount a hit as LongMemEval's own script does: rank two counts as much as rank one."""
    return 1 / log2(max(2, rank))


def judge(
    found: Sequence[str],
    wanted: Collection[str],
    *,
    discount: Callable[[int], float] = usual,
) -> Scores:
    """Compare the ids that were found, best first, with those that were wanted."""
    hits = [rank for rank, one in enumerate(found[:DEPTH], start=1) if one in wanted]
    top5 = sum(rank <= 5 for rank in hits)
    ideal = sum(map(discount, range(1, min(len(wanted), DEPTH) + 1)))
    return Scores(
        r5=top5 / len(wanted),
        r10=len(hits) / len(wanted),
        ndcg10=sum(map(discount, hits)) / ideal,
        mrr=1 / hits[0] if hits else 0.0,
        any5=float(top5 > 0),
        all5=float(top5 == len(wanted)),
        all10=float(len(hits) == len(wanted)),
    )


def mean(many: Sequence[Scores]) -> Scores:
    """Return the mean of each score."""
    return Scores(*map(fmean, zip(*(one.values for one in many), strict=True)))


def gain(ours: Sequence[float], theirs: Sequence[float], *, resamples: int = RESAMPLES) -> Gain:
    """Return the mean difference over the same queries with its bootstrap interval."""
    differences = [one - other for one, other in zip(ours, theirs, strict=True)]
    dice = random.Random(_SEED)
    size = len(differences)
    means = sorted(sum(dice.choices(differences, k=size)) / size for _ in range(resamples))
    margin = resamples // 40
    return Gain(fmean(differences), means[margin], means[-1 - margin])
