"""Read another program's SQLite file by column names, as of one moment, in memory.

No writer waits for us, nothing is written to the file, and no view, trigger or virtual table
is queried.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from twiceshy.core.draft import MAX_PAGE
from twiceshy.core.errors import TwiceshyError
from twiceshy.files import open_plain
from twiceshy.interop.imports.foreign_values import ForeignRow

MOST_ROWS = 200_000
LARGEST = 512 * 1024 * 1024  # bytes, of the file and of the log beside it
_LONGEST = 4 * MAX_PAGE + 4  # bytes of a text; one that has more is too long, whatever follows
_LOG, _JOURNAL = "-wal", "-journal"
_TRIES, _PAUSE = 10, 0.05  # seconds; a transaction takes a few thousandths


class DatabaseError(TwiceshyError):
    """A file that is no sound database, or lacks its table."""


class ForeignDatabase:
    """A database opened for reading."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def read_rows(
        self, table: str, columns: Sequence[str], *, needs: Sequence[str] = ()
    ) -> Iterator[ForeignRow]:
        """Yield rows of a table in writing order, with the columns present.

        A missing column is left out of every row; missing ``needs`` raise an error.
        """
        known = self._list_columns(table)
        if not known:
            raise DatabaseError(f"it has no table {table}")
        if missing := [name for name in needs if name not in known]:
            raise DatabaseError(f"its table {table} has no column {missing[0]}")
        names = [name for name in columns if name in known]
        # names are ours, or were found among those that the file has; quoted all the same
        listed = ", ".join(map(_quote_name, names))
        query = f"SELECT {listed} FROM {_quote_name(table)} LIMIT {MOST_ROWS}"  # noqa: S608 - see above
        try:
            for row in self._db.execute(query):
                yield ForeignRow(zip(names, row, strict=True))
        except sqlite3.Error as error:
            raise _describe_unsound(error) from error

    def _list_columns(self, table: str) -> list[str]:
        """Return the columns of a real table; views and virtual tables have none."""
        real = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
        query = f"SELECT name FROM pragma_table_info(?) WHERE EXISTS ({real})"  # noqa: S608 - ours alone
        try:
            found = self._db.execute(query, (table, table))
            return [name for (name,) in found if isinstance(name, str)]
        except sqlite3.Error as error:
            raise _describe_unsound(error) from error


@contextmanager
def open_database(path: str) -> Iterator[ForeignDatabase]:
    """Open the current content of a file; DatabaseError if unsound."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.text_factory = _decode_text
        try:
            _load_copy(path, db)
            # a default or a check in a hostile file may call nothing
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise _describe_unsound(error) from error
        yield ForeignDatabase(db)


def _load_copy(path: str, db: sqlite3.Connection) -> None:
    """Copy a database with its log into memory.

    SQLite reads a private owner-only copy, removed before the first row is read. Opened in
    place, even read-only, SQLite would write locks into their -shm file, or create one; with
    immutable=1 their log would be skipped.
    """
    with tempfile.TemporaryDirectory(prefix="twiceshy-") as folder:
        copy = os.path.join(folder, "copy.db")
        _copy_still(path, copy)
        with closing(sqlite3.connect(copy)) as source:
            (pages,), (size,) = (
                source.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
            )
            _refuse_large(pages * size)  # a hostile log may claim pages that are nowhere
            source.backup(db)


def _copy_still(path: str, copy: str) -> None:
    """Copy a database and its log while nobody writes."""
    for _ in range(_TRIES):
        before = _file_state(path)
        for suffix in ("", _LOG):
            _copy_file(path + suffix, copy + suffix)
        # A journal is never copied: SQLite would carry it out, and one can name other files to delete.
        if _file_state(path) == before and not _is_half_written(path):
            return
        time.sleep(_PAUSE)
    raise DatabaseError(
        "it is being written to, or its program was stopped while it wrote",
        hint="start that program once, let it finish, and try again",
    )


def _file_state(path: str) -> list[tuple[int, ...]]:
    """Return figures that change with every write."""
    found: list[tuple[int, ...]] = []
    for suffix in ("", _LOG, _JOURNAL):
        try:
            told = os.stat(path + suffix)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise _unreadable_error(error) from error
        found.append((told.st_ino, told.st_size, told.st_mtime_ns))
    return found


def _copy_file(source: str, target: str) -> None:
    try:
        with open(source, "rb", opener=open_plain) as file, open(target, "wb") as copy:
            _refuse_large(os.fstat(file.fileno()).st_size)
            shutil.copyfileobj(file, copy)
    except FileNotFoundError as error:
        if not source.endswith(_LOG):
            raise DatabaseError("it is not there") from error
        if os.path.exists(target):
            os.unlink(target)  # of an earlier try
    except OSError as error:
        raise _unreadable_error(error) from error


def _refuse_large(size: int) -> None:
    if size > LARGEST:
        raise DatabaseError(f"it is larger than {LARGEST // 1024**2} MiB")


def _is_half_written(path: str) -> bool:
    """True if a rollback journal is active; a finished one is gone or zeroed."""
    try:
        with open(path + _JOURNAL, "rb", opener=open_plain) as file:
            return file.read(1) not in (b"", b"\0")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unreadable_error(error) from error


def _unreadable_error(error: Exception) -> DatabaseError:
    return DatabaseError(f"it cannot be read: {getattr(error, 'strerror', None) or error}")


def _describe_unsound(error: sqlite3.Error) -> DatabaseError:
    return DatabaseError(f"it is no sound database: {error}")


def _decode_text(raw: bytes) -> str:
    """Return raw text; invalid UTF-8 is left to the caller's check."""
    return raw[:_LONGEST].decode("utf-8", "surrogateescape")


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
