"""How the file is opened: its owner's alone, write-ahead, and as patient as the caller can be."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import (
    EVERY_STATUS,
    SHORT,
    Clock,
    Writer,
    a_signal,
    a_store,
    learn,
    modes_under,
    opened,
    raw,
)

from twiceshy.core.errors import BusyError, StoreError
from twiceshy.core.filter import NoteFilter
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import (
    COMMAND_PATIENCE,
    HOOK_PATIENCE,
    LockPatience,
    connect,
    connect_read_only,
)
from twiceshy.store.migrate import back_up

TAKE_OVER = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode = DELETE").fetchone()
"""


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Let new files be as open as the mask allows."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


class TestModes:
    @requirement("U167")
    @pytest.mark.parametrize("mask", [0o000, 0o022, 0o027])
    def test_everything_in_the_home_is_its_owners_alone(self, home: Path, mask: int) -> None:
        with umask(mask), opened(home, prepared=False) as store:
            learn(store)
            with raw(store.path) as other:
                other.execute("BEGIN IMMEDIATE")
                with opened(home, patience=HOOK_PATIENCE) as hook:
                    assert hook.capture(a_signal()) == "spooled"
                    (home / "spool").rename(home / "spool.taking-1")
                    hook.capture(a_signal("s2"))
            back_up(store.path, 3, now=NOW)
            modes = modes_under(home)
        with umask(mask):
            (home / "twiceshy.db").write_bytes(b"no database")
            a_store(home, prepared=False).close()
            modes |= modes_under(home)

        names = " ".join(modes)
        for name in ("-wal", "-shm", "spool", "spool.taking-1", "README", "backups/", "rescued/"):
            assert name in names
        folders = {name for name in modes if (home / name).is_dir()}
        assert {name: modes[name] for name in folders} == dict.fromkeys(folders, "0700")
        assert {modes[name] for name in modes.keys() - folders} == {"0600"}

    @requirement("U167")
    def test_settings_and_the_cache_of_projects_are_their_owners_alone_too(
        self, home: Path, tmp_path: Path
    ) -> None:
        project = tmp_path / "project"
        project.mkdir()
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        program = [sys.executable, "-m", "twiceshy"]

        with umask(0):
            for verb in (["note", "Fetch first."], ["config", "set", "notes.skill_max", "50"]):
                subprocess.run([*program, *verb], cwd=project, check=True, capture_output=True)

        assert (home / "config.toml").exists()
        assert set(modes_under(home).values()) <= {"0700", "0600"}

    def test_a_file_that_was_copied_here_for_all_to_read_is_closed_again(self, home: Path) -> None:
        a_store(home).close()
        (home / "twiceshy.db").chmod(0o644)

        with opened(home):
            modes = modes_under(home)

        assert {name: mode for name, mode in modes.items() if ".db" in name} == {
            "twiceshy.db": "0600",
            "twiceshy.db-wal": "0600",
            "twiceshy.db-shm": "0600",
        }

    def test_a_folder_that_was_there_before_is_not_explained_and_not_changed(
        self, tmp_path: Path
    ) -> None:
        tmp_path.chmod(0o755)

        WholeStore(str(tmp_path / "mine.db"), clock=Clock()).close()

        assert tmp_path.stat().st_mode & 0o777 == 0o755
        assert not (tmp_path / "README").exists()


