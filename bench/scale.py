"""How cost grows with the store: writing, recall in a scope, and full text against a naive query.

    python -m bench.scale [--retrieval FOLDER] [--sizes 1000 10000 100000]

FOLDER holds <set>.corpus.jsonl.gz and <set>.queries.jsonl.gz; the full-text part then also tells how
many of the naive query's five best notes ours finds. All times are CPU time, and ratios are within one run.
"""

from __future__ import annotations

import argparse
import glob
import gzip
import json
import os
import sqlite3
import statistics
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

from bench.corpus import drafts, texts, words
from tests.store.support import app_of

from twiceshy.core.admit import Admitted, RelatedNotes, admit
from twiceshy.core.draft import Draft, prepare
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import WRITE, fields_to_write
from twiceshy.core.scope import Scope
from twiceshy.language.terms import query_terms
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.safety.redact import redact
from twiceshy.store.command_store import WholeStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

OWN = Scope("dir:0123456789ab", "release")
SCOPE_NOTES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--retrieval", help="folder with retrieval sets")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(os.path.join(folder, "home", "twiceshy.db"))
        fill(store, drafts(SCOPE_NOTES, scope=OWN, seed=99))
        size, first = 0, 0.0
        for wanted in given.sizes:
            fill(store, drafts(wanted - size, seed=wanted))
            size = wanted
            first = report(store, size, first)
        full_text(store)
        store.close()
        for corpus in sorted(glob.glob(os.path.join(given.retrieval or "", "*.corpus.jsonl.gz"))):
            agreement(corpus, folder)


def open_store(path: str) -> WholeStore:
    return WholeStore(path, clock=lambda: time.time_ns() // 1_000_000)


def fill(store: WholeStore, many: Iterable[Draft]) -> None:
    """Write without comparing, in one transaction: the made-up notes are all different."""
    with store.change():
        for draft in many:
            outcome = admit(
                prepare(draft, redact), RelatedNotes(), note_id=store.new_id(), now=store.now()
            )
            assert isinstance(outcome, Admitted)
            store.record_entry(WRITE, outcome.note.id, fields_to_write(outcome.note))


def cpu(act: Callable[[], object], *, times: int) -> float:
    """Return the median CPU milliseconds of one call."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        act()
        taken.append((time.process_time() - begin) * 1000)
    return statistics.median(taken)


def report(store: WholeStore, size: int, first: float) -> float:
    """Print one line for this size; return the recall time that later lines compare with."""
    fresh = iter(list(drafts(200, seed=size + 1)))
    app, bounds = app_of(store), NoteLimits(skill_max=10**9)
    commit = cpu(lambda: write_draft(app, next(fresh), bounds=bounds), times=100)
    intents = iter(list(texts(400, seed=5)))
    read = cpu(
        lambda: recall_notes(
            store, OWN, " ".join(next(intents).split()[:6]), budget=BriefBudget()
        ),
        times=60,
    )
    first = first or read
    print(
        f"{size:>8,} notes | one note per commit {commit:6.2f} ms"
        f" | recall in a scope of {SCOPE_NOTES}: {read:6.2f} ms, {read / first:4.2f}x"
    )
    return first


def naive(db: sqlite3.Connection, query: list[str]) -> list[int]:
    asked = " OR ".join(f'"{term}"' for term in query)
    rows = db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 1, .8, 1.5, 1.5, 1) LIMIT 5",
        (asked,),
    )
    return [row for (row,) in rows]


def ours(store: WholeStore, query: list[str]) -> list[str]:
    found = store.search_notes(query, NoteFilter(), limit=10)
    best = sorted(found.notes, key=lambda note: (-found.fits[note.id].words, note.id))
    return [note.id for note in best[:5]]


def full_text(store: WholeStore) -> None:
    """Compare with a naive OR on queries of four words, common and mixed."""
    db = sqlite3.connect(store.path)
    common = words()[:40]
    rare = words()[2_000:6_000]
    for name, queries in {
        "4 common words": [
            list(query_terms(" ".join(common[at : at + 4]))) for at in range(0, 40, 4)
        ],
        "2 common, 2 rare": [
            list(query_terms(" ".join([*common[at : at + 2], *rare[at * 9 : at * 9 + 2]])))
            for at in range(0, 40, 4)
        ],
    }.items():
        slow = statistics.median(cpu(partial(naive, db, query), times=3) for query in queries)
        fast = statistics.median(cpu(partial(ours, store, query), times=3) for query in queries)
        print(f"full text, {name}: naive OR {slow:.1f} ms, ours {fast:.1f} ms, {slow / fast:.1f}x")
    db.close()


def agreement(corpus: str, folder: str) -> None:
    """Print how many of the naive query's five best notes ours has, asked as in a large store."""
    name = os.path.basename(corpus).split(".")[0]
    store = open_store(os.path.join(folder, name, "twiceshy.db"))
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    fill(
        store,
        (
            Draft("page", doc["text"][:100_000] or "-", Scope(), "user", tag=str(number))
            for number, doc in enumerate(documents)
        ),
    )
    with gzip.open(corpus.replace(".corpus.", ".queries."), "rt", encoding="utf-8") as lines:
        queries = [json.loads(line)["text"] for line in lines]
    db = sqlite3.connect(store.path)
    same = total = 0
    for text in queries:
        query = list(query_terms(text))
        best = naive(db, query)
        ids = [
            db.execute("SELECT id FROM notes WHERE seq = ?", (seq,)).fetchone()[0] for seq in best
        ]
        same += len(set(ids) & set(ours(store, query)))
        total += len(ids)
    print(
        f"{name}: {len(documents):,} notes, {len(queries)} queries, same top 5: {same / total:.1%}"
    )
    store.close()


if __name__ == "__main__":
    main()
