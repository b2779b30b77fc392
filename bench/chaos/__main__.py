"""Does random trouble break a promise? Kills, full disks, damaged files, nonsense, crowds.

    python -m bench.chaos [NAME ...] [--rounds N] [--seed S]

Each run starts real hooks and commands in a private memory home, and prints one row: the number of
bad ones, and its counts. A bad one is a lost note or record, an unsound store, or a hook or command
that does not end as it must. The exit code is 1 if any run has a bad one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.chaos.outcome import Outcome


class ChaosRun(NamedTuple):
    """What a run does, and how many rounds of it take about a minute."""

    about: str
    rounds: int


# each is a module beside this one, with ``run(dice, rounds) -> Outcome``
RUNS = {
    "storm": ChaosRun(
        "hooks and commands, 8 at a time; each acknowledged write is looked for", 300
    ),
    "faults": ChaosRun(
        "processes killed; each of their file operations fails, or is the last", 120
    ),
    "damage": ChaosRun("bytes of each file of a memory home flipped, cut, zeroed and deleted", 1),
    "fuzz": ChaosRun("mutated payloads of all runtimes", 4_000),
    "load": ChaosRun("hooks beside busy processes, guards beside a slow git", 20),
    "sync": ChaosRun("two devices, syncs killed at random moments; both must agree", 150),
}
_SHOWN = 20  # bad lines of one run


def load_run(name: str) -> Callable[[random.Random, int], Outcome]:
    """Return the function of a run."""
    run: Callable[[random.Random, int], Outcome] = import_module(f"bench.chaos.{name}").run
    return run


def main(
    arguments: list[str] | None = None,
    *,
    load: Callable[[str], Callable[[random.Random, int], Outcome]] = load_run,
) -> int:
    """Do the named runs, and print their outcomes; return the exit code."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(RUNS)}")
    parser.add_argument("--rounds", type=int, help="default: each run has its own number")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(RUNS):
        parser.error(f"there is no run {', '.join(sorted(unknown))}")
    bad = 0
    for name in given.names or RUNS:
        about, rounds = RUNS[name]
        print(f"# {name}: {about}", flush=True)
        began = time.perf_counter()
        outcome = load(name)(random.Random(given.seed), given.rounds or rounds)
        print(f"{outcome.render_row()}   {time.perf_counter() - began:.0f} s", flush=True)
        for line in outcome.bad[:_SHOWN]:
            print(f"  bad: {line}")
        bad += len(outcome.bad)
    print(f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
