"""Which notes are retired, asked about or counted again when a second note is written.

    python -m bench.supersession [--pairs FILE] [--half even|odd|all] [--json]
    python -m bench.supersession --notes FILE.jsonl.gz

``bench/sets/supersession_test.jsonl`` holds pairs of notes, an older and a newer, that one writer wrote
and another labelled without seeing the kind: the newer "replaces" the older, both hold ("keeps"), they
are the "same", or nobody could say ("unsure"). Nothing was chosen on them; ``bench.supersession_fit``
uses others. Each pair is written into a store of its own, in the order of time, as a person writes
notes. Then all older notes are written into one store, and all newer notes after them: which notes are
retired there, or asked about, because of another note than their partner? The group "swap" has the pairs
that exchange two things and were not labelled "same": none should be seen again. Intervals are Wilson's,
of 95 %. ``supersession_narrow.jsonl`` has orders with exceptions, places and parts that leave the order in
force, and plain replacements, in five languages, and exchanged things in eight: rules were chosen on its
odd lines, counted from zero, and figures come from ``--half even``. With ``--notes``, foreign notes that all hold are written into one store: how many retire
another one, or are asked about?
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tests.store.support import a_store, app_of

from twiceshy.core.admit import Admitted, SeenAgain, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value
from twiceshy.core.worth import NINETY_FIVE, wilson_bounds
from twiceshy.notes.write import write_draft
from twiceshy.store.connect import COMMAND_PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.notes.write import Outcome
    from twiceshy.store.command_store import WholeStore

PAIRS = os.path.join(os.path.dirname(__file__), "sets", "supersession_test.jsonl")
HALVES = {"even": (0,), "odd": (1,), "all": (0, 1)}
LABELS = ("replaces", "keeps", "same", "unsure")
OUTCOMES = ("superseded", "asked", "seen", "kept")
_SCOPE = Scope("pairs")


class NotePair(Value):
    """An older and a newer note, why they were written, and what a second person says of them."""

    id: str
    lang: str
    kind: str
    old: str
    new: str
    label: str


class SupersessionRow(Value):
    """What became of the pairs of one language and label."""

    lang: str
    label: str
    pairs: int
    superseded: int
    asked: int
    seen: int
    kept: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--pairs", default=PAIRS, metavar="FILE")
    parser.add_argument(
        "--notes", metavar="FILE", help="foreign notes that all hold, as JSON lines"
    )
    parser.add_argument("--most", type=int, default=1000, help="foreign notes at most")
    parser.add_argument("--half", choices=HALVES, default="all", help="lines, counted from zero")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.notes:
        texts = read_texts(given.notes, most=given.most)
        retired, asked = write_all(texts)
        print(f"of {len(texts)} notes {retired} retired another one, {asked} are asked about")
        return
    pairs = read_pairs(given.pairs, half=given.half)
    swapped = [pair for pair in pairs if pair.kind == "swap" and pair.label != "same"]
    rows = [*measure(pairs), *measure(swapped, name="swap")]
    strangers = count_strangers(pairs)
    if given.json:
        print(json.dumps([row.fields() for row in rows] + [{"strangers": strangers}], indent=1))
        return
    print(f"{'':<6}{'label':<10}{'pairs':>6}" + "".join(f"{name:>24}" for name in OUTCOMES))
    for row in rows:
        shares = "".join(_format_share(row, outcome) for outcome in OUTCOMES)
        print(f"{row.lang:<6}{row.label:<10}{row.pairs:>6}{shares}")
    print("in one store, because of another note than their partner:")
    for lang, (retired, asked, notes) in strangers.items():
        print(f"{lang:<6}{retired:>6} retired, {asked} asked about, of {notes} newer notes")


def read_pairs(file: str, *, half: str = "all") -> list[NotePair]:
    """Read the labelled pairs of a file, or those in every second line."""
    with open(file, encoding="utf-8") as lines:
        return [
            NotePair.of(json.loads(line))
            for number, line in enumerate(lines)
            if number % 2 in HALVES[half]
        ]


def read_texts(file: str, *, most: int) -> list[str]:
    """Read the first sentences of evenly spaced texts of a compressed file: pages are never judged."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        sentences = [_find_sentence(json.loads(line)["text"]) for line in lines]
    texts = list(dict.fromkeys(filter(None, sentences)))
    return texts[:: max(1, len(texts) // most)][:most]


def _find_sentence(page: str) -> str:
    """Return the first sentence of a page that is no heading, in one line."""
    lines = (line.lstrip("> ") for line in page.splitlines() if not line.startswith("#"))
    paragraph = " ".join("\n".join(lines).strip().partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s|(?<=[。！？])", paragraph, maxsplit=1)[0].strip()


def write_all(texts: Sequence[str]) -> tuple[int, int]:
    """Write notes into one store; count those that retired another one, and those asked about."""
    retired = asked = 0
    with tempfile.TemporaryDirectory() as folder, closing(_open_store(Path(folder))) as store:
        for text in texts:
            outcome = _write_note(store, text)
            retired += isinstance(outcome, Superseding)
            asked += isinstance(outcome, Admitted) and bool(outcome.note.replaced_id)
    return retired, asked


def measure(pairs: Sequence[NotePair], *, name: str = "") -> list[SupersessionRow]:
    """Write each pair through the product; ``name`` is that of a group of all labels."""
    found: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, pair in enumerate(pairs):
            outcome = write_pair(Path(folder, str(number)), pair)
            found[pair.lang, name or pair.label, outcome] += 1
    rows = []
    for lang in dict.fromkeys(pair.lang for pair in pairs):
        for label in (name,) if name else LABELS:
            counts = {outcome: found[lang, label, outcome] for outcome in OUTCOMES}
            if total := sum(counts.values()):
                rows.append(SupersessionRow(lang, label, total, **counts))
    return rows


def write_pair(home: Path, pair: NotePair) -> str:
    """Write a pair into a new store; return what became of the older note."""
    with closing(_open_store(home)) as store:
        _write_note(store, pair.old)
        outcome = _write_note(store, pair.new)
    if isinstance(outcome, Superseding):
        return "superseded"
    if isinstance(outcome, SeenAgain):
        return "seen"
    assert isinstance(outcome, Admitted), outcome
    return "asked" if outcome.note.replaced_id else "kept"


def count_strangers(pairs: Sequence[NotePair]) -> dict[str, tuple[int, int, int]]:
    """Count newer notes that retired, or are asked to replace, another note than their partner."""
    found = {}
    for lang in dict.fromkeys(pair.lang for pair in pairs):
        some = [pair for pair in pairs if pair.lang == lang]
        with tempfile.TemporaryDirectory() as folder:
            found[lang] = *_write_together(Path(folder, "all"), some), len(some)
    return found


def _write_together(home: Path, pairs: Sequence[NotePair]) -> tuple[int, int]:
    retired = asked = 0
    with closing(_open_store(home)) as store:
        for pair in pairs:
            _write_note(store, pair.old)
        for pair in pairs:
            outcome = _write_note(store, pair.new)
            if isinstance(outcome, Superseding):
                retired += outcome.old.text != pair.old
            elif isinstance(outcome, Admitted) and (asked_about := outcome.note.replaced_id):
                older = store.note(asked_about)
                asked += older is not None and older.text != pair.old
    return retired, asked


def _open_store(home: Path) -> WholeStore:
    # what a benchmark loses in a power cut it may lose
    return a_store(home, patience=COMMAND_PATIENCE.but(synchronous="OFF"))


def _write_note(store: WholeStore, text: str) -> Outcome:
    return write_draft(app_of(store), Draft("lesson", text, _SCOPE, "user"))


def _format_share(row: SupersessionRow, outcome: str) -> str:
    hits = getattr(row, outcome)
    low, high = wilson_bounds(hits, row.pairs, NINETY_FIVE)
    return f"{hits:>6} {hits / row.pairs:6.1%} ({low:.0%}-{high:.0%})".rjust(24)


if __name__ == "__main__":
    main()
