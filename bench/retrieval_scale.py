"""How search keeps its quality and cost beside other projects' notes, and in a scope that grows.

    python -m bench.retrieval_scale --own [--foreign 0 10000 100000] [--sizes 1000 10000 100000]
    python -m bench.retrieval_scale --sets FOLDER [--only til] [--spread 5000] [--keep FOLDER]

--foreign lays notes of 199 other projects beside a project of 1,000 notes, --sizes fills the project itself,
and --spread lays 199 projects of so many notes beside one. What fills is real text (``bench.filler``). Each
line compares with the first one of its kind. Rankers are asked the same queries; reading every note of a
large scope takes so long that it is asked a few of them only, and ours again beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import closing
from typing import TYPE_CHECKING

from bench.cold import LIBRARY
from bench.cold import cpu as cold_cpu
from bench.filler import Filler, default_folders
from bench.retrieval_baselines import BASELINE, porter_or
from bench.retrieval_metrics import DEPTH
from bench.retrieval_ours import OURS, make_safe
from bench.retrieval_sets import Doc, folder, half, own
from bench.retrieval_told import in_five
from bench.scale import fill, open_store

from twiceshy.core.draft import MAX_PAGE, Draft
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes, search_notes
from twiceshy.store import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.retrieval_baselines import Ranker
    from bench.retrieval_sets import Query, Task

    from twiceshy.store.command_store import WholeStore

HERE = Scope("dir:0123456789ab")
PROJECTS = 200
OTHERS = [Scope(f"dir:{number:012x}") for number in range(1, PROJECTS)]
NOTES = 1_000  # of the project that is asked, unless it grows
EXHAUSTIVE = "ours, every note read"
_FEW = 40  # queries, where every note of a large scope is read
_LARGE = 5_000  # notes in a scope; up to here all queries are asked of every ranker
_BATCH = 5_000
_SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
HEAD = (
    f"{'set':<12}{'own':>9}{'foreign':>11}  {'ranker':<24}{'n':>5}{'R@5':>7}{'':>7}{'told':>7}{'':>7}"
    f"{'ms':>9}{'':>8}{'tell ms':>9}{'':>8}"
)


class Place(Value):
    """How many notes the project that is asked has, and how many others have."""

    kind: str
    own: int
    foreign: int


class ScaleRow(Value):
    """What one ranker answered in one place; shares of one, median CPU milliseconds of a query."""

    ranker: str
    queries: int
    found: float
    ms: float
    told: float = 0.0
    tell_ms: float = 0.0


def main() -> None:
    given = arguments()
    try:
        print(HEAD, flush=True)
        for task in chosen(given):
            for kind in ("foreign", "grows", "spread"):
                report(task, [one for one in places(given) if one.kind == kind], given)
    except TwiceshyError as wrong:
        raise SystemExit(f"{wrong}\nhint: {wrong.hint}") from wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--own", action="store_true", help="our own coding lessons")
    parser.add_argument(
        "--sets", help="folder with <set>.corpus.jsonl.gz and <set>.queries.jsonl.gz"
    )
    parser.add_argument("--only", nargs="+", help="these sets of the folder")
    parser.add_argument("--half", choices=("even", "odd", "all"), default="even")
    parser.add_argument("--foreign", type=int, nargs="*", default=[0, 10_000, 100_000])
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--spread", type=int, nargs="*", default=[], help="notes of each project")
    parser.add_argument("--filler", nargs="+", default=default_folders(), help="folders with text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9, help="of cold processes")
    parser.add_argument("--keep", help="folder in which stores are kept for the next run")
    given = parser.parse_args()
    if not (given.own or given.sets):
        parser.error("name what to ask: --own or --sets")
    return given


def chosen(given: argparse.Namespace) -> Iterator[Task]:
    """Yield the sets that were asked for, with the queries of one half."""
    if given.own:
        yield half(own(), given.half)
    if given.sets:
        everything = folder(given.sets)
        yield from (
            half(one, given.half) for one in everything if not given.only or one.name in given.only
        )


def places(given: argparse.Namespace) -> Iterator[Place]:
    """Yield the places that were asked for, the smallest of each kind first."""
    yield from (Place("foreign", NOTES, count) for count in sorted(given.foreign))
    yield from (Place("grows", count, 0) for count in sorted(given.sizes))
    yield from (Place("spread", each, each * (PROJECTS - 1)) for each in sorted(given.spread))


def report(task: Task, wanted: Sequence[Place], given: argparse.Namespace) -> None:
    """Build the store of each place out of the one before it, and print what is measured there."""
    first: dict[str, ScaleRow] = {}
    with tempfile.TemporaryDirectory() as work:
        growing = GrowingStore(task, work, given)
        for place in wanted:
            home, names = growing.grow(place)
            known = set(names.values())
            queries = [
                one for one in task.haystacks[0].queries if one.rel and known >= set(one.rel)
            ]
            if not queries:
                raise ConfigError(f"{task.name} has no query here", hint="choose a larger project")
            with closing(open_store(os.path.join(home, "twiceshy.db"))) as store:
                for row in measure(store, place, queries, names):
                    base = first.setdefault(row.ranker, row)
                    print(_line(task.name, place, row, base), flush=True)
            print(f"{'':<34}{cold(home, queries[0].text, rounds=given.rounds)}", flush=True)


class GrowingStore:
    """The store of a set, which gets more notes from place to place."""

    def __init__(self, task: Task, work: str, given: argparse.Namespace) -> None:
        self._task, self._given = task, given
        self._home = os.path.join(work, "home")
        self._has: Place | None = None
        self._names: dict[str, str] = {}
        self._filler = Filler(given.filler, seed=given.seed)

    def grow(self, place: Place) -> tuple[str, dict[str, str]]:
        """Return the memory home of this place and the documents' names by note."""
        kept = ""
        if self._given.keep:
            name = f"{self._task.name}-{self._given.half}-{place.own}-{place.foreign}"
            kept = os.path.join(self._given.keep, name)
        if kept and os.path.exists(f"{kept}/names.json"):
            with open(f"{kept}/names.json", encoding="utf-8") as file:
                return kept, json.load(file)
        self._fill(place)
        if kept:
            shutil.copytree(self._home, kept)
            with open(f"{kept}/names.json", "w", encoding="utf-8") as file:
                json.dump(self._names, file)
        return self._home, self._names

    def _fill(self, place: Place) -> None:
        before = self._has or Place(place.kind, 0, 0)
        with closing(open_store(os.path.join(self._home, "twiceshy.db"))) as store:
            if not before.own:
                for scope in (HERE, *OTHERS):
                    store.record_project(scope.project, name=scope.project, root="")
                docs = gold(self._task)[: min(NOTES, place.own)]
                written = fill(store, (_draft(doc) for doc in docs), longest=MAX_PAGE)
                self._names = {note: doc.id for note, doc in zip(written, docs, strict=True)}
                before = before.but(own=len(docs))
            self._add(store, place.own - before.own, [HERE])
            self._add(store, place.foreign - before.foreign, OTHERS)
        self._has = place

    def _add(self, store: WholeStore, count: int, scopes: Sequence[Scope]) -> None:
        begin = done = 0
        while done < count:
            some = min(_BATCH, count - done)
            texts = enumerate(self._filler.take(some), start=begin + done)
            fill(
                store,
                (
                    Draft("lesson", make_safe(text), scopes[at % len(scopes)], "user")
                    for at, text in texts
                ),
            )
            done += some
            say(
                f"{self._task.name}: {done:,} of {count:,} notes added, {self._filler.harvested:,} as found"
            )


