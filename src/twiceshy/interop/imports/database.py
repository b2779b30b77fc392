"""Read another program's SQLite file by the names of its columns: what it held at one moment, in memory.

Nobody who writes to it waits for us, nothing that it holds can make us write to it, and no view, trigger or
virtual table of it is ever asked.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from twiceshy.core.draft import MAX_PAGE
from twiceshy.interop.imports.image import DatabaseError, image

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, object]

MOST_ROWS = 200_000
_LONGEST = 4 * MAX_PAGE + 4  # bytes of a text; one that has more is too long, whatever follows


class Database:
    """A database that is read."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def rows(
        self, table: str, columns: Sequence[str], *, needs: Sequence[str] = ()
    ) -> Iterator[Row]:
        """Yield the rows of a table in the order they were written, as far as it has these columns.

        A column that is missing is left out of every row; one that is among ``needs`` is an error.
        """
        known = self._columns(table)
        if not known:
            raise DatabaseError(f"it has no table {table}")
        if missing := [name for name in needs if name not in known]:
            raise DatabaseError(f"its table {table} has no column {missing[0]}")
        names = [name for name in columns if name in known]
        # names are ours, or were found among those that the file has; quoted all the same
        listed = ", ".join(map(_quoted, names))
        query = f"SELECT {listed} FROM {_quoted(table)} LIMIT {MOST_ROWS}"  # noqa: S608 - see above
        try:
            for row in self._db.execute(query):
                yield dict(zip(names, row, strict=True))
        except sqlite3.Error as error:
            raise _unsound(error) from error

    def _columns(self, table: str) -> list[str]:
        """Return the columns of a table; a view has none, for one can be written whose first row never comes.

        Views and virtual tables have no page of their own.
        """
        real = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
        query = f"SELECT name FROM pragma_table_info(?) WHERE EXISTS ({real})"  # noqa: S608 - ours alone
        try:
            found = self._db.execute(query, (table, table))
            return [name for (name,) in found if isinstance(name, str)]
        except sqlite3.Error as error:
            raise _unsound(error) from error


@contextmanager
def opened(path: str) -> Iterator[Database]:
    """Open what a file holds now; DatabaseError if it is no sound database."""
    with closing(sqlite3.connect(":memory:")) as db:
        if not hasattr(db, "deserialize"):
            raise DatabaseError(
                "the SQLite of this Python is too old to read it in memory",
                hint="use a Python whose SQLite is 3.36 or newer",
            )
        db.text_factory = _text
        try:
            db.deserialize(image(path))
            # a default or a check in a hostile file may call nothing
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise _unsound(error) from error
        yield Database(db)


def _unsound(error: sqlite3.Error) -> DatabaseError:
    return DatabaseError(f"it is no sound database: {error}")


def _text(raw: bytes) -> str:
    """Return a text as it is; what is no UTF-8 is found out by whoever checks it."""
    return raw[:_LONGEST].decode("utf-8", "surrogateescape")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
