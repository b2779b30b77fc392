"""Feed every parser with mutated samples: it may refuse with our own errors, and end soon.

    python -m bench.parsers [NAME ...] [--rounds N] [--seed S] [--slow SECONDS]

Each parser gets N inputs. A bad one raises an error of Python, breaks what the parser promises
(pieces that join, redaction that is stable), or takes longer than SLOW seconds of processor time.
The bad inputs are printed, the shortest first; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from typing import NamedTuple

from bench.parsers.mutate import mutate
from bench.parsers.targets import ParserTarget, list_targets

from twiceshy.core.errors import TwiceshyError

_SHOWN = 3  # bad inputs of a parser


class ParserRun(NamedTuple):
    """How often a parser accepted, refused and failed."""

    name: str
    accepted: int
    refused: int
    bad: list[tuple[str, bytes]]  # why, input


def feed_parser(
    target: ParserTarget, dice: random.Random, rounds: int, *, slow: float = 0
) -> ParserRun:
    """Feed one parser with mutated samples; ``slow`` is a limit in seconds, 0 for none."""
    counts = {True: 0, False: 0}
    bad: list[tuple[str, bytes]] = []
    for _ in range(rounds):
        raw = mutate(target.seeds, dice)
        begun = time.process_time()
        try:
            target.parse(raw)
            counts[True] += 1
        except TwiceshyError:
            counts[False] += 1
        except Exception as error:  # noqa: BLE001 - what is looked for
            bad.append((describe_error(error), raw))
        if slow and (took := time.process_time() - begun) > slow:
            bad.append((f"took {took:.1f} s", raw))
    return ParserRun(target.name, counts[True], counts[False], bad)


def describe_error(error: Exception) -> str:
    """Name an error and the place where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:80]} ({last.filename.rpartition('/')[2]}:{last.lineno})"


def main(arguments: list[str] | None = None) -> int:
    """Feed the named parsers, and print a line for each."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="parsers; all without a name")
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=2.0)
    asked = parser.parse_args(arguments)
    dice = random.Random(asked.seed)
    total, failed = 0, 0
    for target in list_targets():
        if asked.names and not any(name in target.name for name in asked.names):
            continue
        ran = feed_parser(target, dice, asked.rounds, slow=asked.slow)
        total, failed = total + asked.rounds, failed + len(ran.bad)
        _print_run(ran)
    sys.stdout.write(f"{total:,} inputs, {failed:,} bad\n")
    return 1 if failed else 0


def _print_run(ran: ParserRun) -> None:
    sys.stdout.write(
        f"{ran.name:28} accepted {ran.accepted:9,}  refused {ran.refused:9,}  bad {len(ran.bad):6,}\n"
    )
    reasons: dict[str, bytes] = {}
    for why, raw in sorted(ran.bad, key=lambda each: len(each[1])):
        reasons.setdefault(why, raw)
    for why, raw in list(reasons.items())[:_SHOWN]:
        sys.stdout.write(f"    {why}\n    {json.dumps(raw.decode('latin-1'))[:400]}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
