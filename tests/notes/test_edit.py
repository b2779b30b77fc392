"""Changing notes that are there: words, places, sight."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import RELEASE
from tests.store.support import EVERY_STATUS, Clock, app_of, learn, now_of, opened

from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import STATUSES
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.language.terms import query_terms
from twiceshy.notes.edit import (
    clear_notes,
    edit_fields,
    move_note,
    pin_note,
    restore_note,
    retire_note,
    unpin_note,
)
from twiceshy.notes.undo import find_batch, undo_batch
from twiceshy.store.command_store import WholeStore


class TestEditing:
    def test_an_edit_is_a_revision_of_the_same_note(self, store: WholeStore) -> None:
        note = learn(store, tag="git")

        edited = edit_fields(app_of(store), note, {"text": "Fetch first."})

        assert (edited.id, edited.tag, edited.revision) == (note.id, "git", 2)
        assert edited.learned_at == note.learned_at
        assert store.search_notes(query_terms("lands"), EVERY_STATUS).notes == []
        assert len(store.search_notes(query_terms("fetch"), EVERY_STATUS).notes) == 1

    def test_two_people_who_edit_different_fields_do_not_undo_each_other(
        self, store: WholeStore
    ) -> None:
        note = learn(store)

        edit_fields(app_of(store), note, {"tag": "git"})
        edit_fields(app_of(store), note, {"why": "tagging"})

        assert (now_of(store, note).tag, now_of(store, note).why) == ("git", "tagging")

    def test_undoing_an_edit_brings_back_what_was_there_just_before_it(
        self, store: WholeStore
    ) -> None:
        note = learn(store, "One.")
        edit_fields(app_of(store), note, {"text": "Two."})
        edit_fields(app_of(store), note, {"text": "Three."})  # by someone who still saw "One."

        undo_batch(app_of(store))

        assert now_of(store, note).text == "Two."

    def test_a_note_cannot_be_made_to_say_what_another_says(self, store: WholeStore) -> None:
        note, other = learn(store, "One."), learn(store, "Two.")

        with pytest.raises(NoteError, match="already") as refused:
            edit_fields(app_of(store), note, {"text": "- TWO"})

        assert other.handle in str(refused.value)
        assert note.handle in refused.value.hint
        assert len(store.history(note.id)) == 1

    def test_an_edit_that_cannot_be_kept_leaves_the_note_alone(self, store: WholeStore) -> None:
        note = learn(store)

        for wrong in ({"text": ""}, {"text": "x\u202e"}, {"state": "done"}, {"tag": "a\nb"}):
            with pytest.raises(NoteError):
                edit_fields(app_of(store), note, wrong)

        assert now_of(store, note) == note
        assert len(store.history(note.id)) == 1

    def test_a_secret_that_is_edited_in_does_not_get_in(self, store: WholeStore) -> None:
        secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"

        note = edit_fields(app_of(store), learn(store), {"text": f"Use {secret}."})

        assert secret not in note.text

    def test_a_superseded_note_can_still_be_annotated(self, store: WholeStore) -> None:
        old = learn(store, "Worse.")
        learn(store, "Better.", supersedes=old.id)

        assert edit_fields(app_of(store), old, {"why": "for the record"}).why == "for the record"


class TestSight:
    def test_a_note_goes_out_of_sight_and_comes_back(self, store: WholeStore) -> None:
        note = learn(store)

        gone = retire_note(app_of(store), note, reason="no longer true")
        back = restore_note(app_of(store), gone)

        assert (gone.status, gone.reason) == ("retired", "no longer true")
        assert back == note

    def test_pinning_is_taken_back_by_unpinning(self, store: WholeStore) -> None:
        note = learn(store)

        assert pin_note(app_of(store), note).pinned
        assert unpin_note(app_of(store), note) == note

    def test_a_superseded_note_can_be_restored_beside_what_replaced_it(
        self, store: WholeStore
    ) -> None:
        old = learn(store, "Worse.")
        new = learn(store, "Better.", supersedes=old.id)

        back = restore_note(app_of(store), old)

        assert (back.status, back.superseded_by) == ("active", "")
        assert now_of(store, new).status == "active"

    def test_a_note_that_was_merged_is_not_restored_beside_its_equal(
        self, store: WholeStore
    ) -> None:
        old = learn(store)
        learn(store, supersedes=old.id)

        with pytest.raises(NoteError, match="already"):
            restore_note(app_of(store), old)


class TestMoving:
    def test_a_note_moves_with_all_it_has(self, store: WholeStore) -> None:
        note = learn(store)
        learn(store)
        store.increment_counter("recalls", [note.id])

        moved = move_note(app_of(store), note, GLOBAL)

        assert moved == now_of(store, note)
        assert (moved.scope, moved.sightings) == (GLOBAL, 2)
        assert now_of(store, moved).recalls == 1

    def test_where_the_same_note_lives_the_two_become_one_and_sightings_add_up(
        self, store: WholeStore
    ) -> None:
        here, there = learn(store), learn(store, scope=GLOBAL)
        for _ in range(2):
            learn(store)

        kept = move_note(app_of(store), here, GLOBAL)

        assert kept.id == there.id
        assert kept.sightings == 1 + 3
        assert now_of(store, here).superseded_by == there.id
        assert store.notes(NoteFilter()) == [kept]

    def test_moving_there_again_changes_nothing(self, store: WholeStore) -> None:
        note = move_note(app_of(store), learn(store), GLOBAL)
        entries = store.history()

        assert move_note(app_of(store), note, GLOBAL) == note
        assert store.history() == entries

    def test_a_merge_is_undone_and_redone_as_a_whole(self, store: WholeStore) -> None:
        here, there = learn(store), learn(store, scope=GLOBAL)
        learn(store)
        move_note(app_of(store), here, GLOBAL)

        undo_batch(app_of(store))
        apart = (now_of(store, here), now_of(store, there))
        undo_batch(app_of(store), redo=True)

        assert apart[0] == here.but(sightings=2, learned_at=apart[0].learned_at)
        assert apart[1] == there
        assert now_of(store, there).sightings == 1 + 2
        assert now_of(store, here).status == "retired"


class TestClearing:
    @given(statuses=st.lists(st.sampled_from(STATUSES), unique=True).map(tuple))
    @settings(max_examples=12)
    def test_clearing_comes_to_an_end_whatever_it_is_asked_for(
        self, tmp_path_factory: pytest.TempPathFactory, statuses: tuple[str, ...]
    ) -> None:
        with opened(tmp_path_factory.mktemp("home")) as store:
            learn(store, "Shown.")
            retire_note(app_of(store), learn(store, "Retired."))
            learn(store, "On probation.", source="detector")

            cleared = clear_notes(app_of(store), NoteFilter(statuses=statuses), reason="cleared")

            asked = statuses or STATUSES
            assert cleared == ("active" in asked) + ("candidate" in asked)
            assert store.count_notes(EVERY_STATUS) == 3

    def test_one_undo_brings_all_of_it_back(self, store: WholeStore) -> None:
        kept = pin_note(app_of(store), learn(store, "Pinned."))
        before = [learn(store, f"Lesson {number}.") for number in range(3)]
        elsewhere = learn(store, "Elsewhere.", scope=Scope("shop", ""))

        count = clear_notes(
            app_of(store), NoteFilter(projects=("demo",), pinned=False), reason="cleared: all"
        )
        gone = {now_of(store, note).reason for note in before}
        undo_batch(app_of(store))

        assert (count, gone) == (3, {"cleared: all"})
        assert [now_of(store, note) for note in before] == before
        assert (now_of(store, kept), now_of(store, elsewhere)) == (kept, elsewhere)

    def test_a_change_is_found_by_the_end_of_its_name(self, store: WholeStore) -> None:
        note = learn(store)
        [entry] = store.history(note.id)

        assert find_batch(store, entry.batch) == entry.batch
        assert find_batch(store, f"b{entry.batch[-4:]}") == entry.batch


def test_what_happens_to_a_note_does_not_make_it_more_recent(
    store: WholeStore, clock: Clock
) -> None:
    note = learn(store)
    clock.wait(30 * DAY)

    for act in (pin_note, unpin_note, retire_note, restore_note):
        act(app_of(store), note)
    edit_fields(app_of(store), note, {"why": "later"})
    move_note(app_of(store), note, RELEASE.but(skill="review"))

    assert now_of(store, note).learned_at == note.learned_at
