"""What another program's SQLite file holds is read whole, at one moment, while that program goes on writing."""

import os
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twiceshy.interop.imports.database import DatabaseError, open_database


@contextmanager
def a_writer(path: Path, *, page: int = 4096) -> Iterator[sqlite3.Connection]:
    """Write to a database with a log that nobody empties by itself."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {page}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, said)")
        yield db


def held(path: Path) -> list[tuple[object, object]]:
    with open_database(str(path)) as db:
        return [(row["id"], row["said"]) for row in db.read_rows("notes", ("id", "said"))]


steps = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "erase", "undo", "passive", "restart", "truncate"]),
        st.integers(1, 5_000),
    ),
    max_size=25,
)


@settings(max_examples=60)
@given(steps=steps, page=st.sampled_from([512, 4096, 65536]))
def test_whatever_was_written_we_read_what_sqlite_reads(
    tmp_path: Path, steps: list[tuple[str, int]], page: int
) -> None:
    path = tmp_path / "other.db"
    for each in tmp_path.glob("other.db*"):
        each.unlink()
    with a_writer(path, page=page) as db:
        for step, number in steps:
            if step in ("passive", "restart", "truncate"):
                db.execute(f"PRAGMA wal_checkpoint({step})")
            elif step == "erase":
                db.execute("DELETE FROM notes WHERE id % 3 = ?", (number % 3,))
            else:
                db.execute("BEGIN")
                db.execute("INSERT INTO notes (said) VALUES (?)", ("x" * number,))
                db.execute("COMMIT" if step == "write" else "ROLLBACK")

            assert held(path) == db.execute("SELECT id, said FROM notes").fetchall()


def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with a_writer(path) as db:
        db.execute("INSERT INTO notes (said) VALUES ('done')")
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.executemany("INSERT INTO notes (said) VALUES (?)", [("open " * 500,)] * 200)

        assert held(path) == [(1, "done")]


def test_a_log_that_was_cut_off_or_damaged_counts_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    log = tmp_path / "other.db-wal"
    with a_writer(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for said in ("first", "second"):
            db.execute("INSERT INTO notes (said) VALUES (?)", (said,))
        whole = log.read_bytes()
        kept = path.read_bytes()
    damaged = bytearray(whole)
    damaged[-1] ^= 1

    for content in (whole[:-1], bytes(damaged)):
        path.write_bytes(kept)
        log.write_bytes(content)

        assert held(path) == [(1, "first")]


@given(st.binary(max_size=200))
def test_any_log_beside_a_file_is_survived(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    if not path.exists():
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE notes (id, said)")
    header = struct.pack(">IIII", 0x377F0682, 3007000, 4096, 0)

    for log in (content, header + content):
        (tmp_path / "other.db-wal").write_bytes(log)

        assert held(path) == []


def test_a_log_that_claims_a_huge_file_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with a_writer(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("INSERT INTO notes (said) VALUES ('done')")
        log, kept = bytearray((tmp_path / "other.db-wal").read_bytes()), path.read_bytes()
    many = struct.pack(">I", 0x7FFFFFFF)
    kept = kept[:28] + many + kept[32:]
    log[36:40] = many
    order = ">" if log[3] & 1 else "<"
    sums = [0, 0]
    for part in (log[:24], log[32:40], log[56:]):
        words = struct.unpack(f"{order}{len(part) // 4}I", part)
        for odd, even in zip(words[::2], words[1::2], strict=True):
            sums[0] = (sums[0] + odd + sums[1]) & 0xFFFFFFFF
            sums[1] = (sums[1] + even + sums[0]) & 0xFFFFFFFF
    struct.pack_into(">II", log, 48, *sums)
    path.write_bytes(kept)
    (tmp_path / "other.db-wal").write_bytes(log)

    with pytest.raises(DatabaseError, match="larger than"):
        held(path)


def test_no_copy_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    path = tmp_path / "other.db"
    with a_writer(path) as db:
        db.execute("INSERT INTO notes (said) VALUES ('done')")

        with open_database(str(path)) as read:
            left = list(folder.iterdir())

            assert [row["said"] for row in read.read_rows("notes", ("said",))] == ["done"]
        with pytest.raises(DatabaseError):
            held(tmp_path / "nowhere.db")

    assert left == list(folder.iterdir()) == []


def test_a_file_whose_program_was_stopped_while_it_wrote_stays_out(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE notes (id, said)")
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.executemany("INSERT INTO notes (said) VALUES (?)", [("open " * 500,)] * 200)

        with pytest.raises(DatabaseError, match="stopped while it wrote"):
            held(path)
        db.execute("COMMIT")
        assert len(held(path)) == 200


def test_who_writes_without_a_pause_is_read_as_of_some_moment(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    stop = threading.Event()
    began = threading.Event()

    def write() -> None:
        with a_writer(path) as db:
            while not stop.is_set():
                db.execute("BEGIN")
                db.executemany("INSERT INTO notes (said) VALUES (?)", [("half",), ("whole",)])
                db.execute("COMMIT")
                db.execute("PRAGMA wal_checkpoint(RESTART)")
                began.set()

    writer = threading.Thread(target=write)
    writer.start()
    began.wait()
    try:
        halves = 0
        for _ in range(10):
            with suppress(DatabaseError):  # it may never be still
                halves += len(held(path)) % 2

        assert halves == 0
    finally:
        stop.set()
        writer.join()


def test_what_moves_from_the_log_to_the_file_while_we_read_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other.db"
    reading = os.open
    moved: list[str] = []
    with a_writer(path) as db:
        db.execute("INSERT INTO notes (said) VALUES ('done')")

        def intrude(name: str, flags: int, mode: int = 0o777, **how: int) -> int:
            if str(name).endswith("-wal") and not moved:  # the file was read, its log was not
                moved.append(name)
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return reading(name, flags, mode, **how)

        monkeypatch.setattr(os, "open", intrude)

        assert held(path) == [(1, "done")]
    assert moved


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "other.db")

    with pytest.raises(DatabaseError, match="not a plain file"):
        held(tmp_path / "other.db")


def test_a_text_is_read_as_far_as_anybody_could_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with a_writer(path) as db:
        db.execute("INSERT INTO notes (said) VALUES (?)", ("x" * 5_000_000,))

    ((_, said),) = held(path)

    assert isinstance(said, str)
    assert 200_000 < len(said) < 1_000_000


@pytest.mark.parametrize(
    "made",
    [
        "CREATE VIEW notes AS SELECT 1 AS id, 'x' AS said",
        "CREATE VIRTUAL TABLE notes USING fts5(id, said)",
        "CREATE TABLE other (id, said)",
    ],
    ids=["view", "virtual", "other"],
)
def test_only_a_table_that_holds_rows_itself_is_read(tmp_path: Path, made: str) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute(made)

    with pytest.raises(DatabaseError, match="it has no table notes"):
        held(path)


def test_a_column_that_is_worked_out_is_none(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE notes (id, said AS (upper(id)))")
        db.execute("INSERT INTO notes (id) VALUES (1)")
        db.commit()

    with open_database(str(path)) as read:
        assert list(read.read_rows("notes", ("id", "said"))) == [{"id": 1}]


def test_a_file_that_nobody_may_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "other.db"

    with pytest.raises(DatabaseError, match="it is not there"):
        held(path)


def test_reading_changes_nothing_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "theirs" / "other.db"
    path.parent.mkdir()
    with a_writer(path) as db:
        db.execute("INSERT INTO notes (said) VALUES ('done')")
        before = {each.name: each.read_bytes() for each in path.parent.iterdir()}

        held(path)

        assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before
