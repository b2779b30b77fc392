"""Tell at once that a store has today's tables: by SQLite's own count of changes to them.

``migrate`` compares table by table and remembers the count; a hook need not load it.
"""

from __future__ import annotations

from twiceshy.store.connect import FAILURES

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.store.driver import sqlite3

TODAY = 114  # the version of the schema; a test compares it with the steps
_KEY = "schema"


def is_schema_known(db: sqlite3.Connection) -> bool:
    """True if nothing changed the tables since they were compared with this version's."""
    try:
        if _read_number(db, "PRAGMA user_version") != TODAY:
            return False
        row = db.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
        return row is not None and row[0] == _describe_schema(db)
    except FAILURES:
        return False  # whoever compares the tables says what is wrong


def remember_schema(db: sqlite3.Connection) -> None:
    """Remember that the tables were compared."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, _describe_schema(db)))


def _describe_schema(db: sqlite3.Connection) -> str:
    """Return this version, how often the tables were changed, and how many steps are recorded."""
    changes = _read_number(db, "PRAGMA schema_version")
    return f"{TODAY} {changes} {_read_number(db, 'SELECT count(*) FROM migrations')}"


def _read_number(db: sqlite3.Connection, sql: str) -> int:
    number: int = db.execute(sql).fetchone()[0]
    return number
