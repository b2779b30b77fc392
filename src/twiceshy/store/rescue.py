"""Rescue a damaged file: set the file aside, and copy every readable row.

The damaged file is never deleted here.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager, suppress

from twiceshy.core.errors import DamagedStoreError, NewerStoreError
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.files.replace import replace_file, write_new_file
from twiceshy.store import header
from twiceshy.store.connect import FAILURES, build_uri
from twiceshy.store.convert import is_older, older_names, rename_payload_fields
from twiceshy.store.driver import sqlite3
from twiceshy.store.rows import load_list, load_payload
from twiceshy.store.schema import VERSION
from twiceshy.store.store_file import NOTICE, REPORT, make_folder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from twiceshy.core.rescue_report import RescueReport

    Row = tuple[object, ...]

# What only this file knew: its key, and an index that knows the numbers in the key as well.
_TABLES = {
    "payloads": ("id", "payloads_by_object"),
    "journal": ("clock", "journal_by_object"),
    "notes": ("seq", "notes_by_handle"),
    "projects": ("id", ""),
    "aliases": ("alias", ""),
    "counters": ("note", ""),
    "tombstones": ("project", ""),
    "erasures": ("what", ""),
    "signals": ("key", ""),
    "exposures": ("key", ""),
    "vectors": ("note", ""),
    "signatures": ("note", ""),
    "model_calls": ("id", ""),
    "transcript_progress": ("path", ""),
    "seen_calls": ("id", ""),
    "triggers": ("note", ""),
    "trigger_counts": ("note", ""),
    "evidence": ("note", ""),
    "outcomes": ("key", ""),
    "outcome_sums": ("note", ""),
    "skill_usage": ("skill", ""),
    "verdicts": ("object", ""),
    "days": ("day", ""),
    "places": ("mark", ""),
}
# SQLite does not notice when a byte of a text changed.
_COLUMN_PARSERS: dict[str, dict[str, Callable[[str], object]]] = {
    "payloads": {"body": load_payload},
    "notes": {"files": load_list, "concepts": load_list},
}
_KEPT_META = ("device", "clock", "place")


@contextmanager
def hold_write_lock(path: str) -> Iterator[None]:
    """Lock a damaged file against writers until its replacement."""
    # an empty one must not be opened: SQLite would delete its write-ahead file
    guard = sqlite3.connect(path if os.path.getsize(path) else ":memory:", isolation_level=None)
    try:
        with suppress(*FAILURES):  # then nobody else can write to it either
            guard.execute("BEGIN IMMEDIATE")
        yield
    finally:
        guard.close()


def is_sound(path: str) -> bool:
    """True if every page and every text of the file can be read."""
    if not os.path.getsize(path):
        return False
    db = sqlite3.connect(build_uri(path, "mode=ro"), uri=True)
    try:
        if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            return False
        for table in (*_TABLES, "episodes", "meta"):
            rows = db.execute(f"SELECT * FROM {table}")
            columns = [column for column, *_ in rows.description]
            if not all(_is_parseable(table, dict(zip(columns, row, strict=True))) for row in rows):
                return False
    except (*FAILURES, DamagedStoreError):
        return False
    finally:
        db.close()
    return True


@contextmanager
def make_rescue_folder(path: str, now: int) -> Iterator[str]:
    """Create the folder for a damaged file; remove the folder if unused."""
    when = format_stamp(now).replace(":", "").replace(".", "-")
    rescued = os.path.join(os.path.dirname(path), "rescued")
    folder = os.path.join(rescued, f"{when}-{os.urandom(3).hex()}")
    make_folder(rescued)
    make_folder(folder)
    try:
        yield folder
    finally:
        if not os.path.exists(os.path.join(folder, os.path.basename(path))):
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))
            os.rmdir(folder)
            with suppress(OSError):
                os.rmdir(rescued)


def copy_readable_rows(db: sqlite3.Connection, path: str, folder: str) -> dict[str, int]:
    """Copy every readable row into a fresh database; ``folder`` is the work folder."""
    copy = _make_readable_copy(path, os.path.join(folder, "work.db"))
    damaged = sqlite3.connect(build_uri(copy, "mode=ro"), uri=True)
    damaged.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        damaged.execute("PRAGMA writable_schema = ON")  # skip what is wrong with the schema
        db.execute("BEGIN IMMEDIATE")
        older = False
        with suppress(*FAILURES):
            older = is_older(damaged)
        rows = {table: _copy_table(damaged, db, table, older=older) for table in _TABLES}
        if older:
            rename_payload_fields(db)
        for key, value in _read_from_both_ends(damaged, "SELECT key, value FROM meta", "key"):
            if key in _KEPT_META:
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
        db.execute("COMMIT")
    finally:
        damaged.close()
        delete_copy(copy)
    return rows


def swap_files(path: str, saved: str, folder: str) -> str:
    """Move the damaged file into the folder, and the saved file to its path."""
    target = os.path.join(folder, os.path.basename(path))
    for end in ("-wal", "-shm"):  # they must never meet another database of the same name
        if os.path.exists(path + end):
            os.rename(path + end, target + end)
    try:
        os.link(path, target)
    except OSError:
        _copy_file(path, target)  # a disk without hard links
    os.replace(saved, path)  # at no moment is there no file: someone would begin a new one
    return target


def copy_with_sound_header(path: str, copy: str) -> bool:
    """Copy a file, and repair the header of the copy; False if more than the header is damaged."""
    _copy_with_wal(path, copy)
    if header.repair_header(copy, is_sound):
        return True
    delete_copy(copy)
    return False


def count_notes(path: str) -> int:
    """Return the number of notes in a sound file."""
    with closing(sqlite3.connect(build_uri(path, "mode=ro"), uri=True)) as db:
        return int(db.execute("SELECT count(*) FROM notes").fetchone()[0])


def delete_copy(copy: str) -> None:
    """Delete a copy of a database, and the write-ahead files beside it."""
    for end in ("", "-wal", "-shm"):
        if os.path.exists(copy + end):
            os.unlink(copy + end)


def _copy_with_wal(path: str, copy: str) -> None:
    _copy_file(path, copy)
    if os.path.exists(path + "-wal"):
        _copy_file(path + "-wal", copy + "-wal")


def write_reports(path: str, saved: RescueReport) -> None:
    """Write what was saved beside the damaged file, and for the next session beside the store."""
    said = f"{describe_rescue(saved)} The damaged file is {saved.path}\n".encode()
    with suppress(OSError):  # the store is back; whoever opened it is told
        write_new_file(os.path.join(os.path.dirname(saved.path), REPORT), said)
        replace_file(path + NOTICE, b"The store of twiceshy was damaged. " + said)


def describe_rescue(saved: RescueReport) -> str:
    """Describe in a sentence or two what became of the notes of a damaged store."""
    if saved.whole:
        return f"Its header is repaired, and nothing was lost: all {saved.notes} notes are there."
    said = f"{saved.notes} notes are back" if saved.notes else "None of its notes could be read"
    if saved.completed:
        copied = format_day(saved.copy_at)
        said += f", {saved.completed} of them completed from the copy of {copied}; what was written after it may be missing"
    elif not saved.copy_at:
        said += "; there was no copy to complete them from"
    return f"{said}."


def _make_readable_copy(path: str, copy: str) -> str:
    """Copy the file, and give the copy a header with which its pages can be read."""
    _copy_with_wal(path, copy)
    with open(copy, "rb") as file:
        start = file.read(header.LENGTH)
    if not start:
        with open(copy, "wb") as file:
            file.write(_build_first_page(copy + "-first"))
        return copy
    ours = start.startswith(b"SQLite format 3")
    if (
        ours and int.from_bytes(start[60:64], "big") > VERSION
    ):  # we would leave out what we do not know
        raise NewerStoreError(
            f"{path} is damaged, and it was written by a newer twiceshy",
            hint="upgrade twiceshy; it saves what can be read",
        )
    header.write_likely_header(copy)
    return copy


def _build_first_page(path: str) -> bytes:
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE one (x)")
    finally:
        db.close()
    with open(path, "rb") as file:
        page = bytearray(file.read(4096))
    os.unlink(path)
    page[92:96] = bytes(4)  # the size that the header gives is not to be believed
    return bytes(page)


def _copy_file(source: str, target: str) -> None:
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(source, "rb") as original, os.fdopen(handle, "wb") as copy:
        while chunk := original.read(1 << 20):
            copy.write(chunk)


def _copy_table(
    damaged: sqlite3.Connection, db: sqlite3.Connection, table: str, *, older: bool
) -> int:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info ({table})")]
    marks = ", ".join("?" * len(columns))
    before = db.total_changes
    for row in _read_rows(damaged, table, columns, older=older):
        if not _is_parseable(table, dict(zip(columns, row, strict=True))):
            continue
        try:
            db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        except FAILURES:
            continue  # the row could be read, but what it says is no longer of its type
    return db.total_changes - before


def _is_parseable(table: str, row: Mapping[str, object]) -> bool:
    try:
        for column, parse in _COLUMN_PARSERS.get(table, {}).items():
            parse(str(row[column]))
    except DamagedStoreError:
        return False
    return True


def _read_rows(
    damaged: sqlite3.Connection, table: str, columns: Sequence[str], *, older: bool
) -> list[Row]:
    """Read the readable rows: around broken rows if keys are known, else from both ends."""
    key, index = _TABLES[table]
    table, columns = older_names(table, columns) if older else (table, columns)
    query = f"SELECT {', '.join(columns)} FROM {table}"
    try:
        return damaged.execute(query).fetchall()
    except FAILURES:
        if not index:
            return _read_from_both_ends(damaged, query, key)
    try:
        known = damaged.execute(f"SELECT {key} FROM {table} INDEXED BY {index}").fetchall()
    except FAILURES:
        return _read_from_both_ends(damaged, query, key)
    keys = sorted({number for (number,) in known if isinstance(number, int)})
    return list(_read_around_damage(damaged, f"{query} WHERE {key} BETWEEN ? AND ?", keys))


def _read_around_damage(
    damaged: sqlite3.Connection, query: str, keys: Sequence[int]
) -> Iterator[Row]:
    """Yield the readable rows: halve unreadable ranges down to the broken rows."""
    if not keys:
        return
    try:
        rows = damaged.execute(query, (keys[0], keys[-1])).fetchall()
    except FAILURES:
        if len(keys) > 1:
            middle = len(keys) // 2
            yield from _read_around_damage(damaged, query, keys[:middle])
            yield from _read_around_damage(damaged, query, keys[middle:])
    else:
        yield from rows


def _read_from_both_ends(damaged: sqlite3.Connection, query: str, key: str) -> list[Row]:
    """Read rows from the front until an error, then from the back.

    Damage is seldom everywhere.
    """
    found: dict[Row, None] = {}
    for order in (key, f"{key} DESC"):
        try:
            for row in damaged.execute(f"{query} ORDER BY {order}"):
                found[row] = None
            break
        except FAILURES:
            continue
    return list(found)
