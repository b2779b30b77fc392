"""Read a table of another program's SQLite file by the names of its columns; never a change, never a lock for long.

The file, and what its writers have not yet put into it, is copied first: so nobody who writes to it waits for
us, and nothing that it holds can make us write to it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, object]

LARGEST = 512 * 1024 * 1024  # bytes
MOST_ROWS = 200_000
_BESIDE = ("", "-wal")  # what was committed lies in both; the third file is made anew


class DatabaseError(TwiceshyError):
    """A file that is no sound database, or has not the table that it should have."""


def rows(
    path: str, table: str, columns: Sequence[str], *, needs: Sequence[str] = ()
) -> Iterator[Row]:
    """Yield the rows of a table in the order they were written, as far as it has these columns.

    A column that is missing is left out of every row; one that is among ``needs`` is an error.
    """
    with tempfile.TemporaryDirectory(prefix="twiceshy-") as folder:
        copy = _copied(path, folder)
        try:
            with closing(_opened(copy)) as db:
                known = columns_of(db, table)
                if missing := [name for name in needs if name not in known]:
                    raise DatabaseError(f"its table {table} has no column {missing[0]}")
                yield from _rows(db, table, [name for name in columns if name in known])
        except sqlite3.Error as error:
            raise DatabaseError(f"it is no sound database: {error}") from error


def tables(path: str) -> list[str]:
    """Return the tables that a file has; none if it is no database."""
    try:
        with (
            tempfile.TemporaryDirectory(prefix="twiceshy-") as folder,
            closing(_opened(_copied(path, folder))) as db,
        ):
            found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
            return [name for (name,) in found if isinstance(name, str)]
    except (sqlite3.Error, DatabaseError):
        return []


def columns_of(db: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table; a view has none, for one can be written whose first row never comes."""
    real = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    query = f"SELECT name FROM pragma_table_info(?) WHERE EXISTS ({real})"  # noqa: S608 - ours alone
    found = db.execute(query, (table, table))
    return [name for (name,) in found if isinstance(name, str)]


def _rows(db: sqlite3.Connection, table: str, columns: Sequence[str]) -> Iterator[Row]:
    # names are ours, or were found among those that the file has; quoted all the same
    listed = ", ".join(map(_quoted, columns))
    query = f"SELECT {listed} FROM {_quoted(table)} LIMIT {MOST_ROWS}"  # noqa: S608 - see above
    for row in db.execute(query):
        yield dict(zip(columns, row, strict=True))


def _copied(path: str, folder: str) -> str:
    copy = os.path.join(folder, "copy.db")
    try:
        there = [suffix for suffix in _BESIDE if os.path.isfile(path + suffix)]
        if sum(os.stat(path + suffix).st_size for suffix in there) > LARGEST:
            raise DatabaseError(f"it is larger than {LARGEST // 1024 // 1024} MiB")
        for suffix in there:
            shutil.copyfile(path + suffix, copy + suffix)
    except OSError as error:
        raise DatabaseError(f"it cannot be read: {error.strerror}") from error
    return copy


def _opened(copy: str) -> sqlite3.Connection:
    db = sqlite3.connect(copy)
    db.text_factory = _text
    # a view or a trigger in a hostile file may call nothing
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA query_only = ON")
    return db


def _text(raw: bytes) -> str:
    """Return a text as it is; what is no UTF-8 is found out by whoever checks it."""
    return raw.decode("utf-8", "surrogateescape")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
