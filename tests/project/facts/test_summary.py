"""facts.json is made of notes: each has a number of its own, and its index names none that is gone."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS
from twiceshy.project.facts.items import summarise_facts

DECISION = a_note(
    "Postgres over MySQL",
    id=an_id(2),
    kind="decision",
    subtype="technology",
    why="partial indexes",
    files=("db/schema.sql",),
    concepts=("storage",),
)
PATTERN = a_note("Errors carry a hint", id=an_id(3), kind="pattern", origin_session="")
ISSUE = a_note(
    "Login fails", id=an_id(1), kind="issue", subtype="bugfix", concepts=("auth", "storage")
)


def as_read(notes: list[Note]) -> Any:
    return json.loads(join_pieces(KEEPER_FACTS.render_items(notes, FileContext("demo"))))


def numbers(written: Any) -> dict[str, str]:
    facts = [fact for name in ("decisions", "patterns", "issues") for fact in written[name]]
    return {fact["note"]: fact["id"] for fact in facts}


def test_the_file_has_the_shape_that_readers_of_facts_expect() -> None:
    written = as_read([DECISION, PATTERN, ISSUE.but(learned_at=NOW + DAY)])

    assert written == {
        "_meta": {"counter": 0, "lastSave": "2026-11-03T00:00:00.000Z"},
        "decisions": [
            {
                "id": "d001",
                "type": "technology",
                "date": "2026-11-02",
                "content": "Postgres over MySQL",
                "reason": "partial indexes",
                "files": ["db/schema.sql"],
                "concepts": ["storage"],
                "session": "session-1",
                "note": DECISION.id,
            }
        ],
        "patterns": [
            {
                "id": "p001",
                "type": "other",
                "date": "2026-11-02",
                "content": "Errors carry a hint",
                "note": PATTERN.id,
            }
        ],
        "issues": [
            {
                "id": "i001",
                "type": "bugfix",
                "date": "2026-11-03",
                "content": "Login fails",
                "status": "open",
                "concepts": ["auth", "storage"],
                "session": "session-1",
                "note": ISSUE.id,
            }
        ],
        "concepts": {"storage": ["d001", "i001"], "auth": ["i001"]},
    }


def test_without_notes_there_is_nothing_and_nothing_was_saved() -> None:
    empty: dict[str, object] = {"decisions": [], "patterns": [], "issues": [], "concepts": {}}

    assert as_read([]) == {"_meta": {"counter": 0, "lastSave": None}, **empty}


def test_an_issue_says_how_it_was_resolved() -> None:
    (issue,) = as_read([ISSUE.but(state="resolved", why="a new cookie")])["issues"]

    assert (issue["status"], issue["resolution"]) == ("resolved", "a new cookie")


@given(
    st.lists(st.sampled_from(["decision", "pattern", "issue"]), max_size=9),
    st.sets(st.integers(min_value=0, max_value=8)),
)
def test_k5_k6_numbers_stay_when_others_go_and_the_index_names_only_what_is_there(
    kinds: list[str], gone: set[int]
) -> None:
    notes = [
        a_note(f"n{n}", id=an_id(n), kind=kind, written_at=NOW + n, concepts=(kind,))
        for n, kind in enumerate(kinds)
    ]
    left = [note.but(status="retired") if n in gone else note for n, note in enumerate(notes)]

    before, after = numbers(as_read(notes)), numbers(as_read(left))

    assert len(set(before.values())) == len(notes)
    assert after == {note.id: before[note.id] for note in left if note.status == "active"}
    index = as_read(left)["concepts"]
    assert {one for named in index.values() for one in named} == set(after.values())


def test_the_summary_counts_types_and_open_issues_and_names_concepts() -> None:
    resolved = ISSUE.but(id=an_id(4), state="resolved", subtype="security")

    told = summarise_facts([DECISION, PATTERN, ISSUE, resolved])

    assert told == [
        "decisions: 1 (1 technology)",
        "patterns: 1 (1 other)",
        "issues: 2 (1 bugfix, 1 security)",
        "open issues: 1",
        "concepts: storage, auth",
    ]


def test_the_summary_names_ten_concepts_at_most() -> None:
    many = a_note("Many", kind="pattern", concepts=tuple(f"c{n:02}" for n in range(20)))

    assert summarise_facts([many])[-1] == "concepts: " + ", ".join(f"c{n:02}" for n in range(10))
