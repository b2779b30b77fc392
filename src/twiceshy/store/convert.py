"""Convert a store of before the first release: today's names of tables, columns and fields, nothing else.

A hook never converts: it leaves its records in the spool and starts the background job. The conversion is
one transaction behind one backup, so a kill at any moment leaves the old store or the new one.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.history import rename_older_fields
from twiceshy.store.rows import dump_payload, load_payload
from twiceshy.store.schema import FIRST

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.store.driver import sqlite3

_TABLES = {
    "tallies": "counters",
    "firings": "trigger_counts",
    "readings": "transcript_progress",
    "uses": "skill_uses",
    "usage": "skill_usage",
    "calls": "seen_calls",
    "ledger": "model_calls",
    "runs": "maintenance_runs",
}
_COLUMNS = (
    ("notes", "life", "status"),
    ("sessions", "era", "compactions"),
    ("sessions", "looked", "changes_seen"),
    ("sessions", "fullness", "context_percent"),
    ("trigger_counts", "right", "failed_calls"),
    ("trigger_counts", "wrong", "succeeded_calls"),
)
_AT_ONCE = 1_000  # payloads
_CLAIM_S = 120  # a job that has not converted by then was killed


def is_older(db: sqlite3.Connection) -> bool:
    """True if a database has the names of before the first release."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return 0 < version < FIRST or (version == 0 and "life" in _columns_of(db, "notes"))


def convert(db: sqlite3.Connection) -> None:
    """Rename tables, columns and the fields in payloads, inside the caller's transaction."""
    for old, new in _TABLES.items():
        if _columns_of(db, old):
            _drop_indexes(db, old)  # the schema makes them again under their new names
            db.execute(f"ALTER TABLE {old} RENAME TO {new}")
    for table, old, new in _COLUMNS:
        if old in _columns_of(db, table):
            db.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    if _columns_of(db, "payloads"):
        rename_payload_fields(db)
    db.execute("DROP TABLE IF EXISTS migrations")
    db.execute("PRAGMA user_version = 0")


def claim_conversion(path: str, *, now_s: float) -> bool:
    """True for the first caller in two minutes: this caller starts the background job."""
    claim = path + ".converting"
    try:
        if now_s - os.stat(claim).st_mtime < _CLAIM_S:
            return False
        os.unlink(claim)
    except FileNotFoundError:
        pass
    try:
        os.close(os.open(claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError:
        return False
    return True


def release_conversion(path: str) -> None:
    """Remove the claim after a conversion."""
    with suppress(FileNotFoundError):
        os.unlink(path + ".converting")


def older_names(table: str, columns: Sequence[str]) -> tuple[str, list[str]]:
    """Return what a table and its columns were called before the first release."""
    older = {new: old for old, new in _TABLES.items()}
    known = {new: f'"{old}"' for where, old, new in _COLUMNS if where == table}
    return older.get(table, table), [known.get(name, name) for name in columns]


def rename_payload_fields(db: sqlite3.Connection) -> None:
    """Give the fields in payloads today's names."""
    last = -1
    while True:
        rows = db.execute(
            "SELECT id, body FROM payloads WHERE id > ? ORDER BY id LIMIT ?", (last, _AT_ONCE)
        ).fetchall()
        if not rows:
            return
        last = rows[-1][0]
        for number, body in rows:
            if '"life"' in body:
                renamed = dump_payload(rename_older_fields(load_payload(body)))
                db.execute("UPDATE payloads SET body = ? WHERE id = ?", (renamed, number))


def _drop_indexes(db: sqlite3.Connection, table: str) -> None:
    named = (
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
    )
    for (name,) in db.execute(named, (table,)).fetchall():
        db.execute(f"DROP INDEX {name}")


def _columns_of(db: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in db.execute(f"PRAGMA table_info ({table})")}
