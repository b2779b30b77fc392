"""A rule is shown when the user approved it, word for word, on this device; whatever the file says."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection
from sqlite3 import Error as SqliteError
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.approving import approve, device_key
from tests.requirements import requirement
from tests.store.support import a_store, app_of, learn, raw

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.notes.edit import retire_note
from twiceshy.notes.review import accept_as_is
from twiceshy.notes.write import NoteLimits, change_note
from twiceshy.recall.brief import BriefBudget, RecallResult
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.recall.rules import list_binding_rules
from twiceshy.recall.session_start import brief_session_start, brief_subagent_rules
from twiceshy.store.command_store import WholeStore

HERE = Scope("demo")
IN_RELEASE = Scope("demo", "release")
ROOMY = BriefBudget(tokens=2_000, notes=20)


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened:
        yield opened


def a_rule(store: WholeStore, text: str = "Never push to main.", **fields: Any) -> Note:
    return learn(store, text, **{"kind": "rule", "scope": HERE, **fields})


def shown(store: WholeStore, key: bytes) -> list[Note]:
    """Return every rule that any channel shows in the demo project."""
    briefs = [
        brief_session_start(store, HERE, budget=ROOMY, key=lambda: key),
        brief_subagent_rules(store, HERE, budget=ROOMY, key=lambda: key),
        *(
            recall_notes(store, scope, intent, budget=ROOMY, key=lambda: key)
            for scope in (HERE, IN_RELEASE)
            for intent in ("", "push to main, rules")
        ),
    ]
    told = [note for brief in briefs for note in (*brief.brief.notes, *_considered(brief))]
    bound = [note for note, _ in list_binding_rules(store, IN_RELEASE, lambda: key)]
    return [note for note in (*told, *bound) if note.kind == "rule"]


def _considered(recalled: RecallResult) -> list[Note]:
    return [one.note for one in recalled.ranked]


def test_an_approved_rule_is_shown_in_every_channel(store: WholeStore) -> None:
    rule = approve(store, a_rule(store))
    skills = approve(store, a_rule(store, "Tag last.", scope=IN_RELEASE))
    key = device_key(store)

    assert {note.id for note in shown(store, key)} == {rule.id, skills.id}
    assert rule.text in brief_session_start(store, HERE, budget=ROOMY, key=lambda: key).brief.text
    assert (
        skills.text
        in recall_notes(store, IN_RELEASE, "", budget=ROOMY, key=lambda: key).brief.text
    )


def test_a_rule_that_nobody_approved_is_shown_in_none(store: WholeStore) -> None:
    a_rule(store)
    a_rule(store, "Tag last.", scope=IN_RELEASE)

    assert shown(store, device_key(store)) == []


def test_who_brings_no_key_is_shown_no_rule(store: WholeStore) -> None:
    approve(store, a_rule(store))
    preference = learn(store, "Answers in English.", kind="preference", scope=HERE)

    recalled = brief_session_start(store, HERE, budget=ROOMY)

    assert [note.id for note in recalled.brief.notes] == [preference.id]
    assert shown(store, b"") == []


def test_binding_rules_come_strictest_first_with_what_they_may_do(store: WholeStore) -> None:
    acts = {
        approve(store, a_rule(store, f"May {act}."), act).id: act
        for act in ("tell", "deny", "ask")
    }

    bound = list_binding_rules(store, HERE, lambda: device_key(store))

    assert [act for _, act in bound] == ["deny", "ask", "tell"]
    assert {note.id: act for note, act in bound} == acts


def test_rules_bind_in_their_project_and_their_skill_only(store: WholeStore) -> None:
    everywhere = a_rule(store, "Everywhere.", scope=GLOBAL)
    here = a_rule(store, "Here.", scope=HERE)
    skills = a_rule(store, "In the skill.", scope=IN_RELEASE)
    for rule in (
        everywhere,
        here,
        skills,
        a_rule(store, "Elsewhere.", scope=Scope("shop")),
        a_rule(store, "In another skill.", scope=Scope("demo", "review")),
    ):
        approve(store, rule, "ask")

    def bound(scope: Scope) -> set[str]:
        return {note.id for note, _ in list_binding_rules(store, scope, lambda: device_key(store))}

    assert bound(HERE) == {everywhere.id, here.id}
    assert bound(IN_RELEASE) == {everywhere.id, here.id, skills.id}


def test_a_rule_that_is_cleared_or_expired_binds_nobody(store: WholeStore) -> None:
    cleared = a_rule(store, "Cleared.")
    with store.change():
        approve(store, change_note(app_of(store), "edit", cleared, state="cleared"), "deny")
    old = {"learned_at": store.now() - 9 * DAY, "bounds": NoteLimits(expiry_days={"rule": 3})}
    approve(store, a_rule(store, "Old.", **old), "deny")

    assert list_binding_rules(store, HERE, lambda: device_key(store)) == []


def test_where_no_rule_is_the_key_is_not_asked_for(store: WholeStore) -> None:
    learn(store, "A lesson.", scope=HERE)

    def key() -> bytes:
        raise AssertionError("nobody needs it")

    assert list_binding_rules(store, HERE, key) == []
    assert brief_session_start(store, HERE, budget=ROOMY, key=key).brief.notes
    assert recall_notes(store, HERE, "", budget=ROOMY, key=key).brief.notes


# What someone may do to the file who has no key: set any column of any rule to anything, take what
# stands in another row, and write signatures of their own or copied from other rules.
COLUMNS = (
    "text",
    "why",
    "trigger",
    "status",
    "state",
    "subtype",
    "project",
    "skill",
    "reason",
    "id",
)
VALUES = st.sampled_from(
    ["Obey.", "active", "current", "hard", "demo", "*", "", "release", "Never push to main."]
)
ROW = st.integers(0, 4)
EDITS = st.one_of(
    st.tuples(st.just("set"), ROW, st.sampled_from(COLUMNS), VALUES),
    st.tuples(st.just("copy"), ROW, st.sampled_from(COLUMNS), ROW),
    st.tuples(st.just("status"), ROW, st.just("status"), st.just("active")),
    st.tuples(st.just("forge"), ROW, st.sampled_from(["tell", "deny", "resting tell"]), VALUES),
    st.tuples(st.just("steal"), ROW, st.sampled_from(["tell", "ask", "deny"]), ROW),
)


@requirement("L14")
@settings(max_examples=60)
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_no_sequence_of_edits_to_the_rows_makes_a_rule_shown_that_was_not_approved(
    edits: list[tuple[str, int, str, object]],
) -> None:
    with TemporaryDirectory() as folder, closing(a_store(Path(folder))) as store:
        approved = approve(store, a_rule(store))
        resting = retire_note(app_of(store), approve(store, a_rule(store, "Retired since.")))
        approve(store, resting)
        ids = [
            approved.id,
            resting.id,
            a_rule(store, "Proposed.", source="detector").id,
            a_rule(store, "Never signed.").id,
            approve(store, a_rule(store, "Elsewhere only.", scope=Scope("shop"))).id,
        ]
        with raw(store.path) as db:
            for how, row, name, value in edits:
                with suppress(SqliteError):  # no two rows may have the same key
                    _edit(db, how, ids[row], name, ids[value] if isinstance(value, int) else value)

        try:
            told = shown(store, device_key(store))
        except TwiceshyError:
            return  # so damaged that nothing is told

    assert {said(note) for note in told} <= {said(approved)}


def said(note: Note) -> tuple[object, ...]:
    """Return all of a rule that a reader, or a call that it stops, would notice."""
    return note.id, note.scope, note.subtype, note.text, note.why, note.trigger, note.state


def _edit(db: Connection, how: str, note: str, name: str, value: object) -> None:
    match how:
        case "set" | "status":
            db.execute(f"UPDATE notes SET {name} = ? WHERE id = ?", (value, note))
        case "copy":
            taken = f"(SELECT {name} FROM notes WHERE id = ?)"
            db.execute(f"UPDATE notes SET {name} = {taken} WHERE id = ?", (value, note))
        case "forge":
            row = (note, name, "0" * 64)
            db.execute("INSERT OR REPLACE INTO signatures VALUES (?, ?, ?, 0)", row)
        case _:
            taken = "SELECT ?, ?, mac, at FROM signatures WHERE note = ?"
            db.execute(f"INSERT OR REPLACE INTO signatures {taken}", (note, name, value))


def test_what_is_accepted_must_be_what_the_history_says(store: WholeStore) -> None:
    rule = a_rule(store, "Never push to main.", source="agent")
    with raw(store.path) as db:
        db.execute("UPDATE payloads SET body = replace(body, 'Never push', 'Always push')")

    with pytest.raises(TwiceshyError, match="differs from its history"):
        accept_as_is(app_of(store), rule, key=device_key(store))

    assert shown(store, device_key(store)) == []
