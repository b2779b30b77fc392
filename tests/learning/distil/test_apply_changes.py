"""A model's changes to known notes are narrow: no note of the user's, no note lost, one at a time."""

import json
from typing import Any

import pytest
from tests.learning.conftest import ask, material, saying
from tests.store.support import app_of, learn

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.learning.distil.model_review import AppliedChanges, apply_proposals
from twiceshy.notes.edit import pin_note, retire_note
from twiceshy.store.command_store import WholeStore

OLD = "Run npm test before you tag a release."
BETTER = "Run `pnpm test`, not npm, before you tag a release."
RELEASE = Scope("demo", "release")
EVERY = NoteFilter(statuses=())
CHANGES = (
    {"op": "refine", "text": BETTER},
    {"op": "supersede", "kind": "fix", "text": BETTER},
    {"op": "contradict", "why": "npm test; use pnpm"},
)


def a_known(store: WholeStore, **fields: Any) -> Note:
    usual: dict[str, Any] = {"source": "distiller", "trust": 0.5, "scope": RELEASE}
    return learn(store, OLD, **usual | {"origin_session": "s0"} | fields)


def told(store: WholeStore, note: Note, **delta: str) -> AppliedChanges:
    """Let a model propose one change to a note, in a session that bears it out."""
    of = material(existing=[(note.handle, note.text)])
    distilled = ask(saying(json.dumps([delta | {"id": note.handle}])), of)
    assert distilled.proposals, distilled.refusals
    return apply_proposals(app_of(store), distilled.proposals)


def test_a_note_that_is_seen_again_is_counted_and_leaves_probation(store: WholeStore) -> None:
    note = a_known(store)

    taken = told(store, note, op="reinforce")

    [now] = store.notes(EVERY)
    assert (now.sightings, now.status, note.status) == (2, "active", "candidate")
    assert taken.known == (note.handle,)


def test_a_machines_note_is_reworded_and_its_old_words_stay_in_its_history(
    store: WholeStore,
) -> None:
    note = a_known(store)

    told(store, note, op="refine", text=BETTER)

    [now] = store.notes(EVERY)
    assert (now.id, now.text, now.revision) == (note.id, BETTER, 2)
    assert [entry.op for entry in store.history(note.id)] == ["write", "edit"]


def test_a_machines_note_gives_way_to_what_holds_instead(store: WholeStore) -> None:
    note = a_known(store)

    taken = told(store, note, op="supersede", kind="fix", text=BETTER)

    old = store.note(note.id)
    assert old is not None
    assert (old.status, old.text) == ("retired", OLD)
    assert [one.text for one in store.notes(NoteFilter(statuses=("candidate",)))] == [BETTER]
    assert len(taken.new) == 1


def test_a_machines_note_that_is_contradicted_goes_back_on_probation(store: WholeStore) -> None:
    note = a_known(store)
    told(store, note, op="reinforce")

    told(store, note, op="contradict", why="npm test; use pnpm")

    now = store.note(note.id)
    assert now is not None
    assert (now.status, now.reason) == ("candidate", "contradicted: npm test; use pnpm")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "kept", ["user's", "agent's", "detector's", "pinned", "retired", "a rule"]
)
def test_other_notes_are_not_a_models_to_change(
    store: WholeStore, change: dict[str, str], kept: str
) -> None:
    fields: dict[str, dict[str, Any]] = {
        "user's": {"source": "user", "trust": 1.0},
        "agent's": {"source": "agent"},
        "detector's": {"source": "detector", "trust": 0.8},
        "a rule": {"kind": "rule"},
    }
    note = a_known(store, **fields.get(kept, {}))
    if kept in ("pinned", "retired"):
        note = (pin_note if kept == "pinned" else retire_note)(app_of(store), note)

    taken = told(store, note, **change)

    assert store.notes(EVERY) == [note]
    assert "not a model's to change" in taken.refusals[0].reason


def test_one_that_cannot_be_made_is_told_and_stops_none_of_the_others(store: WholeStore) -> None:
    add = {"op": "add", "kind": "fix"}
    deltas = [
        {"op": "reinforce", "id": "gone"},
        add | {"text": "Run pnpm\u202e test"},
        add | {"text": BETTER},
    ]
    of = material(existing=[("gone", "Use pnpm, not npm.")])

    taken = apply_proposals(app_of(store), ask(saying(json.dumps(deltas)), of).proposals)

    assert [refusal.reason for refusal in taken.refusals] == [
        "the note is no longer there",
        "the note holds an invisible or control character (U+202E)",
    ]
    assert [note.text for note in store.notes(EVERY)] == [BETTER]


def test_what_was_forgotten_is_not_learned_again(store: WholeStore) -> None:
    store.forget(learn(store, BETTER, scope=RELEASE))
    delta = {"op": "add", "kind": "gotcha", "text": BETTER}

    taken = apply_proposals(app_of(store), ask(saying(json.dumps([delta]))).proposals)

    assert store.notes(EVERY) == []
    assert "forgotten on request" in taken.refusals[0].reason


def test_a_busy_store_is_told(busy: WholeStore) -> None:
    delta = {"op": "add", "kind": "gotcha", "text": BETTER}
    proposals = ask(saying(json.dumps([delta]))).proposals

    taken = apply_proposals(app_of(busy), proposals)

    assert ["is writing" in refusal.reason for refusal in taken.refusals] == [True]
