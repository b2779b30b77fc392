"""Does ``kill -9`` in the middle of writing lose anything that was acknowledged?

    python -m bench.crash [--rounds 100] [--writers 4]

Each round starts writers that print the id of a note once it is committed, and kills them one by one
at random moments. After each round every printed note must be there, and the file must be sound.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

from twiceshy.store.command_store import WholeStore
from twiceshy.store.settle import list_drifted_notes

PROGRAM = os.path.join(os.path.dirname(__file__), os.pardir, "tests", "store", "writers.py")
AHEAD = 400  # more notes than anyone gets to write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    print(f"{given.rounds} rounds of {given.writers} writers, killed at random")
    print("synchronous  acknowledged  lost  corrupt rounds  drifted  integrity")
    for synchronous in ("NORMAL", "FULL"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "home", "twiceshy.db")
            acknowledged: set[str] = set()
            corrupt = 0
            for turn in range(given.rounds):
                acknowledged |= a_round(path, turn, synchronous, dice, writers=given.writers)
                corrupt += integrity(path) != "ok" or not opens(path)
            lost = acknowledged - notes(path)
            db = sqlite3.connect(path)
            wrong = len(list_drifted_notes(db))
            db.close()
            print(
                f"{synchronous:11}  {len(acknowledged):12}  {len(lost):4}  {corrupt:14}  "
                f"{wrong:7}  {integrity(path)}"
            )


def a_round(
    path: str, turn: int, synchronous: str, dice: random.Random, *, writers: int
) -> set[str]:
    """Start writers, kill them one after the other, and return what they had acknowledged."""
    running = [start(path, f"t{turn}w{number}", synchronous) for number in range(writers)]
    for writer in running:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert json.loads(writer.stdout.readline()) == "ready"
        writer.stdin.write("go\n" * AHEAD)
        writer.stdin.flush()
    said: set[str] = set()
    for writer in dice.sample(running, len(running)):
        time.sleep(dice.uniform(0.01, 0.12))
        writer.kill()
        assert writer.stdout is not None
        lines = writer.stdout.read().splitlines(keepends=True)
        writer.communicate()
        said |= {json.loads(line) for line in lines if line.endswith("\n")}
    return said


def start(path: str, name: str, synchronous: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, PROGRAM, "notes", path, name, synchronous],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def opens(path: str) -> bool:
    """Tell whether the store opens without having been rescued."""
    store = WholeStore(path, clock=lambda: time.time_ns() // 1_000_000)
    rescued = store.rescued
    store.close()
    return rescued is None


def notes(path: str) -> set[str]:
    db = sqlite3.connect(path)
    found = {row[0] for row in db.execute("SELECT id FROM notes")}
    db.close()
    return found


def integrity(path: str) -> str:
    db = sqlite3.connect(path)
    answer = str(db.execute("PRAGMA integrity_check").fetchone()[0])
    db.close()
    return answer


if __name__ == "__main__":
    main()
