"""How recall costs grow with the store: of a skill by a cold hook, of a project in a warm process.

    python -m bench.curve [--sizes 1000 10000 100000] [--rounds 11]

The skill has 60 notes whatever the size; the project has a fiftieth of the store. A million notes take some
ten minutes to write and more than a gigabyte.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time

from bench.corpus import drafts, texts
from bench.hooks import BARE, RUN, UNHURRIED, a_project, begin_session, lessons, payloads, spent
from bench.scale import cpu, fill, open_store

from twiceshy.core.scope import Scope
from twiceshy.places.project import identify_project
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=11)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder} | UNHURRIED
        project, home = a_project(folder), os.path.join(folder, "home")
        here = Scope(identify_project(project, cache=f"{home}/projects.json").id, "release")
        size = 0
        for wanted in sorted(given.sizes):
            grow(home, here, size, wanted)
            size = wanted
            report(project, home, size, rounds=given.rounds)


def grow(home: str, here: Scope, size: int, wanted: int) -> None:
    """Write notes until there are so many, in pieces that fit into memory."""
    store = open_store(os.path.join(home, "twiceshy.db"))
    if not size:
        fill(store, lessons(here))
    while size < wanted:
        some = min(20_000, wanted - size)
        fill(store, drafts(some, seed=size + 1))
        size += some
        print(f"\r{size:>9,} notes", end="", file=sys.stderr)
    print(file=sys.stderr)
    store.close()


def report(project: str, home: str, size: int, *, rounds: int) -> None:
    """Print one line for this size."""
    given = payloads(project)["recall"]
    bare, hook = [], []
    for number in range(rounds):
        raw = given(size * 100 + number)
        begin_session(raw, home)
        bare.append(spent(BARE, b"", home)[0])
        hook.append(spent(RUN, raw, home)[0])
    store = open_store(os.path.join(home, "twiceshy.db"))
    other = next(iter(drafts(1, seed=1))).scope.project
    intents = iter(list(texts(60, seed=5)))
    begin = time.process_time()
    warm = cpu(
        lambda: recall_notes(
            store, Scope(other), " ".join(next(intents).split()[:6]), budget=BriefBudget()
        ),
        times=25,
    )
    store.close()
    cold = statistics.median(hook)
    print(
        f"{size:>9,} notes | skill, cold hook {cold:6.1f} ms CPU, {cold / statistics.median(bare):4.2f}x bare"
        f" | project of {size // 50:,} notes, warm {warm:6.2f} ms"
        f" ({time.process_time() - begin:.1f} s in all)",
        flush=True,
    )


if __name__ == "__main__":
    main()
