"""Long prompts: a question of our own set hidden at the begin, in the middle or at the end of real text.

    python -m bench.retrieval_long TRANSCRIPTS [--words 300] [--half even] [--json]

TRANSCRIPTS is a folder of `*.jsonl.gz` with recorded sessions; what people and agents wrote there is the
text around the questions. Prompts that no lesson is about, and the text alone, count as false when told.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import random
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

from bench.retrieval_baselines import porter_or
from bench.retrieval_ours import ours
from bench.retrieval_sets import half, lines, own

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.retrieval_sets import Query

PLACES = ("begin", "middle", "end")
GROUPS = ("identifier", "error", "direct", "paraphrase")  # with enough words to be found by
_AMONG = 5
_SHORT = 8  # words; what is shorter is a "yes" or an "ok", no text


class LongRow(Value):
    """How often the lesson is found and told for one kind of prompt; shares of one."""

    place: str
    group: str
    prompts: int
    plain: float  # found among five by SQLite's full text alone
    found: float  # found among five by our search
    told: float  # anything told
    right: float  # the lesson told
    ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("transcripts", help="folder with *.jsonl.gz")
    parser.add_argument("--words", type=int, default=300, help="of the text around a question")
    parser.add_argument("--half", choices=("even", "odd", "all"), default="even")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = measure(given.transcripts, given.words, given.half, random.Random(given.seed))
    if given.json:
        print(json.dumps([row.fields() for row in rows], indent=1))
        return
    print(
        f"{'question':<10}{'group':<12}{'n':>5}{'FTS5 OR':>9}{'found':>7}{'told':>7}{'right':>7}{'ms':>8}"
    )
    for row in rows:
        shares = "".join(f"{share:7.1%}" for share in (row.found, row.told, row.right))
        print(
            f"{row.place:<10}{row.group:<12}{row.prompts:>5}{row.plain:9.1%}{shares}{row.ms:>8.2f}"
        )


def measure(path: str, words: int, which: str, rng: random.Random) -> list[LongRow]:
    """Ask every prompt at every place, prompts without a lesson, and text without any question."""
    (stack,) = half(own(), which).haystacks
    text = read_text(path)
    plain = porter_or(stack.docs)
    rows = []
    with tempfile.TemporaryDirectory() as folder, ours(stack.docs, folder) as product:
        for place in (*PLACES, "alone", "none"):
            for group in (*GROUPS, "negative"):
                asked = [query for query in stack.queries if query.group == group]
                if place == "none" and group != "negative":
                    continue
                first, told, found, spent = [], [], [], []
                for query in asked:
                    prompt = hide(query, place, cut(text, words, rng))
                    first.append(bool(set(plain(prompt)[:_AMONG]) & set(query.rel)))
                    begin = time.process_time()
                    notes = product.tell(prompt)
                    spent.append((time.process_time() - begin) * 1000)
                    told.append((bool(notes), bool(set(notes) & set(query.rel))))
                    found.append(bool(set(product.find(prompt)[:_AMONG]) & set(query.rel)))
                rows.append(
                    LongRow(
                        place,
                        group,
                        len(asked),
                        _share(first),
                        _share(found),
                        _share([some for some, _ in told]),
                        _share([right for _, right in told]),
                        statistics.median(spent),
                    )
                )
    return rows


def hide(query: Query, place: str, text: Sequence[str]) -> str:
    """Put a question into a text; ``alone`` leaves the text out, ``none`` the question."""
    middle = len(text) // 2
    parts = {
        "begin": [query.text, *text],
        "middle": [*text[:middle], query.text, *text[middle:]],
        "end": [*text, query.text],
        "alone": [query.text],
        "none": text,
    }
    return "\n".join(parts[place])


def cut(text: Sequence[str], words: int, rng: random.Random) -> list[str]:
    """Return paragraphs that follow each other, together about this many words."""
    at = rng.randrange(len(text))
    kept: list[str] = []
    while words > 0:
        some = text[at % len(text)].split(" ")[:words]
        kept.append(" ".join(some))
        words -= len(some)
        at += 1
    return kept


def read_text(path: str) -> list[str]:
    """Return the paragraphs that people and agents wrote in recorded sessions."""
    found = sorted(glob.glob(os.path.join(path, "*.jsonl.gz")))
    if not found:
        raise ConfigError(f"no transcripts in {path}", hint="name a folder with *.jsonl.gz")
    return [
        paragraph
        for file in found
        for session in lines(file)
        for event in session["events"]
        if event["k"] in ("user", "asst")
        for paragraph in event["text"].split("\n")
        if len(paragraph.split(" ")) >= _SHORT
    ]


def _share(many: Sequence[bool]) -> float:
    return sum(many) / max(1, len(many))


if __name__ == "__main__":
    main()
