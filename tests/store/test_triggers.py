"""What stands beside a trigger is what its note says, whatever becomes of the note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.support import app_of, learn, now_of, opened, raw

from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.notes.edit import move_note, restore_note, retire_note
from twiceshy.notes.write import supersede_note

if TYPE_CHECKING:
    import pytest

LINES = ("Bash git stash", "Bash/usage git stauts", "Bash/missing tape")
HERE, THERE = Scope("dir:a", NO_SKILL), Scope("dir:b", NO_SKILL)
TAUGHT = st.tuples(
    st.sampled_from(LINES), st.sampled_from(["user", "detector"]), st.integers(1, 3)
)
DONE = st.sampled_from(["nothing", "retire", "restore", "move", "supersede"])


@given(st.lists(st.tuples(TAUGHT, DONE), min_size=1, max_size=6))
@settings(max_examples=30)
def test_the_columns_beside_a_trigger_are_those_of_its_note(
    tmp_path_factory: pytest.TempPathFactory, many: list[tuple[tuple[str, str, int], str]]
) -> None:
    with opened(tmp_path_factory.mktemp("home")) as store:
        app, first = app_of(store), None
        for number, ((line, source, times), done) in enumerate(many):
            note = [
                learn(store, f"Lesson {number}.", scope=HERE, source=source, trigger=line)
                for _ in range(times)
            ][-1]
            first = first or note
            if done in ("retire", "restore"):
                retire_note(app, now_of(store, note))
            if done == "restore":
                restore_note(app, now_of(store, note))
            elif done == "move":
                move_note(app, now_of(store, note), THERE)
            elif done == "supersede" and note.id != first.id:
                with store.change():
                    supersede_note(app, now_of(store, note), by=now_of(store, first))

    with raw(store.path) as db:
        beside = db.execute(
            "SELECT note, learned, sightings FROM triggers ORDER BY note"
        ).fetchall()
        of_notes = db.execute(
            "SELECT id, kind = 'lesson' AND source = 'detector', sightings FROM notes"
            " WHERE superseded_by = '' AND status IN ('active', 'candidate') ORDER BY id"
        ).fetchall()
    assert beside == of_notes
