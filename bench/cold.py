"""What a cold command costs in CPU time, against an interpreter that starts and does nothing.

    python -m bench.cold [--rounds 25]

Every round runs every command once, in random order, so that a busy machine slows all of them alike.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile

from bench.corpus import drafts
from bench.scale import OWN, fill, open_store

LIBRARY = """
import sys
sys.path.insert(0, {source!r})
from twiceshy.recall.brief import BriefBudget
from twiceshy.core.scope import Scope
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.store.command_store import WholeStore
store = WholeStore({store!r}, clock=lambda: 1_700_000_000_000)
recall_notes(store, Scope({project!r}, {skill!r}), "zebra lock file", budget=BriefBudget())
store.close()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=25)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "TWICESHY_HOME": os.path.join(folder, "home")}
        os.chdir(folder)
        path = os.path.join(folder, "home", "twiceshy.db")
        store = open_store(path)
        fill(store, drafts(200, scope=OWN, seed=99))
        fill(store, drafts(10_000))
        store.close()
        measure(commands(path), rounds=given.rounds)


def commands(path: str) -> dict[str, list[str]]:
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
    library = LIBRARY.format(source=source, store=path, project=OWN.project, skill=OWN.skill)
    twiceshy = [sys.executable, "-m", "twiceshy"]
    return {
        "python -I -S -c pass": [sys.executable, "-I", "-S", "-c", "pass"],
        "python -c pass": [sys.executable, "-c", "pass"],
        "recall as a library, -I -S": [sys.executable, "-I", "-S", "-c", library],
        "twiceshy --version": [*twiceshy, "--version"],
        "twiceshy --help": [*twiceshy, "--help"],
        "twiceshy recall --skill": [*twiceshy, "recall", "lock file", "--skill", OWN.skill],
        "twiceshy search": [*twiceshy, "search", "lock", "file", "--all"],
        "twiceshy note": [*twiceshy, "note", "The lock file is rewritten", "--skill", "x"],
    }


def measure(all_of_them: dict[str, list[str]], *, rounds: int) -> None:
    taken: dict[str, list[float]] = {name: [] for name in all_of_them}
    dice = random.Random(1)
    for _ in range(rounds + 1):
        for name in dice.sample(list(all_of_them), len(all_of_them)):
            taken[name].append(cpu(all_of_them[name]))
    bare = statistics.median(taken["python -I -S -c pass"][1:])
    for name, times in taken.items():
        median = statistics.median(times[1:])  # the first round compiles and warms the disk cache
        print(f"{name:<28} {median:7.1f} ms CPU  {median / bare:5.2f}x")


def cpu(command: list[str]) -> float:
    """Run a command and return its CPU time in milliseconds."""
    child = os.posix_spawn(
        command[0],
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)],
    )
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)[:200]}")
    return (used.ru_utime + used.ru_stime) * 1000


if __name__ == "__main__":
    main()