class TestSettings:
    @requirement("U181")
    @pytest.mark.parametrize(
        ("patience", "synchronous"), [(COMMAND_PATIENCE, 2), (HOOK_PATIENCE, 1)]
    )
    def test_the_store_is_one_file_in_write_ahead_mode(
        self, home: Path, patience: LockPatience, synchronous: int
    ) -> None:
        with opened(home, patience=patience, prepared=False) as store:
            learn(store)
            asked = {
                name: store._db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("journal_mode", "synchronous", "secure_delete", "busy_timeout")
            }

        assert asked == {
            "journal_mode": "wal",
            "synchronous": synchronous,
            "secure_delete": 1,
            "busy_timeout": patience.wait_ms,
        }
        assert [path.name for path in home.glob("*.db*")] == ["twiceshy.db"]

    def test_nobody_ever_finds_a_file_that_is_not_yet_a_database(self, home: Path) -> None:
        db = connect(str(home / "twiceshy.db"), COMMAND_PATIENCE)

        db.close()

        assert (home / "twiceshy.db").read_bytes().startswith(b"SQLite format 3\0")
        assert [path.name for path in home.iterdir() if "new" in path.name] == []

    def test_opening_a_second_time_in_one_process_does_not_drop_the_locks_of_the_first(
        self, home: Path
    ) -> None:
        first = a_store(home)
        learn(first)
        a_store(home).close()

        # whoever is alone with the file may take it out of write-ahead mode, and delete that file
        alone = subprocess.run(
            [sys.executable, "-c", TAKE_OVER, first.path],
            capture_output=True,
            text=True,
            check=False,
        )
        note = learn(first, "Another.")
        first.close()

        assert "locked" in alone.stderr
        with opened(home) as store:
            assert store.note(note.id) == note

    def test_reading_changes_nothing(self, home: Path) -> None:
        with opened(home) as store:
            learn(store)
        before = (home / "twiceshy.db").read_bytes()

        db = connect_read_only(str(home / "twiceshy.db"), COMMAND_PATIENCE)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM notes")
        db.close()

        assert (home / "twiceshy.db").read_bytes() == before

    @pytest.mark.parametrize("name", ["a?b#c%20d", "with space", "ünïcode", "quo'te"])
    def test_a_home_may_have_any_name(self, tmp_path: Path, name: str) -> None:
        home = tmp_path / name
        with opened(home, prepared=False) as store:
            learn(store)
        db = connect_read_only(str(home / "twiceshy.db"), COMMAND_PATIENCE)

        assert db.execute("SELECT count(*) FROM notes").fetchone() == (1,)
        db.close()

    def test_a_home_that_is_a_file_is_refused_in_words(self, tmp_path: Path) -> None:
        (tmp_path / "home").write_text("not a folder")

        with pytest.raises(StoreError, match="not a folder") as refused:
            a_store(tmp_path / "home", prepared=False)

        assert "TWICESHY_HOME" in refused.value.hint

    def test_a_folder_where_the_file_should_be_is_refused_and_left_alone(self, home: Path) -> None:
        (home / "twiceshy.db" / "inside").mkdir(parents=True)

        with pytest.raises(StoreError) as refused:
            a_store(home, prepared=False)

        assert refused.value.hint
        assert (home / "twiceshy.db" / "inside").is_dir()

    @pytest.mark.parametrize("patience", [COMMAND_PATIENCE, HOOK_PATIENCE])
    def test_a_pipe_where_the_file_should_be_is_refused_and_not_waited_for(
        self, home: Path, patience: LockPatience
    ) -> None:
        home.mkdir()
        os.mkfifo(home / "twiceshy.db")

        with pytest.raises(StoreError, match="is not a file"):
            a_store(home, patience=patience, prepared=False)

        assert [path.name for path in home.iterdir()] == ["twiceshy.db"]

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
    def test_a_device_is_no_store_and_is_not_copied_to_save_it(self) -> None:
        with pytest.raises(StoreError, match="is not a file"):
            WholeStore("/dev/full", clock=Clock())


class TestPatience:
    def test_a_command_waits_longer_than_one_busy_timeout(self, home: Path) -> None:
        holder = a_held_store(home)
        store = a_store(home, patience=SHORT.but(retries=4))
        tried: list[str] = []

        def release_at_the_third(statement: str) -> None:
            tried.extend([statement] if statement == "BEGIN IMMEDIATE" else [])
            if len(tried) == 3:
                holder.go()
                holder.finish()
                store._db.set_trace_callback(None)

        store._db.set_trace_callback(release_at_the_third)
        note = learn(store)

        assert len(tried) == 3
        assert store.note(note.id) == note
        store.close()

    def test_a_command_that_is_never_let_in_says_so(self, home: Path) -> None:
        holder = a_held_store(home)
        store = a_store(home, patience=SHORT)

        with pytest.raises(BusyError) as refused:
            learn(store)
        holder.go()
        holder.finish()

        assert "doctor" in refused.value.hint
        assert store.count_notes(EVERY_STATUS) == 0
        assert learn(store).text
        store.close()

    def test_a_hook_that_finds_the_store_busy_leaves_its_record_in_the_spool(
        self, home: Path
    ) -> None:
        holder = a_held_store(home)
        with opened(home, patience=HOOK_PATIENCE) as hook:
            acknowledged = hook.capture(a_signal(), a_signal("s2"))
            waiting = hook.summarise_store()
        holder.go()
        holder.finish()

        with opened(home) as store:
            learn(store)
            taken = store.summarise_store()

        assert acknowledged == "spooled"
        assert (waiting.signals, waiting.spooled) == (0, 2)
        assert (taken.signals, taken.spooled) == (2, 0)

    def test_reading_never_waits_for_a_writer(self, home: Path) -> None:
        with opened(home) as store:
            learn(store)
        holder = a_held_store(home)

        with opened(home, patience=HOOK_PATIENCE) as store:
            notes = store.notes(NoteFilter())
        holder.go()
        holder.finish()

        assert len(notes) == 1


def a_held_store(home: Path) -> Writer:
    """Have another process hold the write lock of a store."""
    a_store(home).close()
    holder = Writer(home, "hold")
    assert holder.says() == "ready"
    holder.go()
    assert holder.says() == "held"
    return holder
