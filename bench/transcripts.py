"""What it takes to learn from a long transcript: speed, memory, what is kept, and what a second run costs.

    python -m bench.transcripts [--megabytes 100] [--seed 1]

The transcript is made up on the fly: calls that work, mistakes that are put right or not, long output,
lines that tell nothing. Each run is a process of its own, as a user starts it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from typing import TYPE_CHECKING

from twiceshy.core.moment import format_stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

SESSION = "00000000-0000-4000-8000-00000000beef"
BEGIN = 1_793_606_400_000
MISTAKES = (
    ("gh pr diff --stat", "unknown flag: --stat", "gh pr diff --name-only"),
    ("rtk bun run test", "error: unrecognized subcommand 'bun'", "bun run test"),
    ("cat deploy/values.yml", "cat: deploy/values.yml: No such file or directory", ""),
    ("npm test", "FAIL src/a.test.ts\nTests: 1 failed, 80 passed", "npm test"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{SESSION}.jsonl")
        calls = write(path, given.megabytes, random.Random(given.seed))
        size = os.path.getsize(path) / 1e6
        print(f"transcript: {size:,.0f} MB, {calls:,} calls")
        for name in ("first", "second"):
            seconds, learned = run(folder, path)
            rate = f"{size / seconds:,.1f} MB/s" if learned["files"] else "nothing to do"
            print(f"{name} run: {seconds:,.2f} s, {rate}; {learned}")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory: {peak:,.0f} MB")
        print(f"kept of it: {kept(folder)}")


def write(path: str, megabytes: float, rng: random.Random) -> int:
    """Write a transcript of about this size; return how many calls are in it."""
    number = 0
    with open(path, "w", encoding="utf-8") as file:
        while file.tell() < megabytes * 1e6:
            number += 1
            for record in turn(number, rng):
                file.write(json.dumps(record, separators=(",", ":")) + "\n")
    return number


def turn(number: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """Yield the records of one call; one in ten is a mistake, and every other has much to say."""
    at = BEGIN + number * 1_000
    wrong, error, right = rng.choice(MISTAKES)
    lot = rng.random()
    command, result, failed = f"ls part-{rng.randrange(500)}x", "line of output\n" * 200, False
    if lot < 0.1:
        command, result, failed = wrong, error, True
    elif lot < 0.15 and right:
        command = right
    if number % 500 == 0:
        yield record("user", number, at, "No, always use pnpm, never npm.", "said")
    yield {"type": "progress", "uuid": f"p{number}", "content": "x" * 1_000}
    use = {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash"}
    yield record("assistant", number, at, [{**use, "input": {"command": command}}], "call")
    back = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": result}
    yield record("user", number, at + 500, [{**back, "is_error": failed}], "back")


def record(kind: str, number: int, at: int, content: object, name: str) -> dict[str, object]:
    return {
        "type": kind,
        "uuid": f"{name}-{number}",
        "sessionId": SESSION,
        "cwd": "/home/u/shop",
        "timestamp": format_stamp(at),
        "message": {"role": kind, "content": content},
    }


def run(folder: str, path: str) -> tuple[float, dict[str, int]]:
    """Learn from the transcript as a user would; return the seconds it took, and what it says."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("TWICESHY_")}
    environment = {**ours, "HOME": folder, "TWICESHY_HOME": os.path.join(folder, "home")}
    command = [sys.executable, "-m", "twiceshy", "distill", "--transcript", path, "--json"]
    begun = time.monotonic()
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told: dict[str, int] = json.loads(ran.stdout)
    return time.monotonic() - begun, told


def kept(folder: str) -> str:
    """Say how much the store holds of the transcript."""
    path = os.path.join(folder, "home", "twiceshy.db")
    with closing(sqlite3.connect(path)) as db:
        (state,) = db.execute("SELECT max(length(state)) FROM transcript_progress").fetchone()
        (notes,) = db.execute("SELECT count(*) FROM notes").fetchone()
        (signals,) = db.execute("SELECT count(*) FROM signals").fetchone()
    size = os.path.getsize(path) / 1e6
    return f"{notes} notes, {signals:,} signals, a state of {state:,} characters; {size:,.1f} MB in all"


if __name__ == "__main__":
    main()
