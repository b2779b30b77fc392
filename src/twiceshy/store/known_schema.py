"""Tell at once that a store has today's tables: by SQLite's own count of changes to them.

``migrate`` compares table by table and remembers the count; a hook need not load it.
"""

from __future__ import annotations

from twiceshy.store.connect import FAILURES

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.store.driver import sqlite3

TODAY = 111  # the version of the schema; a test compares it with the steps
_KEY = "schema"


def is_schema_known(db: sqlite3.Connection) -> bool:
    """True if nothing changed the tables since they were compared with this version's."""
    try:
        row = db.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
        return row is not None and row[0] == _describe_schema(db)
    except FAILURES:
        return False  # whoever compares the tables says what is wrong


def remember_schema(db: sqlite3.Connection) -> None:
    """Remember that the tables were compared."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY, _describe_schema(db)))


def _describe_schema(db: sqlite3.Connection) -> str:
    """Return this version, the file's, its steps, and how often its tables were changed."""
    counts = "PRAGMA user_version", "PRAGMA schema_version", "SELECT count(*) FROM migrations"
    return " ".join(
        str(one) for one in (TODAY, *(db.execute(each).fetchone()[0] for each in counts))
    )
