"""Every byte of a header may be wrong: no note is lost by it, and nothing happens in silence."""

import os
from pathlib import Path

import pytest
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, bytes_under, learn, modes_under, now_of, opened, raw

from twiceshy.core.errors import DamagedStoreError, NewerStoreError
from twiceshy.store import header
from twiceshy.store.command_store import WholeStore
from twiceshy.store.schema import VERSION

NOTES = 8


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with notes, and with pages that are no longer used."""
    home = tmp_path_factory.mktemp("sound")
    with opened(home) as store, store.change():
        for number in range(NOTES):
            learn(store, f"Lesson {number}: see step-{number} of the manual.")
    with raw(home / "twiceshy.db") as db:
        db.execute("CREATE TABLE wide (x)")
        db.executemany("INSERT INTO wide VALUES (?)", [("x" * 3_000,)] * 6)
        db.execute("DROP TABLE wide")
        assert db.execute("PRAGMA freelist_count").fetchone()[0] > 4
    return (home / "twiceshy.db").read_bytes()


def a_home(place: Path, content: bytes) -> Path:
    """Put a store of these bytes into a home of its own, and return its path."""
    place.mkdir(mode=0o700)
    path = place / "twiceshy.db"
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def with_byte(content: bytes, at: int, value: int) -> bytes:
    return content[:at] + bytes([value]) + content[at + 1 :]


def wrong_values(right: int) -> set[int]:
    return {255 if right < 128 else 0, right ^ 1}


@requirement("T310")
@pytest.mark.parametrize("at", range(header.LENGTH))
def test_a_wrong_byte_costs_no_note_and_is_gone_after_the_next_look(
    tmp_path: Path, sound: bytes, at: int
) -> None:
    for value in wrong_values(sound[at]):
        path = a_home(tmp_path / str(value), with_byte(sound, at, value))

        with opened(path.parent) as store:
            first, written = store.count_notes(EVERY_STATUS), try_to_learn(store)
            broken = [one for one in store.check_health() if one.verdict == "broken"]
            rescued = store.rescued
        with opened(path.parent) as store:
            again = store.count_notes(EVERY_STATUS)
            rescued = store.rescued or rescued
            left = [one for one in store.check_health() if one.verdict == "broken"]

        assert (first, again) == (NOTES, NOTES + written), (at, value)
        assert left == []
        assert rescued or (written and not broken)
        if rescued:
            assert rescued.whole
            assert Path(rescued.path).is_relative_to(path.parent / "rescued")
            assert set(modes_under(path.parent).values()) == {"0600", "0700"}


def try_to_learn(store: WholeStore) -> bool:
    """Write a note; True if it was kept, False if the damage was met and told."""
    try:
        learn(store, "Life goes on.")
    except DamagedStoreError:
        return False
    return True


@requirement("T310")
def test_a_header_of_noise_costs_nothing_that_the_pages_hold(tmp_path: Path, sound: bytes) -> None:
    path = a_home(tmp_path / "home", os.urandom(header.LENGTH) + sound[header.LENGTH :])

    with opened(path.parent) as store:
        rescued, device = store.rescued, store.device
        found = store.notes(EVERY_STATUS, limit=None)

    before = a_home(tmp_path / "before", sound)
    with opened(before.parent) as store:
        assert (found, device) == (store.notes(EVERY_STATUS, limit=None), store.device)
    assert rescued is not None
    assert rescued.whole
    assert set(modes_under(path.parent).values()) == {"0600", "0700"}


def test_what_the_write_ahead_file_holds_is_kept_as_well(tmp_path: Path) -> None:
    home = tmp_path / "home"
    beside = {}
    with opened(home) as store:
        note = learn(store, "Written last.")
        for path in home.glob("twiceshy.db*"):
            beside[path] = path.read_bytes()
    for path, content in beside.items():
        path.write_bytes(content)
        path.chmod(0o600)
    (home / "twiceshy.db").write_bytes(with_byte(beside[home / "twiceshy.db"], 21, 0))

    with opened(home) as store:
        assert store.rescued is not None
        assert store.rescued.whole
        assert now_of(store, note) == note


def test_other_page_sizes_are_recognised(tmp_path: Path, sound: bytes) -> None:
    path = a_home(tmp_path / "home", sound)
    with raw(path) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA page_size = 8192")
        db.execute("VACUUM")
    path.write_bytes(with_byte(path.read_bytes(), 16, 0))

    with opened(path.parent) as store:
        assert store.count_notes(EVERY_STATUS) == NOTES
        assert store.rescued is not None
        assert store.rescued.whole


def test_a_store_of_a_newer_version_is_not_taken_for_a_wrong_number(
    tmp_path: Path, sound: bytes
) -> None:
    path = a_home(tmp_path / "home", sound)
    with raw(path) as db:
        db.execute("CREATE TABLE later (x)")
        db.execute("INSERT INTO migrations SELECT max(number) + 1, 'later', 0 FROM migrations")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = bytes_under(path.parent)

    with opened(path.parent) as store:
        with pytest.raises(NewerStoreError):
            learn(store)
        assert store.count_notes(EVERY_STATUS) == NOTES

    assert {
        place: body for place, body in bytes_under(path.parent).items() if place in before
    } == before
