"""A damaged file is set aside with every byte it has, read as far as possible, and reported."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import (
    EVERY_STATUS,
    Writer,
    a_signal,
    a_store,
    all_together,
    app_of,
    bytes_under,
    decide,
    learn,
    modes_under,
    opened,
    raw,
)

from twiceshy.core.errors import DamagedStoreError, NewerStoreError, StoreError
from twiceshy.language.terms import query_terms
from twiceshy.notes.edit import edit_fields, pin_note
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import HOOK_PATIENCE

PAGE = 4096
NOTES = 120


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with many notes, some of which were edited or seen again."""
    home = tmp_path_factory.mktemp("sound")
    with opened(home) as store, store.change():
        for number in [*range(NOTES), NOTES - 1]:  # the last one is learned twice
            note = learn(store, f"Lesson {number}: see step-{number} of the manual. " + "x" * 200)
            if number % 10 == 0:
                edit_fields(app_of(store), note, {"why": f"reason {number}"})
                pin_note(app_of(store), note)
    return (home / "twiceshy.db").read_bytes()


@pytest.fixture
def path(home: Path, sound: bytes) -> Path:
    """A store that nobody has damaged yet."""
    home.mkdir(mode=0o700)
    path = home / "twiceshy.db"
    path.write_bytes(sound)
    path.chmod(0o600)
    return path


