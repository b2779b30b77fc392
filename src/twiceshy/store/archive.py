"""Take episodes out of the database as if they had never been there, and give the room back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

_WORTH = 256  # free pages, a megabyte, below which nobody is made to wait for it
_SHARE = 4  # of the file that must be free


def remove(db: sqlite3.Connection, episode_id: str) -> None:
    """Delete an episode and its history, inside the caller's transaction."""
    db.execute("DELETE FROM payloads WHERE object = ?", (episode_id,))
    db.execute("DELETE FROM journal WHERE object = ?", (episode_id,))
    db.execute("DELETE FROM episodes WHERE id = ?", (episode_id,))


def shrink(db: sqlite3.Connection, path: str) -> int:
    """Rewrite the file if much of it is free; who is busy with it is not disturbed."""
    free, pages = (db.execute(f"PRAGMA {what}").fetchone()[0] for what in _COUNTS)
    if db.in_transaction or free < _WORTH or free * _SHARE < pages:
        return 0
    before = os.path.getsize(path)
    with suppress(sqlite3.OperationalError):  # the next time will do
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return max(0, before - os.path.getsize(path))


_COUNTS = ("freelist_count", "page_count")
