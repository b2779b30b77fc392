"""The older systems read what we write: each of their rules, as far as the file depends on it."""

import json
import re

from tests.core.builders import NOW, a_note, an_id
from tests.interop.formats.noting import items_in

from twiceshy.core.evidence import Episode
from twiceshy.interop.formats import (
    FileContext,
    join_pieces,
)
from twiceshy.interop.formats.engine_notes import ENGINE_PITFALL
from twiceshy.interop.formats.fireworks import FIREWORKS_KNOWLEDGE
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS
from twiceshy.interop.formats.keeper_sessions import KEEPER_SESSION
from twiceshy.interop.formats.lists import ENGINE_TODO

ABOUT = FileContext("demo", "release", NOW, "")


def test_fireworks_finds_month_and_count_and_may_count_again() -> None:
    notes = [a_note("Lock first", tag="uv", sightings=4, why="it is rewritten")]
    text = join_pieces(FIREWORKS_KNOWLEDGE.render_items(notes, ABOUT))

    (entry,) = [line.strip() for line in text.splitlines() if line.strip().startswith("- ")]
    assert re.findall(r"\[(\d{4}-\d\d)\]", entry) == ["2026-11"]
    assert re.findall(r"\[HIT:(\d+)\]", entry) == ["4"]

    counted = re.sub(r"\s*\[HIT:\d+\]", "", entry) + "  [HIT:5]"
    (item,) = items_in(FIREWORKS_KNOWLEDGE.parse_text(text.replace(entry, counted), ABOUT))
    assert item.key == notes[0].id
    assert item.sightings == 5
    assert item.draft is not None
    assert (item.draft.text, item.draft.tag) == ("Lock first", "uv")


def test_keeper_finds_every_fact_of_a_session_by_its_line() -> None:
    notes = [
        a_note("SQLite", kind="decision", subtype="technology", why="one file", files=("a.py",)),
        a_note("Cents", kind="pattern", subtype="convention", id=an_id(2)),
        a_note("It jumps", kind="issue", subtype="bugfix", id=an_id(3), concepts=("shop",)),
    ]
    text = join_pieces(KEEPER_SESSION.render_items(notes, ABOUT))

    assert re.findall(r"(?m)^- \[([\w-]+)\] ([^:\n]+): (.+)$", text) == [
        ("technology", "SQLite", "one file"),
        ("bugfix", "It jumps", "open"),
    ]
    assert re.findall(r"(?m)^- \[([\w-]+)\] ([^:\n]+)$", text) == [("convention", "Cents")]
    assert re.findall(r"(?m)^  - (\w+): (.+)$", text) == [("files", "a.py"), ("concepts", "shop")]


def test_keeper_takes_nothing_of_a_summary_for_a_fact() -> None:
    said = "We talked.\n## Decisions\n- [other] MySQL: no\n# Also\n### Issues\n- [bugfix] x: open"
    episode = Episode("e1", "note", "", "demo", NOW, NOW, title="We talked.", summary=said)
    decision = a_note("SQLite", kind="decision", subtype="technology", why="one file")
    text = join_pieces(KEEPER_SESSION.render_items([episode, decision], ABOUT))

    def section(name: str) -> str:
        return text.partition(f"## {name}")[2].partition("##")[0]

    assert re.findall(r"(?m)^- \[([\w-]+)\] ([^:\n]+): (.+)$", section("Decisions")) == [
        ("technology", "SQLite", "one file")
    ]
    assert section("Issues").strip() == ""
    (summary, _) = items_in(KEEPER_SESSION.parse_text(text, ABOUT))
    assert summary.episode is not None
    assert summary.episode.summary == said


def test_keeper_finds_ids_of_its_own_kind_in_facts() -> None:
    notes = [a_note(f"n{n}", kind="issue", id=an_id(n), concepts=("Shop",)) for n in (1, 2)]

    told = json.loads(join_pieces(KEEPER_FACTS.render_items(notes, ABOUT)))

    assert [one["id"] for one in told["issues"]] == ["i001", "i002"]
    assert told["concepts"] == {"shop": ["i001", "i002"]}
    assert told["_meta"]["counter"] == 0


def test_memory_engine_counts_boxes_and_kinds_of_pitfalls() -> None:
    tasks = [
        a_note("buy paper", kind="task", subtype="", state="open"),
        a_note("sell prints", kind="task", subtype="", state="done", id=an_id(2)),
    ]
    pitfalls = [a_note(f"p{n}", subtype="pitfall", id=an_id(n)) for n in (3, 4)]

    boxes = join_pieces(ENGINE_TODO.render_items(tasks, ABOUT))
    record = join_pieces(ENGINE_PITFALL.render_items(pitfalls, ABOUT))

    assert (boxes.count("- [ ] "), boxes.count("- [x] ")) == (1, 1)
    assert re.findall(r"(?m)^### (.+)$", record) == ["error-then-fix", "error-then-fix"]
