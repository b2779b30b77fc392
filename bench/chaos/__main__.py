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

# each is a module beside this one, with ``run(dice, rounds) -> Outcome`` and ``ROUNDS``
RUNS = {
    "storm": "hooks and commands at once, 8 at a time; every acknowledged write is looked for",
    "faults": "hooks and commands killed, out of space or ended at each of their file operations",
    "damage": "bytes of each file of a memory home flipped, cut, zeroed and deleted",
    "fuzz": "mutated payloads of all runtimes",
    "sync": "two devices, random changes, syncs killed at random moments; both must agree",
}
_SHOWN = 20  # bad lines of one run


def main(arguments: list[str] | None = None) -> int:
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
        print(f"# {name}: {RUNS[name]}", flush=True)
        module = import_module(f"bench.chaos.{name}")
        began = time.perf_counter()
        outcome = module.run(random.Random(given.seed), given.rounds or module.ROUNDS)
        print(f"{outcome.render_row()}   {time.perf_counter() - began:.0f} s", flush=True)
        for line in outcome.bad[:_SHOWN]:
            print(f"  bad: {line}")
        bad += len(outcome.bad)
    print(f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
