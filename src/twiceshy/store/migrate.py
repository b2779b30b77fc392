"""Migrate a database to today's schema, with a backup, and mend lost parts.

A database of a newer schema is refused.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.errors import NewerStoreError, OlderStoreError
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.store.connect import FAILURES, begin_write, explain_error
from twiceshy.store.driver import sqlite3
from twiceshy.store.known_schema import is_schema_known, remember_schema
from twiceshy.store.schema import FIRST, STEPS
from twiceshy.store.store_file import make_folder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.store.connect import LockPatience
    from twiceshy.store.schema_repair import Step

IN_MEMORY = ":memory:"
FOREIGN_PARTS = "foreign parts"  # in meta: what another program had put into the store
_LONGEST_NAMES = 200
BACKUPS_KEPT = 2  # schemas; each backup is as large as the store


def migrate(
    db: sqlite3.Connection,
    path: str,
    patience: LockPatience,
    *,
    now: int,
    steps: Sequence[Step] = STEPS,
) -> bool:
    """Apply missing schema steps; return True if derived tables need a rebuild."""
    try:
        today = FIRST + len(steps)
        if _has_known_shape(db) and _count_steps(db) == len(steps):
            if _read_version(db) != today:  # the number was lost, nothing else
                _restore_version(db, patience, today)
            _remember_schema(db, patience)
            return False
        refuse_newer_schema(db, steps)
        _refuse_in_hook(db, patience)
        begin_write(db, patience)
        try:
            mended = _apply_steps(db, path, now=now, steps=steps)
            db.execute("COMMIT")
            _remember_schema(db, patience)
            _release_conversion(path)
        except BaseException:
            if db.in_transaction:  # a full disk ends it without us
                db.execute("ROLLBACK")
            raise
    except (OSError, *FAILURES) as error:
        raise explain_error(error, path) from error
    return mended


def _remember_schema(db: sqlite3.Connection, patience: LockPatience) -> None:
    """Remember what was compared; a hook leaves that to commands, and nobody waits for it."""
    if patience.retries and not is_schema_known(db):
        with suppress(*FAILURES):  # busy, or the disk is full: the next one compares again
            remember_schema(db)


def refuse_newer_schema(db: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """Raise NewerStoreError for an unknown, newer schema."""
    version = _read_version(db)
    if version > FIRST + len(steps):
        raise NewerStoreError(
            f"this store has schema {version}, but this twiceshy knows only {FIRST + len(steps)}",
            hint="upgrade twiceshy; until then the notes can be read, not changed",
        )


def _restore_version(db: sqlite3.Connection, patience: LockPatience, version: int) -> None:
    begin_write(db, patience)
    db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")


def needs_migration(db: sqlite3.Connection) -> bool:
    """True if a database has an older schema."""
    return 0 < _read_version(db) < FIRST + len(STEPS)


def _refuse_in_hook(db: sqlite3.Connection, patience: LockPatience) -> None:
    """Let no hook change a schema: the backup of a large store takes seconds, and a session would wait."""
    if not patience.retries and _has_notes(db):
        raise OlderStoreError(
            "this store has the schema of an older twiceshy and is being converted",
            hint="any command converts it at once, for example: twiceshy status",
        )


def _has_notes(db: sqlite3.Connection) -> bool:
    """True if a database is more than an empty file."""
    tables = "SELECT 1 FROM sqlite_master WHERE name IN ('notes', 'journal')"
    return db.execute(tables).fetchone() is not None


def _release_conversion(path: str) -> None:
    from twiceshy.store.convert import release_conversion

    release_conversion(path)


def _convert_older(db: sqlite3.Connection) -> bool:
    from twiceshy.store.convert import convert, is_older

    if not is_older(db):
        return False
    convert(db)
    return True


def list_missing_parts(db: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> list[str]:
    """Return the names of missing tables, columns and indexes."""
    from twiceshy.store import schema_repair

    with schema_repair.open_reference(steps) as whole:
        return [part.name for part in schema_repair.list_lost_parts(db, whole)]


def back_up(path: str, version: int, *, now: int) -> str:
    """Copy the database to ``backups/``, owner-only: one copy of a schema, of two schemas at most.

    Older copies are deleted before: the store itself is sound until the copy is complete.
    """
    folder = os.path.join(os.path.dirname(path), "backups")
    make_folder(folder)
    _delete_older_backups(folder, version)
    when = format_stamp(now).replace(":", "").replace(".", "-")
    target = os.path.join(folder, f"schema-{version}-{when}-{os.getpid()}.db")
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    source, copy = sqlite3.connect(path), sqlite3.connect(target)
    try:
        source.backup(copy)
    except sqlite3.Error:
        os.unlink(target)
        raise
    finally:
        source.close()
        copy.close()
    return target


def _delete_older_backups(folder: str, version: int) -> None:
    ours = _list_backups(folder)
    same = [name for name in ours if name.startswith(f"schema-{version}-")]
    others = [name for name in ours if name not in same]
    for old in (*same, *others[: len(others) + 1 - BACKUPS_KEPT]):
        os.unlink(os.path.join(folder, old))


def _apply_steps(db: sqlite3.Connection, path: str, *, now: int, steps: Sequence[Step]) -> bool:
    from twiceshy.store import schema_repair

    refuse_newer_schema(db, steps)  # a sibling may have migrated while we waited for the lock
    version = _read_version(db)
    had_notes = _has_notes(db)
    with schema_repair.open_reference(steps) as whole:
        # the number was lost, the tables were not: mend, do not repeat
        due = [] if version < FIRST and had_notes else list(steps[max(0, version - FIRST) :])
        if (
            path != IN_MEMORY
            and had_notes
            and (
                version < FIRST + len(steps)
                or (not due and schema_repair.list_lost_parts(db, whole))
            )
        ):
            back_up(path, version, now=now)
        foreign = schema_repair.drop_foreign_parts(db)
        converted = _convert_older(db)
        for statement in schema_repair.split_statements(
            schema_repair.META_TABLES, *(step for _, step in due)
        ):
            db.execute(statement)
        mended = schema_repair.restore_parts(db, whole) or converted
    for number, (name, _) in enumerate(steps, start=1):
        db.execute("INSERT OR IGNORE INTO migrations VALUES (?, ?, ?)", (number, name, now))
    db.execute(f"PRAGMA user_version = {FIRST + len(steps)}")
    db.execute("INSERT OR REPLACE INTO meta VALUES ('shape', ?)", (_dump_schema(db),))
    if foreign:
        told = f"{format_day(now)} {', '.join(foreign)}"[:_LONGEST_NAMES]
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (FOREIGN_PARTS, told))
    return mended or bool(foreign) or (bool(due) and schema_repair.has_unindexed_notes(db))


def _list_backups(folder: str) -> list[str]:
    """Return the file names of our backups, oldest first."""
    ours = [name for name in os.listdir(folder) if name.startswith("schema-")]
    return sorted((n for n in ours if n.endswith(".db")), key=lambda name: name.split("-", 2)[2])


def _has_known_shape(db: sqlite3.Connection) -> bool:
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'shape'").fetchone()
        return bool(row and row[0] == _dump_schema(db))
    except sqlite3.OperationalError:
        return False


def _count_steps(db: sqlite3.Connection) -> int:
    count: int = db.execute("SELECT count(*) FROM migrations").fetchone()[0]
    return count


def _dump_schema(db: sqlite3.Connection) -> str:
    """Return the schema as text: cheaper to compare at every start than a hash."""
    parts = db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    return repr((parts, (_count_steps(db),)))


def _read_version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version
