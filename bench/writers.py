"""Do parallel writers lose anything, and how fast are they?

    python -m bench.writers [--processes 8] [--writes 500]

Each process does everything people do in turn: new notes, the same note in other spellings, edits,
decisions, pins, counts, retirements, checkpoints, undo. Afterwards every effect is looked for.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter

PROGRAM = os.path.join(os.path.dirname(__file__), os.pardir, "tests", "store", "writers.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--writes", type=int, default=500)
    given = parser.parse_args()
    print(f"{given.processes} processes, {given.writes} writes each")
    print("synchronous  expected  found  lost  errors  integrity  writes/s  slowest")
    for synchronous in ("NORMAL", "FULL"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "home", "twiceshy.db")
            run(path, synchronous, processes=given.processes, writes=given.writes)


def run(path: str, synchronous: str, *, processes: int, writes: int) -> None:
    writers = [start(path, f"w{number}", writes, synchronous) for number in range(processes)]
    for writer in writers:
        assert writer.stdout is not None
        assert json.loads(writer.stdout.readline()) == "ready"
    began = time.perf_counter()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said, errors = [], 0
    for writer in writers:
        printed, complaint = writer.communicate()
        said += [json.loads(line) for line in printed.splitlines()]
        errors += writer.returncode != 0
        if complaint:
            print(complaint.strip().splitlines()[-1], file=sys.stderr)
    seconds = time.perf_counter() - began
    slowest = max((int(effect[1]) for effect in said if effect[0] == "slowest"), default=0)
    found = effects(path, said)
    sound = integrity(path)
    expected = processes * writes
    print(
        f"{synchronous:11}  {expected:8}  {found:5}  {expected - found:4}  {errors:6}  {sound:9}  "
        f"{expected / seconds:8.0f}  {slowest / 1000:6.2f} s"
    )


def start(path: str, name: str, writes: int, synchronous: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, PROGRAM, "mixed", path, name, str(writes), synchronous, "timed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def effects(path: str, said: list[list[str]]) -> int:
    """Count the acknowledged effects that are in the store."""
    db = sqlite3.connect(path)
    done = Counter(effect[0] for effect in said)
    notes = {
        row[0]: row[1:] for row in db.execute("SELECT id, text, reason, sightings FROM notes")
    }
    shared = next(effect[1] for effect in said if effect[0] == "again")
    seen = db.execute("SELECT sightings FROM notes WHERE id = ?", (shared,)).fetchone()
    episodes = {row[0] for row in db.execute("SELECT id FROM episodes")}
    ops = Counter(row[0] for row in db.execute("SELECT op FROM journal"))
    counted = int(db.execute("SELECT coalesce(sum(count), 0) FROM counters").fetchone()[0])
    db.close()
    found = {
        "kept": sum(effect[1] in notes for effect in said if effect[0] in ("note", "decision")),
        "checkpoints": sum(effect[1] in episodes for effect in said if effect[0] == "checkpoint"),
        "edited": sum(notes[effect[1]][0] == effect[2] for effect in said if effect[0] == "edit"),
        "undone": sum(notes[effect[1]][1] == "undone" for effect in said if effect[0] == "undo"),
        "changed": sum(min(ops[op], done[op]) for op in ("pin", "retire")),
        # each tally learned the shared note once more and counted it once
        "seen": min(int(seen[0]) - done["tally"], done["again"]),
        "counted": min(counted, done["tally"]),
    }
    return sum(found.values())


def integrity(path: str) -> str:
    db = sqlite3.connect(path)
    answer = str(db.execute("PRAGMA integrity_check").fetchone()[0])
    db.close()
    return answer


if __name__ == "__main__":
    main()
