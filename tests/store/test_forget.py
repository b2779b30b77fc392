"""What is forgotten is on no disk any more, whatever it went through before."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, a_draft
from tests.store.support import (
    EVERY_STATUS,
    QUICK,
    a_signal,
    a_store,
    app_of,
    bytes_under,
    dump,
    learn,
    opened,
    raw,
)
from tests.store.test_schema import an_old_store

from twiceshy.core.errors import StoreError
from twiceshy.core.evidence import Exposure
from twiceshy.core.note import Note
from twiceshy.core.scope import GLOBAL
from twiceshy.core.text import find_unsafe_character
from twiceshy.notes.edit import edit_fields, move_note, pin_note, retire_note
from twiceshy.notes.undo import undo_batch
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE, connect
from twiceshy.store.migrate import back_up, migrate
from twiceshy.store.schema import STEPS

# Long enough to go over several pages, with a word that is nowhere else.
LONG = "Say plover, and go on. " * 250
MARKS = ("plover", "plugh", "frobozz", "xyzzy")


def a_note_with_a_past(store: WholeStore) -> Note:
    """Let a note go through everything, leaving a mark wherever text is kept."""
    note = learn(store, LONG, why="plugh and nothing else")
    note = edit_fields(app_of(store), note, {"text": "Say frobozz.", "files": ("src/xyzzy.py",)})
    note = edit_fields(app_of(store), note, {"text": LONG, "concepts": ("xyzzy",), "tag": "plugh"})
    learn(store, LONG.replace("go on", "go on then"))  # in other words
    undo_batch(app_of(store))
    store.increment_counter("recalls", [note.id])
    store.capture(Exposure("x1", note.id, "session-1", "skill", NOW))
    return retire_note(
        app_of(store), pin_note(app_of(store), move_note(app_of(store), note, GLOBAL))
    )


def places(home: Path) -> list[str]:
    """Return the files in which a mark can still be read."""
    return [
        f"{path.relative_to(home)}: {mark}"
        for path, content in bytes_under(home).items()
        for mark in MARKS
        if mark.encode() in content
    ]


def test_no_file_of_the_home_holds_a_word_of_a_forgotten_note(home: Path) -> None:
    with opened(home) as store:
        learn(store, "This one stays.")
        note = a_note_with_a_past(store)
        back_up(store.path, 3, now=NOW)
        learn(store, "This one stays as well.")
        back_up(store.path, 4, now=NOW + 1)
        damaged = home / "rescued" / "2026-11-02T0900000Z-a1b2c3"
        damaged.mkdir(mode=0o700, parents=True)
        (damaged / os.path.basename(store.path)).write_bytes(b"half of plover")
        (damaged / "report.txt").write_text("a plover was saved")
        assert {line.partition("/")[0] for line in places(home)} >= {"backups", "rescued"}

        left = list(store.forget(note).left)

        assert left == []
        assert places(home) == []
        assert not (home / "rescued").exists()
        assert store.count_notes(EVERY_STATUS) == 2
        for backup in (home / "backups").iterdir():
            with raw(backup) as db:
                assert dump(db, "notes")
                assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert places(home) == []


def test_files_of_others_beside_a_store_survive_forgetting(home: Path) -> None:
    others = [home / "backups" / "photos.db", home / "rescued" / "cat" / "report.txt"]
    with opened(home) as store:
        note = learn(store, "This one goes.")
        for path in others:
            path.parent.mkdir(parents=True)
            path.write_text("mine")

        store.forget(note)

    assert [path.read_text() for path in others] == ["mine", "mine"]


LETTERS = st.text(st.characters(categories=("L", "N")), min_size=12, max_size=200)


# some letters are invisible, and refused
@given(text=LETTERS.filter(lambda text: find_unsafe_character(text) is None))
@settings(max_examples=15)
def test_whatever_it_said_it_is_gone(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    home = tmp_path_factory.mktemp("home")
    with opened(home) as store:
        learn(store, "This one stays.")
        note = learn(store, text)
        said = note.text.encode()

        store.forget(note)

        assert [path for path, content in bytes_under(home).items() if said in content] == []


@pytest.mark.parametrize("age", [1, 2])
def test_a_backup_of_an_older_schema_is_cleaned_not_thrown_away(home: Path, age: int) -> None:
    an_old_store(home, age)
    with opened(home) as store:
        [note] = store.notes(EVERY_STATUS)

        store.forget(note)

    [backup] = (home / "backups").iterdir()
    assert note.text.encode() not in backup.read_bytes()
    with raw(backup) as db:
        assert dump(db, "notes") == []
        assert len(dump(db, "journal")) == 1


def test_a_record_that_nobody_understood_is_forgotten_with_the_note_it_quotes(home: Path) -> None:
    with opened(home) as store:
        note = learn(store, "Say plover in the cave.")
        newer = [{"as": "omen", "says": note.text}, {"as": "omen", "says": "harmless"}]
        (home / "spool").write_text("".join(json.dumps(one) + "\n" for one in newer))
        learn(store, "Another.")

        store.forget(note)

    kept = (home / "spool.unread").read_text().split()
    assert kept == ['{"as":"omen","says":"harmless"}']
    assert places(home) == []


def test_a_reader_in_another_process_is_reported_and_delays_only_the_wiping(home: Path) -> None:
    with opened(home) as store:
        note = learn(store, "Say plover.")
        with raw(store.path) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM notes").fetchone()
            impatient = WholeStore(
                store.path, clock=store.now, patience=QUICK.but(wait_ms=10, retries=1)
            )

            left = list(impatient.forget(note).left)

        assert left == [store.path + "-wal"]
        assert store.note(note.id) is None
        impatient.close()
    with opened(home):  # whatever comes next finishes it
        pass
    assert places(home) == []


def test_an_observation_of_a_forgotten_note_is_gone_too(home: Path) -> None:
    with opened(home) as store:
        note = a_note_with_a_past(store)

        store.forget(note)

        with raw(store.path) as db:
            tables = ("counters", "exposures", "vectors", "payloads", "labels")
            assert [dump(db, table) for table in tables] == [[]] * len(tables)


def test_a_change_that_fails_forgets_nothing(home: Path) -> None:
    with opened(home) as store:
        note = learn(store)

        def fail() -> None:
            with store.change():
                store.forget(note)
                raise StoreError("not now")

        with pytest.raises(StoreError):
            fail()

        assert store.note(note.id) == note


def test_several_notes_forgotten_in_one_change_leave_no_trace_either(home: Path) -> None:
    with opened(home) as store:
        notes = [learn(store, f"Say {mark} {number}.") for number, mark in enumerate(MARKS)]
        back_up(store.path, 3, now=NOW)

        with store.change():
            for note in notes:
                store.forget(note)

        assert places(home) == []


class TestCheckpoints:
    """What was written down in passing holds the words of the note that it became."""

    SAID = "Say  plover\nin the cave."  # the note has it on one line

    def test_what_a_note_was_made_of_is_gone_with_it(self, home: Path) -> None:
        with opened(home) as store:
            store.capture(a_signal("1", kind="checkpoint", excerpt=self.SAID))
            back_up(store.path, 3, now=NOW)  # knows nothing of the note yet
            note = learn(store, "Say plover in the cave.")
            store.record_evidence(note.id, "1", "1", at=NOW)
            back_up(store.path, 4, now=NOW + 1)

            left = list(store.forget(note).left)

            assert left == []
            assert places(home) == []
            assert len(list((home / "backups").iterdir())) == 2

    def test_in_a_larger_change_it_is_gone_when_that_ends(self, home: Path) -> None:
        with opened(home) as store:
            store.capture(a_signal("1", kind="checkpoint", excerpt=self.SAID))
            back_up(store.path, 3, now=NOW)
            note = learn(store, "Say plover in the cave.")
            store.record_evidence(note.id, "1", "1", at=NOW)

            with store.change():
                store.forget(note)

            assert places(home) == []

    def test_one_that_says_the_same_loses_that_sentence_even_if_it_became_no_note(
        self, home: Path
    ) -> None:
        with opened(home) as store:
            store.capture(
                a_signal("1", kind="checkpoint", excerpt="In passing: Say plover here. Go on."),
                a_signal("2", kind="checkpoint", excerpt="Something else."),
            )

            store.forget(learn(store, "Say plover here."))

            assert places(home) == []
            left = store.list_signals(a_signal().project, "checkpoint", limit=9)
            assert {one.key: one.excerpt for one in left} == {
                "1": "Go on.",
                "2": "Something else.",
            }

    def test_it_goes_although_another_note_came_from_it_and_that_one_stays(
        self, home: Path
    ) -> None:
        with opened(home) as store:
            both = "- Say plover.\n- Fetch the tags first."
            store.capture(a_signal("1", kind="checkpoint", excerpt=both))
            gone, kept = learn(store, "Say plover."), learn(store, "Fetch the tags first.")
            for note in (gone, kept):
                store.record_evidence(note.id, "1", "1", at=NOW)

            store.forget(gone)

            assert places(home) == []
            assert store.note(kept.id) == kept

    def test_what_was_observed_otherwise_stays(self, home: Path) -> None:
        with opened(home) as store:
            store.capture(a_signal("1", kind="error", excerpt="no such tag"))
            note = learn(store, "Say plover.")
            store.record_evidence(note.id, "1", "s1", at=NOW)

            store.forget(note)

            assert [one.key for one in store.list_signals(keys=["1"], limit=9)] == ["1"]


def test_forgetting_a_page_lets_no_machine_write_a_page_of_that_name(home: Path) -> None:
    with opened(home) as store:
        page = learn(store, "How we do it here.", kind="page", tag="conventions")
        edit_fields(app_of(store), page, {"tag": "rules"})

        store.forget(page)

        graves = [page.fingerprint, page.but(tag="rules").fingerprint]
        assert [store.is_forgotten(page.scope, grave) for grave in graves] == [True, True]


def test_a_store_made_with_an_older_step_can_forget(home: Path) -> None:
    path = str(home / "twiceshy.db")
    db = connect(path, COMMAND_PATIENCE)
    migrate(db, path, COMMAND_PATIENCE, now=NOW, steps=STEPS[:1])
    db.close()

    store = a_store(home)
    store.forget(learn(store, "Say plover."))
    store.capture(a_signal())
    store.close()

    assert places(home) == []


def test_a_forgotten_mistake_is_not_learned_again_in_other_words(home: Path) -> None:
    key = "mistake:bash/gh pr diff/unknown flag --stat"
    with opened(home) as store:
        store.forget(learn(store, "`gh pr diff`: there is no `--stat`.", tag=key))

        again = a_draft("`gh pr diff`: use `--name-only`.", tag=key, source="detector")

        assert store.is_forgotten(again.scope, again.fingerprint)
        assert not store.is_forgotten(again.scope, again.but(tag=key + "s").fingerprint)
