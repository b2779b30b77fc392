"""Open the database file in write-ahead mode, with the lock patience of the caller."""

from __future__ import annotations

import os
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS

from twiceshy.core.errors import BusyError, DamagedStoreError, DiskFullError, StoreError
from twiceshy.core.value import Value
from twiceshy.store.driver import sqlite3
from twiceshy.store.store_file import DEFAULT_NAME, REPAIR, is_writable, prepare_file

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


SQLITE_VERSION = sqlite3.sqlite_version


class LockPatience(Value):
    """How long to wait for a second writer, and the durability of writes."""

    wait_ms: int
    retries: int
    synchronous: str


# Python cannot even tell what SQLite complains about when that quotes a damaged schema.
FAILURES = (sqlite3.Error, UnicodeDecodeError)
# SQLite's own waiting is unfair: of eight writers one waited 5.05 s and failed at 5 s. So a command
# tries again above it, while a hook gives up after 100 ms and leaves its record in the spool.
_BUSY_WAIT_MS = 20
COMMAND_PATIENCE = LockPatience(wait_ms=5_000, retries=6, synchronous="FULL")
HOOK_PATIENCE = LockPatience(wait_ms=100, retries=0, synchronous="NORMAL")


def connect(path: str, patience: LockPatience) -> sqlite3.Connection:
    """Open the file for reading and writing; create file and folder if missing."""
    db: sqlite3.Connection | None = None
    try:
        _refuse_foreign_file(path)
        prepare_file(path)
        db = opened = _open_connection(path, patience)
        # cached by SQLite in the file: after the first time this is a look, not a change
        retry_when_busy(lambda: opened.execute("PRAGMA journal_mode = WAL").fetchone(), patience)
        db.execute(f"PRAGMA synchronous = {patience.synchronous}")
        db.execute("PRAGMA secure_delete = ON")
    except (OSError, *FAILURES) as error:
        if db is not None:
            db.close()
        raise explain_error(error, path) from error
    return db


def _refuse_foreign_file(path: str) -> None:
    if os.path.basename(path) != DEFAULT_NAME and os.path.isfile(path):  # the user said where
        from twiceshy.store.foreign import refuse_foreign_file

        refuse_foreign_file(path, build_uri(path, "mode=ro&immutable=1"))


def connect_read_only(path: str, patience: LockPatience) -> sqlite3.Connection:
    """Open the file without changing anything; works on a read-only disk too."""
    try:
        return _open_read_only(path, "mode=ro", patience)
    except FAILURES as error:
        # a write-ahead database on a disk that cannot be written needs the other form, which does
        # not look at the write-ahead file: better no answer than an old one
        if is_damage(error) or (os.path.exists(path + "-wal") and os.path.getsize(path + "-wal")):
            raise explain_error(error, path) from error
    try:
        return _open_read_only(path, "immutable=1", patience)
    except FAILURES as error:
        raise explain_error(error, path) from error


def build_uri(path: str, mode: str) -> str:
    """Build the SQLite URI for a path and an open mode."""
    return f"file:{path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?{mode}"


def retry_when_busy(action: Callable[[], T], patience: LockPatience) -> T:
    """Repeat an action while a different process holds the lock, within the patience."""
    for _ in range(patience.retries):
        try:
            return action()
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
    return action()


def begin_write(db: sqlite3.Connection, patience: LockPatience) -> None:
    """Begin a write transaction, waiting in many short intervals.

    With long intervals SQLite lets the other writers go first: of eight writers the slowest waited
    4.1 s in one long interval, 1.05 s in short ones.
    """
    turns = max(1, patience.wait_ms * (patience.retries + 1) // _BUSY_WAIT_MS)
    db.execute(f"PRAGMA busy_timeout = {min(_BUSY_WAIT_MS, patience.wait_ms)}")
    try:
        retry_when_busy(lambda: db.execute("BEGIN IMMEDIATE"), patience.but(retries=turns - 1))
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience.wait_ms}")


def is_busy(error: sqlite3.Error) -> bool:
    """True if the only problem is a second writer."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def is_damage(error: Exception) -> bool:
    """True if the error means a damaged file."""
    if isinstance(error, UnicodeDecodeError):
        return True
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(_DAMAGE_CODES) or str(error).endswith(_DAMAGE_WORDS)


def explain_error(error: sqlite3.Error | UnicodeDecodeError | OSError, path: str) -> StoreError:
    """Convert an SQLite or operating system error to a StoreError with a hint."""
    if isinstance(error, OSError):
        return _explain_os_error(error, path)
    if isinstance(error, sqlite3.Error) and is_busy(error):
        return BusyError(
            "another twiceshy is writing and did not finish in time",
            hint="try again; if it lasts, look for a hanging process with: twiceshy doctor",
        )
    name = getattr(error, "sqlite_errorname", "")
    # a file that may be written is read-only to SQLite if its header was damaged
    if is_damage(error) or (name == "SQLITE_READONLY" and is_writable(path)):
        return DamagedStoreError(f"{path} is damaged: {error}", hint=REPAIR)
    if name.startswith(_DISK_FULL_CODES):
        return _build_full_error(path)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return _build_forbidden_error(path, error)
    return StoreError(f"the store failed: {error}", hint="see: twiceshy doctor")


# nothing that we write is too big for SQLite, so it has read a length that is none
_DAMAGE_CODES = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_TOOBIG")
_DAMAGE_WORDS = ("decode to UTF-8", "unsupported file format")
_DISK_FULL_CODES = (
    "SQLITE_FULL",
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_TRUNCATE",
)


def _explain_os_error(error: OSError, path: str) -> StoreError:
    if error.errno in (ENOSPC, EDQUOT):
        return _build_full_error(path)
    if error.errno in (EACCES, EPERM, EROFS):
        return _build_forbidden_error(path, error.strerror)
    if isinstance(error, FileExistsError | NotADirectoryError):
        return StoreError(f"{os.path.dirname(path)} is not a folder", hint="set TWICESHY_HOME")
    return StoreError(f"cannot use {path}: {error.strerror}", hint="see: twiceshy doctor")


def _build_full_error(path: str) -> StoreError:
    return DiskFullError(
        "the disk is full; nothing was changed", hint=f"make room for {os.path.dirname(path)}"
    )


def _build_forbidden_error(path: str, why: object) -> StoreError:
    return StoreError(
        f"cannot write to {path}: {why}",
        hint="check the owner and mode of the folder, or set TWICESHY_HOME",
    )


def _open_read_only(path: str, mode: str, patience: LockPatience) -> sqlite3.Connection:
    db = _open_connection(build_uri(path, mode), patience, is_uri=True)
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except FAILURES:
        db.close()
        raise
    return db


def _open_connection(
    target: str, patience: LockPatience, *, is_uri: bool = False
) -> sqlite3.Connection:
    # autocommit: every transaction is written out, none is implied
    return sqlite3.connect(
        target, timeout=patience.wait_ms / 1000, isolation_level=None, uri=is_uri
    )
