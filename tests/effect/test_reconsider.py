"""What becomes of notes by what came of them."""

from typing import Any

import pytest
from tests.effect.outcomes import an_outcome, sessions
from tests.requirements import requirement
from tests.store.support import Clock, app_of, learn, now_of

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.session import Session
from twiceshy.effect.reconsider import doubt_note, reconsider_notes
from twiceshy.notes.edit import pin_note, restore_note
from twiceshy.notes.undo import undo_batch
from twiceshy.store.command_store import WholeStore

HELPED, HARMED = ("followed", "helped"), ("followed", "harmed")
IN_VAIN = {"channel": "call"}


def learned(store: WholeStore, *, active: bool = True, **fields: Any) -> Note:
    """A note that a detector learned, in a second session too if it shall be active."""
    usual = {"source": "detector", "text": "Fetch first."} | fields
    note = learn(store, **usual)
    if active:
        learn(store, **usual | {"origin_session": "session-2"})
    return now_of(store, note)


def came(
    store: WholeStore, note: Note, count: int, *flags: str, first: int = 1, **fields: Any
) -> None:
    store.save_records(*sessions(count, *flags, first=first, note=note.id, **fields))


@requirement("L13")
def test_a_harmful_note_retires_itself_and_says_by_which_figures(store: WholeStore) -> None:
    note = learned(store)
    came(store, note, 5, *HARMED)

    (decision,) = reconsider_notes(app_of(store))

    retired = now_of(store, note)
    assert (decision.note, decision.step) == (retired, "retire")
    assert retired.status == "retired"
    assert retired.reason == "of no use: helped 0, harmed 5, came in vain 0, not heeded 0"
    assert store.history(note.id)[-1].op == "retire"


def test_an_outdated_note_is_doubted_first_and_retired_when_it_works_on(
    store: WholeStore,
) -> None:
    note = learned(store)
    came(store, note, 10, *HELPED, channel="failure")
    came(store, note, 1, "false_alarm", first=11, **IN_VAIN)
    assert [each.step for each in reconsider_notes(app_of(store))] == ["promote"]

    came(store, note, 1, "violated", first=12)
    (doubted,) = reconsider_notes(app_of(store))
    assert reconsider_notes(app_of(store)) == []
    came(store, note, 2, "false_alarm", first=13, **IN_VAIN)
    (retired,) = reconsider_notes(app_of(store))

    assert (doubted.note.status, doubted.step) == ("candidate", "doubt")
    assert doubted.note.reason == "what it warns of worked in the last 2 sessions"
    assert (retired.note.status, retired.step) == ("retired", "retire")
    assert retired.note.reason == "what it warns of worked in the last 4 sessions"


def test_a_mistake_that_is_made_again_ends_all_doubt(store: WholeStore, clock: Clock) -> None:
    note = learned(store)
    came(store, note, 3, "violated")
    reconsider_notes(app_of(store))
    clock.wait(10 * DAY)

    learn(store, note.text, source="detector", origin_session="session-3")

    assert now_of(store, note).status == "active"
    assert reconsider_notes(app_of(store)) == []


def test_a_note_on_probation_that_helps_is_believed(store: WholeStore) -> None:
    note = learned(store, active=False)
    assert note.status == "candidate"
    came(store, note, 5, *HELPED)

    (decision,) = reconsider_notes(app_of(store))

    assert (decision.step, decision.reason) == ("promote", "helped 5 of the 5 times it could")
    assert (now_of(store, note).status, now_of(store, note).reason) == ("active", "")


def test_a_note_is_on_probation_again_when_somebody_says_the_opposite(store: WholeStore) -> None:
    note, said = learned(store), learn(store, "Tag last.")

    decision = doubt_note(app_of(store), note, by="use npm, not pnpm")

    assert decision is not None
    assert (decision.note, decision.step) == (now_of(store, note), "doubt")
    assert (decision.note.status, decision.note.reason) == (
        *("candidate", "contradicted: use npm, not pnpm"),
    )
    assert doubt_note(app_of(store), decision.note, by="the same") is None
    assert doubt_note(app_of(store), said, by="a machine") is None
    assert now_of(store, said).status == "active"


