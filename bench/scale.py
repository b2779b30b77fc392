"""How cost grows with the store: writing, and recall in a scope that stays as it is.

    python -m bench.scale [--sizes 1000 10000 100000]

All times are CPU time, and ratios are within one run. ``bench.retrieval_scale`` measures search in larger
scopes, with real text and against plain full text.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

from bench.corpus import drafts, texts
from tests.store.support import app_of

from twiceshy.core.admit import Admitted, RelatedNotes, admit
from twiceshy.core.draft import MAX_TEXT, Draft, prepare
from twiceshy.core.history import WRITE, fields_to_write
from twiceshy.core.scope import Scope
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
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(os.path.join(folder, "home", "twiceshy.db"))
        fill(store, drafts(SCOPE_NOTES, scope=OWN, seed=99))
        size, first = 0, 0.0
        for wanted in given.sizes:
            fill(store, drafts(wanted - size, seed=wanted))
            size = wanted
            first = report(store, size, first)
        store.close()


def open_store(path: str) -> WholeStore:
    return WholeStore(path, clock=lambda: time.time_ns() // 1_000_000)


def fill(store: WholeStore, many: Iterable[Draft], *, longest: int = MAX_TEXT) -> list[str]:
    """Write without comparing, in one transaction, as if all notes were different; return their ids."""
    written = []
    with store.change():
        for draft in many:
            ready = prepare(draft, redact, longest=longest)
            outcome = admit(ready, RelatedNotes(), note_id=store.new_id(), now=store.now())
            assert isinstance(outcome, Admitted)
            store.record_entry(WRITE, outcome.note.id, fields_to_write(outcome.note))
            written.append(outcome.note.id)
    return written


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


if __name__ == "__main__":
    main()
