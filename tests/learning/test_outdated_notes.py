"""What later sessions say about older notes: the tool was mended, or the advice is wrong by now."""

from pathlib import Path

from tests.learning.sessions import Told, notes_of, study
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.store.command_store import WholeStore

STAT = "gh pr diff --stat"


def the_note(store: WholeStore, form: str = STAT) -> Note:
    (note,) = (note for note in notes_of(store) if note.why.startswith(f"`{form}` failed"))
    return note


def taught(store: WholeStore, folder: Path, *sessions: Told) -> None:
    for told in sessions:
        study(store, told.file(folder))


@requirement("L17")
def test_a_note_whose_very_mistake_works_twice_is_retired_and_kept(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken(), Told("s2", day=1).ran(STAT))
    doubted = the_note(store)

    taught(store, tmp_path, Told("s3", day=2).ran(STAT))

    note = the_note(store)
    assert doubted.status != "retired"
    assert note.status == "retired"
    assert note.reason.startswith("works since ")


def test_a_failure_between_shows_that_nothing_was_mended(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken(), Told("s2", day=1).ran(STAT))

    taught(store, tmp_path, Told("s3", day=2).mistaken(), Told("s4", day=3).ran(STAT))

    assert the_note(store).status == "active"


def test_another_call_that_the_trigger_matches_does_not_speak_for_the_mistake(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken())

    taught(store, tmp_path, Told("s2").ran("gh pr checks --stat").ran("gh pr checks --stat"))

    assert the_note(store).status == "candidate"


def test_a_mistake_that_is_made_again_brings_its_note_back(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken(), Told("s2").ran(STAT).ran(STAT))
    gone = the_note(store).status

    taught(store, tmp_path, Told("s3", day=3).mistaken())

    assert (gone, the_note(store).status) == ("retired", "active")


@requirement("L17")
def test_a_lesson_takes_the_place_of_the_note_whose_advice_failed(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken())
    upgraded = Told("s2", day=1).failed("gh pr diff --name-only", "unknown flag: --name-only")

    taught(store, tmp_path, upgraded.ran("gh pr diff --names"))

    old, new = the_note(store), the_note(store, "gh pr diff --name-only")
    assert (old.status, old.superseded_by, new.supersedes) == ("retired", new.id, old.id)


def test_advice_that_fails_without_a_better_one_is_doubted(
    store: WholeStore, tmp_path: Path
) -> None:
    taught(store, tmp_path, Told("s1").mistaken(), Told("s2", day=1).mistaken())
    before = the_note(store).status

    failing = Told("s3", day=2).failed("gh pr diff --name-only", "unknown flag: --name-only")
    taught(store, tmp_path, failing)

    note = the_note(store)
    assert (before, note.status) == ("active", "candidate")
    assert note.reason.startswith("its advice failed: ")


def test_work_that_mostly_succeeds_is_seen_again_only_with_the_same_report(
    store: WholeStore, tmp_path: Path
) -> None:
    signing = "commit: cannot sign: disable signing or register a plugin"
    fixed = Told("s1").failed("go test ./...", signing).ran("env SIGN=off go test ./...")
    green = Told("s2", day=1)
    for _ in range(4):
        green.ran("go test ./...")
    red = Told("s3", day=2).failed("go test ./...", "panic: cannot open the fixture database")
    again = Told("s4", day=3).failed("go test ./...", signing)

    taught(store, tmp_path, fixed, green, red)
    (before,) = (note for note in notes_of(store) if "SIGN=off" in note.text)
    taught(store, tmp_path, again)

    (after,) = (note for note in notes_of(store) if "SIGN=off" in note.text)
    assert (before.sightings, after.sightings) == (1, 2)
