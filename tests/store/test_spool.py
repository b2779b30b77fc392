"""A record that could not wait for the database gets into it later: always, and once."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.store.support import (
    EVERY_STATUS,
    Writer,
    a_signal,
    a_store,
    all_together,
    dump,
    learn,
    opened,
    raw,
)

from twiceshy.core.errors import StoreError
from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.store import spool
from twiceshy.store.connect import HOOK_PATIENCE
from twiceshy.store.evidence import build_spool_line

EPISODE = Episode("e1", "end", "session-1", "demo", NOW, NOW, title="拉取", files=("a.py", "b.py"))
EXPOSURE = Exposure("x1", "n1", "session-1", "skill", NOW, tokens=90, withheld=True)


def spooled(home: Path, *records: Signal | Exposure | Episode) -> Path:
    """Leave records in the spool, as hooks do when the store is busy."""
    with opened(home) as store, raw(store.path) as other:
        other.execute("BEGIN IMMEDIATE")
        with opened(home, patience=HOOK_PATIENCE) as hook:
            assert hook.capture(*records) == "spooled"
    return home / "spool"


def keys(home: Path) -> list[str]:
    """Return the keys of the signals in the store."""
    with raw(home / "twiceshy.db") as db:
        return [row[0] for row in db.execute("SELECT key FROM signals ORDER BY key")]


def left(home: Path) -> list[str]:
    """Return the names of what still waits."""
    return sorted(path.name for path in home.glob("spool*"))


class TestTakingIn:
    def test_what_waits_is_taken_in_by_the_next_change_of_anyone(self, home: Path) -> None:
        spooled(home, a_signal(), EPISODE, EXPOSURE)

        with opened(home) as store:
            learn(store)

        assert left(home) == []
        assert keys(home) == ["s1"]
        with raw(home / "twiceshy.db") as db:
            [episode] = dump(db, "episodes")
            [exposure] = dump(db, "exposures")
        assert episode[6] == "拉取"
        assert json.loads(str(episode[10])) == ["a.py", "b.py"]
        assert exposure == ("x1", "n1", "session-1", "skill", NOW, 90, 1, 0)

    def test_a_hook_that_finds_the_store_free_takes_in_what_others_left(self, home: Path) -> None:
        spooled(home, a_signal())

        with opened(home, patience=HOOK_PATIENCE) as hook:
            assert hook.capture(a_signal("s2")) == "stored"

        assert (keys(home), left(home)) == (["s1", "s2"], [])

    def test_taking_in_twice_what_a_killed_process_left_changes_nothing(self, home: Path) -> None:
        spooled(home, a_signal(), EPISODE)
        copy = (home / "spool").read_bytes()
        with opened(home) as store:
            learn(store)
            entries = store.summarise_store().entries
        # killed between the commit and the deletion of the file
        (home / "spool.taking-999-b1").write_bytes(copy)

        with opened(home) as store:
            learn(store)

        assert (keys(home), left(home)) == (["s1"], [])
        assert store_entries(home) == entries + 1

    def test_of_two_records_with_one_key_the_first_is_kept(self, home: Path) -> None:
        spooled(home, a_signal(excerpt="first"), a_signal(excerpt="second"))

        with opened(home) as store:
            store.capture(a_signal(excerpt="third"))

        with raw(home / "twiceshy.db") as db:
            assert db.execute("SELECT excerpt FROM signals").fetchall() == [("first",)]

    def test_a_process_killed_before_its_commit_loses_nothing(self, home: Path) -> None:
        path = spooled(home, a_signal(), EPISODE)
        path.rename(home / "spool.taking-999-b1")
        spooled_again = spooled(home, a_signal("s2"))

        with opened(home) as store:
            assert spooled_again.exists()
            learn(store)

        assert (keys(home), left(home)) == (["s1", "s2"], [])

    def test_a_change_that_fails_leaves_what_it_was_taking_in(self, home: Path) -> None:
        spooled(home, a_signal(), EPISODE)
        with opened(home) as store:
            with suppress(ZeroDivisionError), store.change():
                learn(store)
                raise ZeroDivisionError
            assert store.summarise_store().spooled == 2
            assert (store.summarise_store().signals, store.count_notes(EVERY_STATUS)) == (0, 0)

            learn(store)

        assert (keys(home), left(home)) == (["s1"], [])

    def test_a_secret_does_not_reach_the_spool_either(self, home: Path) -> None:
        secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"

        path = spooled(home, a_signal(excerpt=f"denied for {secret}"))

        assert secret not in path.read_text()
        assert "denied for" in path.read_text()


class TestOddRecords:
    def test_a_record_of_a_newer_version_survives_beside_the_spool(self, home: Path) -> None:
        path = spooled(home, a_signal())
        newer = [
            {"as": "omen", "text": "拉取"},
            build_spool_line(a_signal("s2")) | {"mood": "dark"},
        ]
        with path.open("a") as file:
            file.writelines(json.dumps(record) + "\n" for record in newer)

        with opened(home) as store:
            learn(store)
            learn(store, "Another.")

        assert (keys(home), left(home)) == (["s1"], ["spool.unread"])
        kept = [
            json.loads(line) for line in (home / "spool.unread").read_text().split("\n") if line
        ]
        assert kept == newer
        assert (home / "spool.unread").stat().st_mode & 0o777 == 0o600

    def test_a_change_that_fails_does_not_set_them_aside_twice(self, home: Path) -> None:
        a_store(home).close()
        (home / "spool").write_text('{"as":"omen"}\n')

        with opened(home) as store:
            for _ in range(3):
                with suppress(ZeroDivisionError), store.change():
                    raise ZeroDivisionError
            learn(store)

        assert (home / "spool.unread").read_text().split() == ['{"as":"omen"}']

    @pytest.mark.parametrize(
        "wrong",
        [
            {"at": "yesterday"},
            {"at": None},
            {"excerpt": ["a", "list"]},
            {"excerpt": {"a": "table"}},
            {"session": "\ud800"},
            {"key": None},
        ],
    )
    def test_a_record_that_fits_no_column_does_not_stop_anyone_from_writing(
        self, home: Path, wrong: dict[str, object]
    ) -> None:
        path = spooled(home, a_signal())
        with path.open("a") as file:
            file.write(json.dumps(build_spool_line(a_signal("odd")) | wrong) + "\n")
            file.write(json.dumps(build_spool_line(EPISODE) | {"started_at": "never"}) + "\n")

        with opened(home) as store:
            learn(store)
            for _ in store.rebuild_derived():
                pass

        assert keys(home) == ["s1"]
        assert left(home) == ["spool.unread"]

    @pytest.mark.parametrize(
        "line",
        ['{"as":"signal","key":"s9', "[1, 2]", "null", "\x00\x00", "{}", "x" * 100_000],
    )
    def test_a_line_that_was_cut_off_is_skipped_and_harms_no_other(
        self, home: Path, line: str
    ) -> None:
        path = spooled(home, a_signal())
        with path.open("a") as file:
            file.write(line)  # a full disk: no end of line
        spooled(home, a_signal("s2"))

        with opened(home) as store:
            learn(store)

        assert (keys(home), left(home)) == (["s1", "s2"], [])

    @given(junk=st.binary(max_size=200))
    @settings(max_examples=25)
    def test_no_bytes_whatever_in_the_spool_stop_anyone_from_writing(
        self, tmp_path_factory: pytest.TempPathFactory, junk: bytes
    ) -> None:
        home = tmp_path_factory.mktemp("home")
        a_store(home).close()
        (home / "spool").write_bytes(junk)

        with opened(home) as store:
            note = learn(store)

            assert store.note(note.id) == note

    def test_a_spool_that_cannot_be_read_is_an_error_in_words(self, home: Path) -> None:
        a_store(home).close()
        (home / "spool").mkdir()

        with opened(home) as store, pytest.raises(StoreError) as refused:
            learn(store)

        assert refused.value.hint


class TestTogether:
    def test_processes_that_spool_while_others_take_in_lose_nothing(self, home: Path) -> None:
        a_store(home).close()
        captured = [Writer(home, "signals", f"hook{number}", 15) for number in range(8)]
        drainers = [Writer(home, "mixed", f"writer{number}", 9, "NORMAL") for number in range(2)]

        said = all_together([*captured, *drainers])

        acknowledged = [key for lines in said[:8] for key, _ in lines]
        assert len(acknowledged) == 8 * 15
        with opened(home) as store:
            learn(store)
        assert keys(home) == sorted(acknowledged)
        assert left(home) == []

    def test_no_record_is_written_to_a_file_that_is_being_taken_away(self, home: Path) -> None:
        path = str(home / "spool")
        home.mkdir()
        seen: list[dict[str, object]] = []

        def take(record: dict[str, object]) -> bool:
            spool.append_record(path, {"number": len(seen), "late": True})
            seen.append(record)
            return True

        for number in range(3):
            spool.append_record(path, {"number": number})
        spool.delete_drained(path, spool.drain_records(path, take, unique="1"))

        assert [record["number"] for record in seen] == [0, 1, 2]
        assert spool.count_waiting(path) == 3
        assert os.listdir(home) == ["spool"]


def store_entries(home: Path) -> int:
    with opened(home) as store:
        return store.summarise_store().entries
