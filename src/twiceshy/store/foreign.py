"""Recognise a file of another program, to which ``store.path`` may point by mistake.

The file is only read, without locks and without write-ahead files: nothing is left beside it.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import ForeignStoreError
from twiceshy.store.driver import sqlite3

# Another program may have tables with one of these names. A damaged store of ours may lack some.
_OUR_TABLES = ("journal", "payloads", "tombstones", "migrations", "counters", "signals")
_FEWEST = 2
_OUR_WORD = b"tombstones"  # in the statements of our schema
_CHUNK = 1 << 20


def refuse_foreign_file(path: str, uri: str) -> None:
    """Raise ForeignStoreError for a database with tables of another program, or another file."""
    if not os.path.getsize(path):
        return
    tables = _list_tables(uri)
    if tables is None:
        foreign = not _holds_our_word(path)
    else:
        foreign = bool(tables) and len(tables.intersection(_OUR_TABLES)) < _FEWEST
    if foreign:
        raise ForeignStoreError(
            f"{path} belongs to another program; nothing in it was changed",
            hint="set store.path to a file of its own, or back: twiceshy config unset store.path",
        )


def _list_tables(uri: str) -> set[str] | None:
    """Return the names of all tables; None if the file is not a database that can be read."""
    db = sqlite3.connect(uri, uri=True)
    try:
        return {
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    finally:
        db.close()


def _holds_our_word(path: str) -> bool:
    """True if a damaged file, or what was written last beside it, holds a part of our schema."""
    for name in (path, f"{path}-wal"):
        try:
            with open(name, "rb") as file:
                last = b""
                while chunk := file.read(_CHUNK):
                    if _OUR_WORD in last + chunk:
                        return True
                    last = chunk[-len(_OUR_WORD) :]
        except OSError:
            continue
    return False
