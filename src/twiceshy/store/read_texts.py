"""Read every text of a database file of ours, whatever its schema, for who looks for something in all of them."""

from __future__ import annotations

import os
from contextlib import closing

from twiceshy.core.errors import StoreError
from twiceshy.store.driver import sqlite3

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_INDEX = ("words", "sqlite_")  # made of other tables, or SQLite's own


def read_all_texts(path: str) -> Iterator[tuple[str, str]]:
    """Yield the table and the text of each value of a database; StoreError if it cannot be read."""
    if not os.path.exists(path):
        return
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            named = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            for (table,) in db.execute(named).fetchall():
                if table.startswith(_INDEX):
                    continue
                quoted = table.replace('"', '""')
                for row in db.execute(f'SELECT * FROM "{quoted}"'):
                    yield from (
                        (table, value) for value in row if isinstance(value, str) and value
                    )
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
