"""Notes that replace an older note by what they say, and pairs about which a person decides."""

import pytest
from tests.core.builders import a_draft
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, app_of, decide, learn, now_of

from twiceshy.core.admit import Admitted, SeenAgain, Superseding
from twiceshy.core.errors import NoteError
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.notes.edit import pin_note, retire_note
from twiceshy.notes.review import decide_notes, find_replaceable, list_waiting
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import write_draft
from twiceshy.store.command_store import WholeStore

TO_PROD, TO_STAGING = "Copy from staging to prod.", "Copy from prod to staging."


def pair(store: WholeStore) -> tuple[Note, Note]:
    """Write two notes of which the newer may replace the older."""
    return learn(store, TO_PROD), learn(store, TO_STAGING)


def apart(store: WholeStore, text: str) -> Note:
    """Write a note that the user keeps apart."""
    outcome = write_draft(app_of(store), a_draft(text), keep_apart=True)
    assert isinstance(outcome, Admitted)
    return outcome.note


def waiting(store: WholeStore) -> list[tuple[str, str]]:
    return [
        (item.note.text, item.old.text if item.old else "")
        for item in list_waiting(store, key=b"")
        if item.group == "replacements"
    ]


@requirement("T140")
def test_the_same_thing_elsewhere_retires_nothing(store: WholeStore) -> None:
    old = learn(store, "Use axios in the old admin app")

    assert isinstance(decide(store, "Do not use axios in the shop"), Admitted)

    assert now_of(store, old).status == "active"
    assert waiting(store) == []


@requirement("L17", "T140")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Artifacts are kept for 30 days", "Artifacts are kept for 7 days"),
        ("Use Redux for state", "We no longer use Redux, use Zustand instead"),
        ("备份保留 7 天", "备份保留 180 天"),
    ],
)
def test_another_value_of_the_same_thing_retires_the_older_note(
    store: WholeStore, old: str, new: str
) -> None:
    before = learn(store, old)

    outcome = decide(store, new)

    assert isinstance(outcome, Superseding)
    assert (outcome.old.id, outcome.note.supersedes) == (before.id, before.id)
    assert now_of(store, before).superseded_by == outcome.note.id


@requirement("T142")
def test_a_note_that_exchanges_two_things_is_not_counted_for_the_other(store: WholeStore) -> None:
    old, new = pair(store)

    assert new.id != old.id
    assert now_of(store, old).sightings == 1
    assert isinstance(decide(store, TO_PROD), SeenAgain)
    assert now_of(store, old).sightings == 2


@requirement("T141")
def test_a_pair_waits_and_both_notes_stay(store: WholeStore) -> None:
    old, new = pair(store)

    assert new.replaced_id == old.id
    assert [note.status for note in store.notes(EVERY_STATUS, limit=None)] == ["active", "active"]
    assert waiting(store) == [(TO_STAGING, TO_PROD)]


@requirement("T141")
def test_accepting_retires_the_older_note_and_undo_asks_again(store: WholeStore) -> None:
    old, new = pair(store)

    decide_notes(app_of(store), "accept", [new], act=None)

    assert now_of(store, old).superseded_by == new.id
    assert (now_of(store, new).reason, now_of(store, new).supersedes) == ("", old.id)
    assert waiting(store) == []
    undo_batch(app_of(store))
    assert now_of(store, old).status == "active"
    assert waiting(store) == [(TO_STAGING, TO_PROD)]


@requirement("T141")
def test_keeping_both_ends_the_question_and_undo_asks_again(store: WholeStore) -> None:
    old, new = pair(store)

    decide_notes(app_of(store), "keep", [new], act=None)

    assert (now_of(store, old).status, now_of(store, new).status) == ("active", "active")
    assert waiting(store) == []
    undo_batch(app_of(store))
    assert waiting(store) == [(TO_STAGING, TO_PROD)]


def test_rejecting_a_pair_never_retires_the_newer_note(store: WholeStore) -> None:
    old, new = pair(store)

    with pytest.raises(NoteError, match="holds") as refused:
        decide_notes(app_of(store), "reject", [new], act=None)

    assert "--keep" in refused.value.hint
    assert (now_of(store, old).status, now_of(store, new).status) == ("active", "active")


def test_only_a_pair_can_be_kept(store: WholeStore) -> None:
    note = learn(store, "Lock before tagging.")

    with pytest.raises(NoteError, match="does not wait"):
        decide_notes(app_of(store), "keep", [note], act=None)


def test_a_pair_is_gone_when_the_older_note_is_gone(store: WholeStore) -> None:
    old, new = pair(store)

    retire_note(app_of(store), old)

    assert find_replaceable(store, new) is None
    assert waiting(store) == []
    assert now_of(store, new).status == "active"


def test_a_pair_is_gone_when_the_older_note_is_pinned(store: WholeStore) -> None:
    old, _ = pair(store)

    pin_note(app_of(store), old)

    assert waiting(store) == []


def test_a_list_of_pairs_can_be_narrowed_to_a_project(store: WholeStore) -> None:
    pair(store)

    found = list_waiting(store, key=b"", projects=("elsewhere",))

    assert found == []


def test_what_is_written_for_another_project_asks_nothing(store: WholeStore) -> None:
    learn(store, TO_PROD)
    learn(store, TO_STAGING, scope=Scope("other"))

    assert waiting(store) == []


@requirement("T140")
@pytest.mark.parametrize("source", ["agent", "detector", "historian", "distiller"])
def test_nobody_but_a_person_retires_what_a_person_wrote(store: WholeStore, source: str) -> None:
    old = learn(store, "Artifacts are kept for 30 days")

    decide(store, "Artifacts are kept for 7 days", source=source, trust=1.0)

    assert now_of(store, old).status == "active"


def test_a_pinned_note_is_never_retired_by_wording(store: WholeStore) -> None:
    old = learn(store, "Artifacts are kept for 30 days", pinned=True)

    decide(store, "Artifacts are kept for 7 days")

    assert now_of(store, old).status == "active"
    assert len(store.notes(EVERY_STATUS, limit=None)) == 2


def test_a_text_as_long_as_a_page_is_not_compared(store: WholeStore) -> None:
    old = learn(store, "Artifacts are kept for 30 days")

    decide(store, "Artifacts are kept for 7 days. " + "And so on. " * 400)

    assert now_of(store, old).status == "active"
    assert waiting(store) == []


@requirement("T140")
def test_a_note_that_was_kept_apart_or_restored_is_never_retired_by_writing_again(
    store: WholeStore,
) -> None:
    days = [f"Artifacts are kept for {number} days" for number in (30, 7, 90)]
    first = learn(store, days[0])
    second = apart(store, days[1])

    assert isinstance(decide(store, days[0]), SeenAgain)
    assert (now_of(store, first).status, now_of(store, second).status) == ("active", "active")

    third = apart(store, days[2])
    assert isinstance(decide(store, days[1]), SeenAgain)
    assert {now_of(store, each).status for each in (first, second, third)} == {"active"}


@requirement("T140", "T141")
def test_what_an_agent_says_instead_of_a_person_is_asked_about(store: WholeStore) -> None:
    old = learn(store, "Artifacts are kept for 30 days")

    new = learn(store, "Artifacts are kept for 7 days", source="agent")

    assert new.replaced_id == old.id
    assert now_of(store, old).status == "active"
