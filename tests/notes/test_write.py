"""Taking drafts in: what a scope holds stays within bounds, and the outcome tells the truth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, RELEASE, a_draft
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, Clock, app_of, decide, learn, now_of, opened

from twiceshy.core.admit import Admitted, SeenAgain
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.notes.edit import pin_note, retire_note
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import NoteLimits, change_note, retire_surplus, write_draft
from twiceshy.store.command_store import WholeStore

THREE = NoteLimits(skill_max=3, global_max=3)


class TestCaps:
    @requirement("U106")
    @pytest.mark.parametrize("scope", [RELEASE, GLOBAL, Scope("*", "release")], ids=str)
    def test_beyond_the_cap_the_least_valuable_note_is_retired_and_none_is_lost(
        self, store: WholeStore, clock: Clock, scope: Scope
    ) -> None:
        often = learn(store, "Learned often.", scope=scope)
        for _ in range(4):
            learn(store, "Learned often.", scope=scope)
        old = learn(store, "Learned once.", scope=scope, learned_at=NOW - 300 * DAY)
        clock.wait(DAY)

        for text in ("New.", "Newer."):
            learn(store, text, scope=scope, bounds=THREE)

        gone = now_of(store, old)
        assert (gone.status, gone.reason) == ("retired", "over the cap of 3")
        assert now_of(store, often).status == "active"
        assert store.count_notes(NoteFilter()) == 3
        assert store.count_notes(EVERY_STATUS) == 4

    @requirement("U106")
    def test_a_note_without_a_date_does_not_count_as_the_oldest(self, store: WholeStore) -> None:
        learn(store, "Dated one.", learned_at=NOW - 90 * DAY)
        learn(store, "Dated two.", learned_at=NOW - 80 * DAY)
        undated = learn(store, "Undated.", learned_at=0)

        learn(store, "One more.", bounds=THREE)

        assert now_of(store, undated).status == "active"
        assert [note.text for note in store.notes(NoteFilter(statuses=("retired",)))] == [
            "Dated one."
        ]

    def test_a_scope_may_be_full_to_the_last_note(self, store: WholeStore) -> None:
        bounds = NoteLimits(skill_max=3, near=1.0)

        for count, text in enumerate(("Fetch the tags.", "Sign the mail.", "Lock the door."), 1):
            learn(store, text, bounds=bounds)
            assert store.count_notes(NoteFilter(skill="release")) == count
        learn(store, "Close the window.", bounds=bounds)

        assert store.count_notes(NoteFilter(skill="release")) == 3
        assert store.count_notes(NoteFilter(skill="release", statuses=("retired",))) == 1

    def test_pinned_notes_and_rules_are_never_retired_for_room(self, store: WholeStore) -> None:
        kept = [pin_note(app_of(store), learn(store, f"Pinned {number}.")) for number in range(3)]
        kept += [learn(store, f"Rule {number}.", kind="rule") for number in range(3)]

        outcome = decide(store, "One more.", bounds=THREE)

        assert isinstance(outcome, Admitted)
        assert (
            now_of(store, outcome.note).status == "active"
        )  # it must have the chance to be of use
        assert all(now_of(store, note).status == "active" for note in kept)

    def test_a_new_note_is_never_the_one_that_makes_room(self, store: WholeStore) -> None:
        known = [learn(store, f"Lesson {number}.", sightings=50) for number in range(3)]

        new = learn(store, "One more, " + "with many words " * 30, bounds=THREE)

        assert new.status == "active"
        assert sorted(now_of(store, note).status for note in known) == [
            "active",
            "active",
            "retired",
        ]

    def test_a_project_without_a_skill_has_no_cap(self, store: WholeStore) -> None:
        for number in range(6):
            learn(store, f"Lesson {number}.", scope=Scope("demo", ""), bounds=THREE)

        assert store.count_notes(NoteFilter()) == 6

    @given(scores=st.lists(st.integers(1, 9), min_size=1, max_size=12), cap=st.integers(1, 6))
    @settings(max_examples=15)
    def test_a_scope_never_holds_more_than_its_cap_and_never_loses_a_note(
        self, tmp_path_factory: pytest.TempPathFactory, scores: list[int], cap: int
    ) -> None:
        bounds = NoteLimits(skill_max=cap)
        with opened(tmp_path_factory.mktemp("home")) as store:
            for number, score in enumerate(scores):
                learn(store, f"Lesson {number}.", sightings=score, bounds=bounds)

                assert store.count_notes(NoteFilter()) == min(cap, number + 1)
                assert store.count_notes(EVERY_STATUS) == number + 1

    def test_a_cap_that_was_lowered_retires_the_least_valuable_of_all(
        self, store: WholeStore
    ) -> None:
        ages = [400] * 10 + [1] * 140
        with store.change():
            notes = [
                learn(
                    store,
                    f"Lesson {number}.",
                    learned_at=NOW - age * DAY,
                    bounds=NoteLimits(skill_max=999),
                )
                for number, age in enumerate(ages)
            ]

        gone = retire_surplus(
            app_of(store), notes[-1].scope, NoteLimits(skill_max=140), newest=notes[-1].id
        )

        assert {note.text for note in gone} == {f"Lesson {number}." for number in range(10)}

    def test_one_undo_takes_a_note_and_what_made_room_for_it_back(self, store: WholeStore) -> None:
        old = learn(store, "Old.", learned_at=NOW - 300 * DAY)
        for text in ("One.", "Two."):
            learn(store, text)
        new = learn(store, "Three.", bounds=THREE)

        undo_batch(app_of(store))

        assert now_of(store, old).status == "active"
        assert now_of(store, new).reason == "undone"


class TestSeeing:
    def test_a_candidate_seen_in_a_second_session_is_shown(self, store: WholeStore) -> None:
        first = learn(store, source="detector", origin_session="one")
        same_session = learn(store, source="detector", origin_session="one")
        other_session = learn(store, source="detector", origin_session="two")

        assert (first.status, same_session.status, other_session.status) == (
            "candidate",
            "candidate",
            "active",
        )

    def test_learning_a_retired_note_again_brings_it_back(self, store: WholeStore) -> None:
        note = retire_note(app_of(store), learn(store))

        outcome = decide(store)

        assert isinstance(outcome, SeenAgain)
        assert outcome.revived
        assert (outcome.note.status, outcome.note.reason) == ("active", "")
        assert now_of(store, note) == outcome.note

    def test_a_draft_can_be_kept_apart_from_a_note_it_nearly_repeats(
        self, store: WholeStore
    ) -> None:
        learn(store, "Always run the database migration before deploying the web service")
        draft = a_draft("Always run the database migrations before deploying the web services")

        outcome = write_draft(app_of(store), draft, bounds=NoteLimits(), keep_apart=True)

        assert isinstance(outcome, Admitted)
        assert store.count_notes(NoteFilter()) == 2

    def test_a_kind_with_a_lifetime_gets_its_date(self, store: WholeStore) -> None:
        bounds = NoteLimits(expiry_days={"lesson": 30, "lesson.fix": 7})

        usual = learn(store, "A lesson.", bounds=bounds)
        short = learn(store, "A fix.", subtype="fix", bounds=bounds)

        assert round((usual.expires_at - usual.learned_at) / DAY) == 30
        assert round((short.expires_at - short.learned_at) / DAY) == 7


class TestChanging:
    def test_setting_what_is_set_changes_nothing(self, store: WholeStore) -> None:
        note = learn(store)

        same = change_note(app_of(store), "edit", note, text=note.text, pinned=False)

        assert same == note
        assert len(store.history(note.id)) == 1

    def test_a_change_is_made_to_the_note_as_it_is_not_as_it_was(self, store: WholeStore) -> None:
        stale = learn(store)
        pin_note(app_of(store), stale)

        change_note(app_of(store), "edit", stale, why="because", pinned=True)

        assert [entry.after for entry in store.history(stale.id)][1:] == [
            {"pinned": True},
            {"why": "because"},
        ]

    def test_a_note_that_is_gone_cannot_be_changed(self, store: WholeStore) -> None:
        note = learn(store)
        store.forget(note)

        with pytest.raises(NotFoundError):
            change_note(app_of(store), "edit", note, text="Back again.")


def test_the_same_words_the_other_way_round_are_another_note(store: WholeStore) -> None:
    first = learn(store, "Use pnpm instead of npm", kind="rule")

    second = learn(store, "Use npm instead of pnpm", kind="rule")

    assert second.id != first.id