def test_the_hold_out_alone_can_show_that_a_note_harms(store: WholeStore) -> None:
    note = learned(store)
    came(store, note, 5, *HELPED)
    came(store, note, 30, "violated", "failed", first=6, lot=100)
    came(store, note, 12, "followed", first=36, withheld=True, lot=100)

    (decision,) = reconsider_notes(app_of(store))

    assert decision.step == "retire"
    assert decision.reason == "harmful: 30 of 30 sessions went wrong with it, 0 of 12 without"


def test_a_note_that_its_scope_does_not_need_fades(store: WholeStore) -> None:
    note = learned(store, skill_hash="", scope=now_of(store, learn(store)).scope.but(skill=""))
    came(store, note, 1, "violated", "failed", first=0)
    began(store, 200)
    (doubted,) = reconsider_notes(app_of(store))
    began(store, 1_000)
    (retired,) = reconsider_notes(app_of(store))

    assert (doubted.step, retired.step) == ("doubt", "retire")
    assert doubted.reason == "not needed for long: 31% of it is left"
    assert retired.reason == "not needed for long: 14% of it is left"


def began(store: WholeStore, count: int) -> None:
    with store.change():
        for number in range(count):
            at = an_outcome(1).at + number
            store.save_records(
                Session(f"t{number}", "claude-code", "demo", "/home/u/demo", "", at, at)
            )


@pytest.mark.parametrize("fields", [{"source": "user"}, {"kind": "rule", "source": "user"}])
def test_what_a_person_wrote_is_theirs_to_retire(
    store: WholeStore, fields: dict[str, Any]
) -> None:
    note = learn(store, **fields)
    came(store, note, 9, *HARMED)

    assert reconsider_notes(app_of(store)) == []
    assert now_of(store, note).status == "active"


def test_a_pinned_note_stays(store: WholeStore) -> None:
    note = pin_note(app_of(store), learned(store))
    came(store, note, 9, *HARMED)

    assert reconsider_notes(app_of(store)) == []


@pytest.mark.parametrize("by_undo", [True, False])
def test_what_a_person_brings_back_gets_a_new_chance(
    store: WholeStore, clock: Clock, by_undo: bool
) -> None:
    note = learned(store)
    came(store, note, 9, *HARMED)
    reconsider_notes(app_of(store))
    clock.wait(20 * DAY)

    if by_undo:
        undo_batch(app_of(store))
    else:
        restore_note(app_of(store), note)

    assert now_of(store, note).status == "active"
    assert reconsider_notes(app_of(store)) == []


def test_only_the_notes_that_were_asked_for_are_reconsidered(store: WholeStore) -> None:
    one, other = learned(store), learned(store, text="Tag last.")
    for note in (one, other):
        came(store, note, 9, *HARMED)

    decided = reconsider_notes(app_of(store), [other.id])

    assert [each.note.id for each in decided] == [other.id]
    assert now_of(store, one).status == "active"


def test_a_note_of_which_little_is_known_stays_as_it_is(store: WholeStore) -> None:
    note = learned(store)
    before = store.history(note.id)
    came(store, note, 3, *HARMED)
    came(store, note, 9, first=20)

    assert reconsider_notes(app_of(store)) == []
    assert store.history(note.id) == before


@requirement("L13")
def test_decisions_are_one_change_and_nothing_is_deleted(store: WholeStore) -> None:
    notes = [learned(store, text=f"Lesson number {word}.") for word in ("one", "two", "three")]
    for note in notes:
        came(store, note, 9, *HARMED)

    reconsider_notes(app_of(store))

    batches = {store.history(note.id)[-1].batch for note in notes}
    assert len(batches) == 1
    assert {now_of(store, note).status for note in notes} == {"retired"}
    assert all(isinstance(each, Outcome) for each in store.list_outcomes())
