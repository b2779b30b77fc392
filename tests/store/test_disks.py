"""Disks that are full or must not be written: an error in words, and nothing half done."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from tests.core.builders import NOW
from tests.store.support import (
    EVERY_STATUS,
    Clock,
    Writer,
    a_signal,
    a_store,
    bytes_under,
    fill,
    learn,
    opened,
    raw,
)

from twiceshy.core.errors import StoreError
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import HOOK_PATIENCE
from twiceshy.store.schema import VERSION

NOBODY = 65534


@pytest.fixture
def locked_home() -> Iterator[Path]:
    """A home with one note that whoever asks may read and nobody may change."""
    place = Path(mkdtemp())  # pytest's own folders let nobody else in
    place.chmod(0o755)
    home = place / "locked"
    with opened(home) as store:
        learn(store)
    (home / "twiceshy.db").chmod(0o444)
    home.chmod(0o555)
    yield home
    home.chmod(0o700)
    shutil.rmtree(place)


def what_others_are_told(home: Path) -> list[object]:
    """Open the store as someone to whom modes matter, which they do not to root."""
    user = [NOBODY] if os.geteuid() == 0 else []
    writer = Writer(home, "look", *user)
    assert writer.says() == "ready"
    writer.go()
    return writer.finish()


class TestReadOnly:
    def test_notes_can_be_read_from_a_disk_that_cannot_be_written(self, locked_home: Path) -> None:
        before = bytes_under(locked_home)

        looked, refused = what_others_are_told(locked_home)

        assert looked == {"notes": 1, "schema": VERSION}
        assert isinstance(refused, dict)
        assert refused["error"] == "StoreError"
        assert "cannot write" in refused["message"]
        assert "TWICESHY_HOME" in refused["hint"]
        assert bytes_under(locked_home) == before

    def test_what_a_killed_writer_left_beside_the_file_is_read_too(
        self, locked_home: Path
    ) -> None:
        locked_home.chmod(0o700)
        (locked_home / "twiceshy.db").chmod(0o600)
        store = a_store(locked_home)
        learn(store, "Only in the write-ahead file.")
        kept = bytes_under(locked_home)
        store.close()
        for path, content in kept.items():
            path.write_bytes(content)
            path.chmod(0o444)
        locked_home.chmod(0o555)

        looked, _ = what_others_are_told(locked_home)

        assert looked == {"notes": 2, "schema": VERSION}

    def test_a_home_that_cannot_be_made_is_an_error_in_words(self, locked_home: Path) -> None:
        [refused] = what_others_are_told(locked_home / "inside")

        assert isinstance(refused, dict)
        assert refused["error"] == "StoreError"
        assert refused["hint"]


class TestFull:
    def test_a_full_disk_is_an_error_in_words_and_costs_nothing(self, small_disk: Path) -> None:
        home = small_disk / "home"
        store = a_store(home, clock=Clock())
        kept = learn(store)
        ballast = fill(small_disk)
        refusals = []

        for number in range(200):
            try:
                kept = learn(store, f"Lesson {number}: " + f"word{number} " * 300)
            except StoreError as error:
                refusals.append(error)
                break
        entries = store.summarise_store().entries

        assert refusals
        assert "disk is full" in str(refusals[0])
        assert refusals[0].hint
        store.close()
        ballast.unlink()
        with opened(home) as store, raw(store.path) as db:
            assert store.rescued is None
            assert store.note(kept.id) == kept
            assert store.summarise_store().entries == entries
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert settle.list_drifted_notes(db) == []
            assert store.count_notes(EVERY_STATUS) == len(store.notes(EVERY_STATUS))
            learn(store, "There is room again.")

    def test_a_store_that_does_not_fit_leaves_nothing_half_made(self, small_disk: Path) -> None:
        (small_disk / "home").mkdir(mode=0o700)
        ballast = fill(small_disk)

        with pytest.raises(StoreError) as refused:
            a_store(small_disk / "home", prepared=False)

        assert "full" in str(refused.value)
        assert [path.name for path in (small_disk / "home").iterdir() if ".db" in path.name] == []
        ballast.unlink()
        with opened(small_disk / "home", prepared=False) as store:
            learn(store)

    def test_a_spool_that_is_full_is_not_acknowledged_and_keeps_what_it_had(
        self, small_disk: Path
    ) -> None:
        home = small_disk / "home"
        with opened(home) as store, raw(store.path) as other:
            other.execute("BEGIN IMMEDIATE")
            hook = WholeStore(store.path, clock=Clock(NOW), patience=HOOK_PATIENCE)
            assert hook.capture(a_signal("first")) == "spooled"
            ballast = fill(small_disk)

            with pytest.raises(StoreError) as refused:
                hook.capture(a_signal("second", excerpt="x" * 20_000))

            ballast.unlink()
            assert hook.capture(a_signal("third")) == "spooled"
            hook.close()

        assert "full" in str(refused.value)
        with opened(home) as store, raw(store.path) as db:
            learn(store)
            found = {row[0] for row in db.execute("SELECT key FROM signals")}
        assert found == {"first", "third"}
