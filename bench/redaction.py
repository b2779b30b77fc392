"""What the gate lets through, what it mangles, and what it costs.

    python -m bench.redaction [--transcripts FILE_OR_FOLDER] [--seeds 3]

Times are CPU times, given as ratios so that they mean the same on any machine: to a plain pass over the
same text (``str.count``), and between a text and one twice as long. Transcripts are ``*.jsonl.gz``, one
session a line, whose events carry ``text`` or, for calls, ``in``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tests.safety.benign_corpus import documents
from tests.safety.redact_corpus import TURNS, recognisable, surrounded, survivors

from twiceshy.safety.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Repeated, these are the worst that could be thought of for one rule or another.
HOSTILE = (
    "a", "=", " ", "\n", "\\", "\\n", "\x1b[", "[31m", "é", "<private>", "<private", "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----", "eyJ", "-eyJ", "AKIA", "password=", "password is ", "api key: ",
    "token='", 'token="', "--password ", "密码是", "key", "authorization: ", "Bearer ", "cookie: a=",
    "curl -u ", "mysql -p", "datadog key ", "zip -P", "://", "://a:b", "sk-ant-a", "ghp_a",
    "aB3dE6gH9jK2mN5pQ8sT ", "[REDACTED:", "[REDACTED:jwt]",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--transcripts", help="a *.jsonl.gz file, or a folder of them")
    parser.add_argument("--seeds", type=int, default=3, help="how often to draw all secrets anew")
    given = parser.parse_args()
    leaks(given.seeds)
    mangled(given.seeds)
    costs()
    growth()
    if given.transcripts:
        changed(given.transcripts)


def leaks(seeds: int) -> None:
    """Count the texts in which eight characters of a secret can still be read."""
    texts = leaked = 0
    for turn in TURNS:
        for sample in (sample for seed in range(seeds) for sample in recognisable(turn, seed)):
            seen = redact(turn(sample.before, sample.secret, sample.after))
            texts += 1
            leaked += any(True for _ in survivors(sample.secret, seen))
    print(f"leaks            {leaked} of {texts} texts with a secret")


def mangled(seeds: int) -> None:
    """Count the ordinary documents that do not come through as they were."""
    texts = [text for seed in range(seeds) for text in documents(seed)]
    wrong = sum(redact(text) != text for text in texts)
    print(f"false positives  {wrong} of {len(texts)} ordinary documents")


def costs() -> None:
    """Compare the gate with a plain pass, where nothing and where something is found."""
    prose = "The quick brown fox jumps over the lazy dog, and nobody minds. "
    lines = "\n".join(document for document in documents() if len(document) > 200)
    secret = "\n".join(sample.text for sample in surrounded())
    print("cost             text           kB    ms  against a plain pass")
    for name, text in (("nothing to find", prose), ("code and logs", lines), ("secrets", secret)):
        for size in (4_000, 64_000):
            sample = (text * (size // len(text) + 1))[:size]
            gate, plain = fastest(partial(redact, sample)), fastest(partial(sample.count, "x"))
            print(
                f"                 {name:<15} {size // 1000:>3} {gate * 1000:5.1f}  {gate / plain:.0f}x"
            )


def growth() -> None:
    """Print how much longer a hostile text takes that is twice as long: 2 is linear, 4 is not."""
    ratios = []
    for unit in HOSTILE:
        texts = [(unit * (size // len(unit) + 1))[:size] for size in (100_000, 200_000)]
        once, twice = (fastest(partial(redact, text)) for text in texts)
        ratios.append((twice / once, twice, unit))
    print(f"growth           {len(ratios)} hostile texts of 100 and 200 kB, the steepest:")
    for ratio, seconds, unit in sorted(ratios, reverse=True)[:5]:
        print(f"                 {ratio:.1f}x  {seconds * 1000:6.0f} ms  {unit!r}")


def changed(place: str) -> None:
    """Print what share of the events in real transcripts the gate changes."""
    events = different = 0
    for text in spoken(place):
        events += 1
        different += redact(text) != text
    print(f"transcripts      {different} of {events} events changed ({different / events:.3%})")


def spoken(place: str) -> Iterator[str]:
    folder = os.path.isdir(place)
    names = sorted(os.listdir(place)) if folder else [place]
    for name in names:
        if not name.endswith(".jsonl.gz"):
            continue
        with gzip.open(
            os.path.join(place, name) if folder else name, "rt", encoding="utf-8"
        ) as file:
            for line in file:
                for event in json.loads(line)["events"]:
                    yield event.get("text") or json.dumps(event.get("in", ""), ensure_ascii=False)


def fastest(run: Callable[[], object], rounds: int = 5) -> float:
    def once() -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    return min(once() for _ in range(rounds))


if __name__ == "__main__":
    main()