def gold(task: Task) -> list[Doc]:
    """Return the documents that hold, those that are asked for first."""
    stack = task.haystacks[0]
    asked = {name for query in stack.queries for name in query.rel}
    replaced = {doc.supersedes for doc in stack.docs}
    return sorted(
        (doc for doc in stack.docs if doc.id not in replaced and doc.whole.strip()),
        key=lambda doc: doc.id not in asked,
    )


def measure(
    store: WholeStore, place: Place, queries: Sequence[Query], names: dict[str, str]
) -> Iterator[ScaleRow]:
    """Ask ours, and in a scope that grows also plain full text and ours with every note read."""
    row = _asked(OURS, lambda text: _find(store, text), queries, names)
    told, tell_ms = _told(store, queries, names)
    yield row.but(told=told, tell_ms=tell_ms)
    if place.kind != "grows":
        return
    visible = filter_visible_notes(store, HERE)
    notes = store.notes(visible, limit=None)
    docs = [Doc(note.id, note.text, tag=note.tag, why=note.why) for note in notes]
    yield _asked(BASELINE, porter_or(docs), queries, names)
    few = queries if place.own <= _LARGE else queries[:: max(1, len(queries) // _FEW)]
    if len(few) < len(queries):
        yield _asked(f"{OURS}, the same few", lambda text: _find(store, text), few, names)
    usual = words.BASE_READS, words.BASE_RANKED
    words.BASE_READS = words.BASE_RANKED = sys.maxsize // 2
    yield _asked(EXHAUSTIVE, lambda text: _find(store, text), few, names)
    words.BASE_READS, words.BASE_RANKED = usual


def _find(store: WholeStore, text: str) -> list[str]:
    which = filter_visible_notes(store, HERE)
    return [one.note.id for one in search_notes(store, text, which, limit=DEPTH)]


def _asked(name: str, ranker: Ranker, queries: Sequence[Query], names: dict[str, str]) -> ScaleRow:
    ranker(queries[0].text)  # the first one warms the caches
    hits, taken = [], []
    for query in queries:
        begin = time.process_time()
        found = ranker(query.text)
        taken.append((time.process_time() - begin) * 1000)
        hits.append(in_five([names.get(note, "") for note in found], query))
    return ScaleRow(name, len(queries), statistics.fmean(hits), statistics.median(taken))


def _told(
    store: WholeStore, queries: Sequence[Query], names: dict[str, str]
) -> tuple[float, float]:
    budget = BriefBudget()
    hits, taken = [], []
    for query in queries:
        begin = time.process_time()
        told = recall_notes(store, HERE, query.text, budget=budget).brief.notes
        taken.append((time.process_time() - begin) * 1000)
        hits.append(bool({names.get(note.id) for note in told} & set(query.rel)))
    return statistics.fmean(hits), statistics.median(taken)


def cold(home: str, intent: str, *, rounds: int) -> str:
    """Return what a recall costs in a process of its own, against an interpreter that does nothing."""
    path = os.path.join(home, "twiceshy.db")
    library = LIBRARY.format(source=_SOURCE, store=path, project=HERE.project, skill="")
    recall = ["-m", "twiceshy", "recall", intent, "--json", "--project", HERE.project]
    os.environ |= {"TWICESHY_HOME": home, "HOME": home, "PYTHONPATH": _SOURCE}
    commands = {
        "bare": ["-I", "-S", "-c", "pass"],
        "library": ["-I", "-S", "-c", library],
        "recall": recall,
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, arguments in commands.items():
            taken[name].append(cold_cpu([sys.executable, *arguments]))
    bare, alone, command = (statistics.median(times[1:]) for times in taken.values())
    return (
        f"cold: recall as a library {alone:.1f} ms CPU, {alone / bare:.2f}x python -c pass;"
        f" twiceshy recall --json {command:.1f} ms, {command / bare:.2f}x"
    )


def _draft(doc: Doc) -> Draft:
    text = make_safe(" ".join(filter(None, (doc.title, doc.text))))
    return Draft("lesson", text, HERE, "user", why=make_safe(doc.why), tag=make_safe(doc.tag))


def _line(name: str, place: Place, row: ScaleRow, base: ScaleRow) -> str:
    line = f"{name:<12}{place.own:>9,}{place.foreign:>11,}  {row.ranker:<24}{row.queries:>5}"
    line += f"{row.found * 100:7.1f}{(row.found - base.found) * 100:+7.1f}"
    told = (
        f"{row.told * 100:7.1f}{(row.told - base.told) * 100:+7.1f}" if row.tell_ms else f"{'':14}"
    )
    line += f"{told}{row.ms:9.2f}{row.ms / base.ms:7.2f}x"
    return line + (f"{row.tell_ms:9.2f}{row.tell_ms / base.tell_ms:7.2f}x" if row.tell_ms else "")


def say(text: str) -> None:
    """Tell the person who waits how far it is."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