def overwrite(path: Path, at: int, with_: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(with_)


def page_of(path: Path, table: str, *, leaf: int = 1) -> int:
    """Return the number of a page in the middle of a table."""
    with raw(path) as db:
        pages = db.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
            [table],
        ).fetchall()
    return int(pages[len(pages) * leaf // 4][0])


def spoil(table: str, *leaves: int) -> Callable[[Path], None]:
    """Overwrite some pages of a table with noise."""

    def damage(path: Path) -> None:
        for number in [page_of(path, table, leaf=leaf) for leaf in leaves]:
            overwrite(path, (number - 1) * PAGE, b"\xa5" * PAGE)

    return damage


TOTAL: dict[str, Callable[[Path], object]] = {
    "header": lambda path: overwrite(path, 0, os.urandom(100)),
    "first page": lambda path: overwrite(path, 0, os.urandom(PAGE)),
    "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: os.truncate(path, 0),
    "garbage": lambda path: path.write_bytes(os.urandom(50_000)),
    "text": lambda path: path.write_text("Dear diary,\n"),
}
PARTIAL: dict[str, Callable[[Path], object]] = {
    "a page of notes": spoil("notes", 1),
    "three pages of notes": spoil("notes", 1, 2, 3),
    "a page of the journal": spoil("journal", 1),
    "two pages of payloads": spoil("payloads", 1, 3),
    "notes, journal and payloads": lambda path: [
        spoil(table, 2)(path) for table in ("notes", "journal", "payloads")
    ],
    "an index": spoil("notes_by_scope", 1),
}


class TestOpening:
    @requirement("U185")
    @pytest.mark.parametrize("name", TOTAL)
    def test_a_damaged_file_is_set_aside_as_it_is_and_reported(
        self, path: Path, name: str
    ) -> None:
        TOTAL[name](path)
        damaged = path.read_bytes()

        with opened(path.parent) as store:
            rescued = store.rescued
            found = {finding.what: finding for finding in store.check_health()}
            learn(store, "Life goes on.")

        assert rescued is not None
        assert Path(rescued.path).read_bytes() == damaged
        assert found["rescued"].verdict == "warning"
        assert rescued.path.startswith(str(path.parent / "rescued"))
        assert rescued.path.startswith(found["rescued"].message.split()[-1])
        with opened(path.parent) as store:
            assert store.rescued is None
            assert store.count_notes(EVERY_STATUS) > 0

    @requirement("U185")
    @pytest.mark.parametrize("name", TOTAL)
    def test_a_hook_touches_nothing_of_it(self, path: Path, name: str) -> None:
        TOTAL[name](path)
        before = bytes_under(path.parent)

        with pytest.raises(DamagedStoreError) as refused:
            a_store(path.parent, patience=HOOK_PATIENCE)

        assert refused.value.hint
        assert bytes_under(path.parent) == before

    def test_a_header_that_was_overwritten_costs_no_note(self, path: Path) -> None:
        TOTAL["header"](path)

        with opened(path.parent) as store:
            assert store.count_notes(EVERY_STATUS) == NOTES
            assert store.search_notes(query_terms("step-77"), EVERY_STATUS).notes

    def test_what_the_write_ahead_file_knows_survives_a_file_that_was_emptied(
        self, home: Path
    ) -> None:
        store = a_store(home, prepared=False)  # all of it is in the write-ahead file
        note = learn(store)
        names = [home / f"twiceshy.db{end}" for end in ("", "-wal")]
        kept = {name: name.read_bytes() for name in names}
        store.close()
        for name, content in kept.items():
            name.write_bytes(content)
        os.truncate(home / "twiceshy.db", 0)

        with opened(home) as after:
            assert after.note(note.id) == note
            assert after.rescued is not None
            assert Path(after.rescued.path + "-wal").read_bytes() == kept[names[1]]

    def test_everything_set_aside_is_its_owners_alone(self, path: Path) -> None:
        before = os.umask(0)
        TOTAL["garbage"](path)

        with opened(path.parent):
            modes = modes_under(path.parent)
        os.umask(before)

        assert set(modes.values()) == {"0600", "0700"}
        assert any(name.startswith("rescued/") for name in modes)

    def test_processes_that_find_the_damage_at_once_set_it_aside_once(self, path: Path) -> None:
        TOTAL["header"](path)

        said = all_together([Writer(path.parent, "look") for _ in range(6)])

        assert [len(lines) for lines in said] == [2] * 6, said
        assert len(list((path.parent / "rescued").iterdir())) == 1
        with opened(path.parent) as store:
            assert store.count_notes(EVERY_STATUS) == NOTES + 1

    def test_a_damaged_store_of_a_newer_version_is_left_alone(self, path: Path) -> None:
        with raw(path) as db:
            db.execute("PRAGMA user_version = 999")
        TOTAL["truncated"](path)
        before = bytes_under(path.parent)

        with pytest.raises(NewerStoreError):
            a_store(path.parent)

        assert bytes_under(path.parent) == before


class TestMeeting:
    @requirement("U185")
    @pytest.mark.parametrize("name", PARTIAL)
    def test_damage_in_the_middle_costs_few_notes_and_is_reported(
        self, path: Path, name: str
    ) -> None:
        with opened(path.parent) as store:
            before = {note.id: note for note in store.notes(EVERY_STATUS, limit=999)}
        PARTIAL[name](path)
        damaged = path.read_bytes()
        with opened(path.parent) as store, pytest.raises(DamagedStoreError) as met:
            use_all_of(store)

        with opened(path.parent) as store:
            rescued = store.rescued
            after = {note.id: note for note in store.notes(EVERY_STATUS, limit=999)}
            use_all_of(store)

        assert "damaged" in str(met.value)
        assert rescued is not None
        assert Path(rescued.path).read_bytes() == damaged
        assert after.keys() <= before.keys()
        assert len(after) >= NOTES * 0.75
        same = [n for n in after if after[n].but(revision=0) == before[n].but(revision=0)]
        assert len(same) >= len(after) * 0.9
        with raw(path) as db:
            assert settle.list_drifted_notes(db) == []
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    def test_a_note_is_saved_if_either_its_row_or_its_history_can_be_read(
        self, path: Path
    ) -> None:
        PARTIAL["three pages of notes"](path)
        with opened(path.parent) as store, pytest.raises(DamagedStoreError):
            use_all_of(store)

        with opened(path.parent) as store:
            assert store.count_notes(EVERY_STATUS) == NOTES

    def test_sightings_are_not_counted_twice_when_a_history_is_made_anew(self, path: Path) -> None:
        with raw(path) as db:
            db.execute("DELETE FROM payloads")
        with opened(path.parent) as store:
            for _ in store.rebuild_derived():
                pass

            assert sorted(n.sightings for n in store.notes(EVERY_STATUS, limit=999))[-2:] == [1, 2]

    def test_a_full_text_index_that_is_broken_is_made_anew(self, path: Path) -> None:
        with raw(path) as db:
            db.execute("UPDATE words_data SET block = x'a5a5a5a5a5'")
        with opened(path.parent) as store, pytest.raises(DamagedStoreError):
            edit_fields(app_of(store), store.notes(EVERY_STATUS)[0], {"text": "Anew."})

        with opened(path.parent) as store:
            assert len(
                store.search_notes(query_terms("manual step"), EVERY_STATUS, limit=500).notes
            )
            assert store.rescued is None
            learn(store, "Life goes on.")

    def test_a_list_that_cannot_be_parsed_is_damage_too(self, path: Path) -> None:
        with raw(path) as db:
            broken, kept = (row[0] for row in db.execute("SELECT id FROM notes LIMIT 2"))
            db.execute("UPDATE notes SET files = '[\"src/ap' WHERE id = ?", [broken])
        with opened(path.parent) as store, pytest.raises(DamagedStoreError):
            store.note(broken)

        with opened(path.parent) as store:
            assert store.note(broken) is not None
            assert store.note(kept) is not None
            assert store.rescued is not None

    def test_a_history_that_makes_no_sense_any_more_is_begun_anew_from_the_note(
        self, path: Path
    ) -> None:
        with opened(path.parent) as store:
            note = store.notes(EVERY_STATUS)[-1]
        with raw(path) as db:
            db.execute(
                "UPDATE payloads SET body = replace(body, '\"project\"', '\"pr ject\"') "
                "WHERE object = ?",
                [note.id],
            )
        with opened(path.parent) as store, pytest.raises(DamagedStoreError):
            pin_note(app_of(store), note)

        with opened(path.parent) as store:
            assert store.note(note.id) == note.but(revision=2)
            assert pin_note(app_of(store), note).pinned
            assert store.count_notes(EVERY_STATUS) == NOTES

    def test_a_false_alarm_changes_nothing(self, path: Path) -> None:
        Path(f"{path}-damaged").touch()
        before = path.read_bytes()

        with opened(path.parent) as store:
            notes = store.count_notes(EVERY_STATUS)

        assert notes == NOTES
        assert store.rescued is None
        assert not (path.parent / "rescued").exists()
        assert not Path(f"{path}-damaged").exists()
        assert len(path.read_bytes()) >= len(before)

    def test_a_hook_that_meets_damage_has_the_next_command_look_after_it(self, path: Path) -> None:
        PARTIAL["a page of notes"](path)
        with opened(path.parent, patience=HOOK_PATIENCE) as hook, pytest.raises(DamagedStoreError):
            use_all_of(hook)

        with opened(path.parent) as store:
            assert store.rescued is not None

    @given(
        where=st.floats(0.02, 0.98), length=st.integers(1, 3 * PAGE), noise=st.binary(min_size=8)
    )
    @settings(max_examples=12)
    def test_no_damage_whatever_makes_us_fail_without_a_word(
        self, tmp_path_factory: pytest.TempPathFactory, where: float, length: int, noise: bytes
    ) -> None:
        home = tmp_path_factory.mktemp("home")
        with opened(home) as store, store.change():
            for number in range(30):
                learn(store, f"Lesson {number}: see step-{number} of the manual.")
        path = home / "twiceshy.db"
        overwrite(path, int(path.stat().st_size * where), (noise * length)[:length])

        for _ in range(3):  # met, then rescued, then sound
            with suppress(StoreError), opened(home) as store:
                use_all_of(store)
                decide(store, "Life goes on.")

        with opened(home) as store:
            list(store.check_health())  # finds what nobody happened to read
        with opened(home) as store:
            use_all_of(store)
            assert store.count_notes(EVERY_STATUS) >= 1
        with raw(path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


class TestReplacing:
    def test_a_process_that_has_the_damaged_file_open_writes_to_the_new_one(
        self, path: Path
    ) -> None:
        long_lived = a_store(path.parent)
        long_lived.count_notes(EVERY_STATUS)
        PARTIAL["a page of notes"](path)
        Path(f"{path}-damaged").touch()
        with opened(path.parent) as store:
            assert store.rescued is not None

        note = learn(long_lived, "Written after the exchange.")
        long_lived.close()

        with opened(path.parent) as store:
            assert store.note(note.id) == note

    def test_a_backup_that_was_put_in_its_place_is_written_to(self, path: Path) -> None:
        long_lived = a_store(path.parent)
        copy = path.parent / "copy.db"
        with raw(path) as db, raw(copy) as target:
            db.backup(target)
        copy.rename(path)

        note = learn(long_lived, "Written after the exchange.")
        long_lived.close()

        with opened(path.parent) as store:
            assert store.note(note.id) == note


def use_all_of(store: WholeStore) -> None:
    """Read everything that is there, as commands would in the course of a day."""
    for note in store.notes(EVERY_STATUS, limit=999):
        store.history(note.id)
    store.search_notes(query_terms("step manual"), EVERY_STATUS)
    store.history()
    for _ in store.rebuild_derived():
        pass
    store.capture(a_signal())
    assert isinstance(store._db, sqlite3.Connection)
