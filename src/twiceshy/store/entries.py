"""Journal rows: append-only entries, and their payloads."""

from __future__ import annotations

from twiceshy.core.history import JournalEntry
from twiceshy.store.rows import check_types, dump_payload, load_payload

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.history import Fields

# of clock, device, batch, op, object, at and refers
_TYPES = (int, str, str, str, str, int, str)
SELECT_ENTRIES = """
    SELECT j.clock, j.device, j.batch, j.op, j.object, j.at, b.body, a.body, j.refers
    FROM journal j LEFT JOIN payloads b ON b.id = j.before LEFT JOIN payloads a ON a.id = j.after
"""


def append_entry(db: sqlite3.Connection, entry: JournalEntry) -> bool:
    """Insert an entry; return False if already known."""
    known = db.execute(
        "SELECT 1 FROM journal WHERE clock = ? AND device = ?", (entry.clock, entry.device)
    ).fetchone()
    if known:
        return False
    db.execute(
        "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.clock,
            entry.device,
            entry.batch,
            entry.op,
            entry.object,
            entry.at,
            _insert_payload(db, entry.object, entry.before),
            _insert_payload(db, entry.object, entry.after),
            entry.refers,
        ),
    )
    return True


def list_entries(db: sqlite3.Connection, object_id: str) -> list[JournalEntry]:
    """Return every entry about an object, oldest first."""
    return select_entries(db, "j.object = ? ORDER BY j.clock", (object_id,))


def select_entries(
    db: sqlite3.Connection, where: str, values: Sequence[object]
) -> list[JournalEntry]:
    """Return the entries matching a condition on the journal ``j``, in the given order."""
    return [_build_entry(row) for row in db.execute(f"{SELECT_ENTRIES} WHERE {where}", values)]


def list_objects(db: sqlite3.Connection) -> list[str]:
    """Return the id of every object with a history."""
    return [object_id for (object_id,) in db.execute("SELECT DISTINCT object FROM journal")]


def list_histories(db: sqlite3.Connection, prefix: str) -> list[list[JournalEntry]]:
    """Return the histories of objects by id prefix (for few objects only)."""
    query = "SELECT DISTINCT object FROM journal WHERE object >= ? AND object < ?"
    found = db.execute(query, (prefix, chr(ord(prefix) + 1)))
    return [list_entries(db, object_id) for (object_id,) in found.fetchall()]


def clear_lost_payloads(db: sqlite3.Connection) -> list[str]:
    """Clear references to lost payloads; return the affected objects.

    Otherwise a new payload could get the number of a lost one.
    """
    found: set[str] = set()
    for side in ("before", "after"):
        dangling = f"{side} IS NOT NULL AND {side} NOT IN (SELECT id FROM payloads)"
        found |= {row[0] for row in db.execute(f"SELECT object FROM journal WHERE {dangling}")}
        db.execute(f"UPDATE journal SET {side} = NULL WHERE {dangling}")
    return sorted(found)


def set_aside_lost_entries(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Remove and return the entries with lost payloads, so that a copy can bring them whole."""
    lost = " OR ".join(
        f"({side} IS NOT NULL AND {side} NOT IN (SELECT id FROM payloads))"
        for side in ("before", "after")
    )
    rows = db.execute(f"SELECT * FROM journal WHERE {lost}").fetchall()
    db.execute(f"DELETE FROM journal WHERE {lost}")
    return rows


def put_back_entries(db: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert entries that were set aside, unless they are known again."""
    marks = ", ".join("?" * 9)
    db.executemany(f"INSERT OR IGNORE INTO journal VALUES ({marks})", rows)


def erase_payloads(db: sqlite3.Connection, object_id: str) -> None:
    """Delete the payloads of an object; its journal rows stay as a record."""
    db.execute("UPDATE journal SET before = NULL, after = NULL WHERE object = ?", (object_id,))
    db.execute("DELETE FROM payloads WHERE object = ?", (object_id,))


def _insert_payload(db: sqlite3.Connection, object_id: str, fields: Fields | None) -> int | None:
    if fields is None:
        return None
    return db.execute(
        "INSERT INTO payloads (object, body) VALUES (?, ?)", (object_id, dump_payload(fields))
    ).lastrowid


def _build_entry(row: tuple[object, ...]) -> JournalEntry:
    *told, before, after, refers = row
    check_types([*told, refers], _TYPES)
    payloads = [None if body is None else load_payload(str(body)) for body in (before, after)]
    return JournalEntry.of(
        dict(zip(JournalEntry.__fields__, (*told, *payloads, refers), strict=True))
    )
