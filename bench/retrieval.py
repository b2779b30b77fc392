"""How well the right note is found: on public sets, on chats, and on our own coding lessons.

    python -m bench.retrieval --own
    python -m bench.retrieval --sets FOLDER [--longmemeval FILE] [--locomo FILE] [--unit session|turn]

docs/retrieval.md says how to read it. Parameters are tuned on odd lines, so even ones are reported.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING

from bench.retrieval_baselines import BASELINE
from bench.retrieval_chats import UNITS, locomo, longmemeval
from bench.retrieval_classes import languages, long
from bench.retrieval_metrics import (
    RESAMPLES,
    Gain,
    Scores,
    gain,
    judge,
    mean,
    undiscounted_second,
    usual,
)
from bench.retrieval_ours import ours, rankers
from bench.retrieval_sets import crosslingual, folder, half, own
from bench.retrieval_swapped import HEAD as SWAPPED_HEAD
from bench.retrieval_swapped import measure_swapped
from bench.retrieval_told import HEAD as TOLD_HEAD
from bench.retrieval_told import count_told, in_order, tell_all

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.retrieval_sets import Query, Task
    from bench.retrieval_told import Told, ToldRow

_FEW = 5  # queries; smaller groups are told together
HEAD = (
    f"{'set':<38}{'n':>5}{'docs':>7}  {'ranker':<26}{'R@5':>6}{'R@10':>6}{'nDCG':>6}{'MRR':>6}"
    f"{'any@5':>6}{'all@5':>6}{'all@10':>7}{'ms':>8}  gain in R@5 over {BASELINE}"
)


class Answer(Value):
    """What one ranker answered to one query, how good that is, and what it cost in CPU time."""

    query: Query
    scores: Scores
    ms: float


class Measured(Value):
    """What every ranker answered in all haystacks of a set, and what was told unasked."""

    answers: dict[str, list[Answer]]
    told: list[Told]
    order: list[bool]  # of superseded pairs


class Row(Value):
    """One line of the table; ``docs`` is the median size of a haystack."""

    name: str
    queries: int
    docs: int
    ranker: str
    scores: Scores
    ms: float
    gain: Gain | None


def main() -> None:
    given = arguments()
    try:
        report(given)
    except TwiceshyError as wrong:
        raise SystemExit(f"{wrong}\nhint: {wrong.hint}") from wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--own", action="store_true", help="our own coding lessons")
    parser.add_argument(
        "--sets", help="folder with <set>.corpus.jsonl.gz and <set>.queries.jsonl.gz"
    )
    parser.add_argument("--only", nargs="+", help="these sets of the folder")
    parser.add_argument("--longmemeval", help="a LongMemEval file: oracle, S or M")
    parser.add_argument("--locomo", help="locomo10.json")
    parser.add_argument("--unit", choices=UNITS, default="session", help="of chats")
    parser.add_argument("--half", choices=("even", "odd", "all"), default="even")
    parser.add_argument("--groups", action="store_true", help="tell groups apart, as for our own")
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not (given.own or given.sets or given.longmemeval or given.locomo):
        parser.error("name what to measure: --own, --sets, --longmemeval or --locomo")
    return given


def report(given: argparse.Namespace) -> None:
    """Measure what was asked for and print it as tables, or as JSON."""
    rows: list[Row] = []
    told: list[ToldRow] = []
    order: list[bool] = []
    for task in (half(one, given.half) for one in tasks(given)):
        one = measured(task)
        sizes = [len(stack.docs) for stack in task.haystacks]
        docs = round(statistics.median(sizes))
        apart = given.groups or task.name.startswith("own")
        rows += table(task.name, one.answers, docs=docs, apart=apart, resamples=given.resamples)
        told += [
            count_told(label, one.told, ids)
            for label, ids in labelled(task.name, [each.query for each in one.told], apart=apart)
        ]
        order += one.order
    swapped = measure_swapped(given.half, say) if given.own else []
    if given.json:
        everything = {
            "half": given.half,
            "rows": [_plain(row) for row in rows],
            "told": [row.fields() for row in told],
            "swapped": [row.fields() for row in swapped],
            "order": order,
        }
        print(json.dumps(everything, ensure_ascii=False, indent=1))
        return
    print("\n".join((HEAD, *map(_line, rows))))
    print("\n".join(("", TOLD_HEAD, *(row.line() for row in told))))
    if swapped:
        print("\n".join(("", SWAPPED_HEAD, *(row.line() for row in swapped))))
    if order:
        print(f"\nsuperseded pairs in the right order: {sum(order)} of {len(order)}")


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    """Yield the sets that were asked for."""
    if given.own:
        yield from (own(), languages(), long(), crosslingual())
    if given.sets:
        yield from (
            task for task in folder(given.sets) if not given.only or task.name in given.only
        )
    if given.longmemeval:
        yield from longmemeval(given.longmemeval, unit=given.unit)
    if given.locomo:
        yield from locomo(given.locomo, unit=given.unit)


def measured(task: Task) -> Measured:
    """Ask every ranker every query that has an answer, haystack by haystack; and tell for all of them."""
    whole = Measured({}, [], [])
    discount = undiscounted_second if task.official else usual
    said = time.monotonic()
    for number, stack in enumerate(task.haystacks, start=1):
        with tempfile.TemporaryDirectory() as place, ours(stack.docs, place) as product:
            for name, ranker in rankers(stack.docs, product):
                if len(task.haystacks) == 1 or time.monotonic() - said > 1:
                    said = time.monotonic()
                    say(f"{task.name}, haystack {number} of {len(task.haystacks)}: {name}")
                asked = [query for query in stack.queries if query.rel]
                for query in asked[:1]:
                    ranker(query.text)  # the first one warms the caches
                for query in asked:
                    begin = time.process_time()
                    found = ranker(query.text)
                    ms = (time.process_time() - begin) * 1000
                    scores = judge(found, query.rel, discount=discount)
                    whole.answers.setdefault(name, []).append(Answer(query, scores, ms))
            whole.told.extend(tell_all(stack, product))
            whole.order.extend(in_order(stack, product))
    return whole


def table(
    name: str, answers: dict[str, list[Answer]], *, docs: int, apart: bool, resamples: int
) -> Iterator[Row]:
    """Yield the rows of a set: all queries, and if wanted each group of them."""
    queries = [answer.query for answer in answers.get(BASELINE, ())]
    if not queries:
        return
    for label, ids in labelled(name, queries, apart=apart):
        base = [one.scores.r5 for one in answers[BASELINE] if one.query.id in ids]
        for ranker, everything in answers.items():
            mine = [one for one in everything if one.query.id in ids]
            r5 = [one.scores.r5 for one in mine]
            better = None if ranker == BASELINE else gain(r5, base, resamples=resamples)
            scores = mean([one.scores for one in mine])
            ms = statistics.median(one.ms for one in mine)
            yield Row(label, len(mine), docs, ranker, scores, ms, better)


def labelled(name: str, queries: Sequence[Query], *, apart: bool) -> list[tuple[str, set[str]]]:
    """Return the ids of all queries under the name of the set, and if wanted those of each group."""
    groups = [(name, {query.id for query in queries})]
    if apart:
        groups += [(f"{name}: {group}", ids) for group, ids in _grouped(queries)]
    return groups


def _grouped(queries: Sequence[Query]) -> list[tuple[str, set[str]]]:
    sizes = Counter(query.group for query in queries)
    groups: dict[str, set[str]] = {}
    for query in queries:
        name = query.group if sizes[query.group] >= _FEW else "small groups"
        groups.setdefault(name, set()).add(query.id)
    return sorted(groups.items()) if len(groups) > 1 else []


def _plain(row: Row) -> dict[str, object]:
    better = row.gain.fields() if row.gain else None
    return row.fields() | {"scores": row.scores.fields(), "gain": better}


def _line(row: Row) -> str:
    scores = [value * 100 for value in row.scores.values]
    shares = "".join(f"{value:6.1f}" for value in scores[:-1]) + f"{scores[-1]:7.1f}"
    better = ""
    if row.gain:
        low, high = row.gain.low * 100, row.gain.high * 100
        better = f"{row.gain.mean * 100:+6.1f} [{low:+.1f}, {high:+.1f}]"
    return (
        f"{row.name:<38}{row.queries:>5}{row.docs:>7,}  {row.ranker:<26}{shares}"
        f"{row.ms:>8.2f}  {better}"
    ).rstrip()


def say(text: str) -> None:
    """Tell the person who waits how far it is."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
