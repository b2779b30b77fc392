"""Read a store of an older schema that cannot be written, through a converted copy in memory."""

from __future__ import annotations

from twiceshy.store import settle
from twiceshy.store.connect import COMMAND_PATIENCE
from twiceshy.store.driver import sqlite3
from twiceshy.store.migrate import IN_MEMORY, migrate


def convert_in_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a converted copy of a database; the original is closed."""
    copy = sqlite3.connect(IN_MEMORY, isolation_level=None)
    db.backup(copy)
    db.close()
    migrate(copy, IN_MEMORY, COMMAND_PATIENCE, now=0)
    for _ in settle.reindex_notes(copy):
        pass
    return copy
