"""The database file and its folder: created atomically, readable by the owner only."""

from __future__ import annotations

import os
import stat
from errno import EACCES

from twiceshy.core.errors import DamagedStoreError, ForeignStoreError, StoreError
from twiceshy.files import OWN_IT, is_foreign_file, refuse_foreign_folder
from twiceshy.store.driver import sqlite3

README = """This folder is the memory of twiceshy: what your coding agents learned in earlier sessions.

twiceshy.db    the notes and their history, an SQLite database; read it with: sqlite3 twiceshy.db
twiceshy.db-*  what was written last and is not in the file above yet; it belongs to it
spool          records that wait for the database, if there are any
held/          records of hooks that are at work, or were ended before they were done
calls/         failed calls of the last days, and the calls behind each, redacted
found/         short hashes of secrets that sessions met, so that they are known again; found.key made them
settings/      your settings as hooks read them, made again when you change them
hook.log       what went wrong in hooks, if anything did
bin/           what your coding agents start when something happens
claude-code/   the plugin that was put into Claude Code
receipts/      what `twiceshy install` changed, so that `uninstall` can take it back
backups/       a copy made before the schema was changed, for the last two schemas
copies/        the newest compressed copies of the whole memory; `twiceshy recover --copy` restores
rescued/       damaged databases, set aside for as long as evidence is kept
forgetting/    what `twiceshy forget` has still to erase, if it was interrupted

Nothing here leaves this machine unless you export or sync it. To erase a note everywhere in this
folder: twiceshy forget <id>. To start over, delete the folder.
"""
DEFAULT_NAME = "twiceshy.db"  # a store that the user put elsewhere is not explained there
UNBORN = f"{DEFAULT_NAME}.new-"  # a database that is being created, or whose process was killed
_MARK = "-damaged"
REPORT = "report.txt"  # beside a damaged file that was set aside
NOTICE = "-rescued"  # what a rescue saved, until a session start has told it
_LONGEST_NOTICE = 2_000
REPAIR = "the next command sets it aside and saves what can be read; see: twiceshy doctor"


def prepare_file(path: str) -> None:
    """Create the database if missing; make an existing file owner-only.

    An empty or read-only file is an error, and so is one that another user can replace.
    """
    refuse_foreign_folder(os.path.dirname(path), store=path)
    try:
        found = os.stat(path)
    except FileNotFoundError:
        make_folder(os.path.dirname(path))
        if os.path.basename(path) == DEFAULT_NAME:
            _write_readme(os.path.dirname(path))
        _create_database(path)
        _tell_of_copies(path)
        return
    # a rescue would copy a device without end, or wait for a pipe
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file", hint="move it away, or set TWICESHY_HOME")
    _refuse_pipes(path)
    if is_foreign_file(found):
        raise ForeignStoreError(f"{path} belongs to another user", hint=OWN_IT)
    if found.st_size == 0:  # SQLite would take it for a new one, and delete the write-ahead file
        raise DamagedStoreError(f"{path} is damaged: it is empty", hint=REPAIR)
    if not os.access(path, os.W_OK):  # SQLite would open it, and fail at the first change only
        raise PermissionError(EACCES, "it is read-only")
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        os.chmod(path, found.st_mode & 0o700)  # copied here by someone whose umask was wider


def _tell_of_copies(path: str) -> None:
    """Leave a notice beside a new store if copies say that there was one before."""
    from twiceshy.files.replace import replace_file
    from twiceshy.store.copies import list_copies

    if copies := list_copies(path):
        said = (
            "The store of twiceshy was gone, and a new one is empty. What was in it is in the copy"
            f" {copies[0].path}; to restore it: twiceshy recover --copy\n"
        )
        replace_file(path + NOTICE, said.encode())


def _refuse_pipes(path: str) -> None:
    """Refuse anything but files beside the database: SQLite would wait for a pipe."""
    for beside in (f"{path}-journal", f"{path}-wal", f"{path}-shm"):
        try:  # looked at once: another process that closes the store deletes them
            mode = os.stat(beside).st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise StoreError(f"{beside} is not a file", hint="move it away")


def make_folder(folder: str) -> None:
    """Create a folder with access for its owner only, whatever the umask."""
    if not os.path.isdir(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)


def read_file_identity(path: str) -> tuple[int, int]:
    """Return device and inode of a file, to notice its replacement; zeros if missing."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def mark_suspect(path: str) -> None:
    """Mark the file as suspect after damage, for a check by the next command."""
    try:
        os.close(os.open(path + _MARK, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError:
        return  # the file may still be met again


def is_suspect(path: str) -> bool:
    """True if the file is marked as suspect since its last check."""
    return os.path.exists(path + _MARK) and os.path.exists(path)


def clear_suspicion(path: str) -> None:
    """Remove the suspect mark: the file is sound, or was replaced."""
    try:
        os.unlink(path + _MARK)
    except FileNotFoundError:
        return


def read_notice(path: str) -> str:
    """Return what the last rescue saved, if no session start has told it yet."""
    try:
        handle = os.open(path + NOTICE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(handle, _LONGEST_NOTICE).decode("utf-8", "replace").strip()
    finally:
        os.close(handle)


def delete_notice(path: str) -> None:
    """Delete the notice of a rescue once it was told."""
    try:
        os.unlink(path + NOTICE)
    except OSError:
        return


def is_writable(path: str) -> bool:
    """True if the file, and the write-ahead files beside it, may be written."""
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)


def _write_readme(folder: str) -> None:
    from twiceshy.files.replace import create_file

    create_file(os.path.join(folder, "README"), README.encode())


def _create_database(path: str) -> None:
    """Create the database under a temporary name first: no process sees a partial file.

    Afterwards it is opened through SQLite only: closing any other handle would drop the locks that
    this process holds on it (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    unborn = f"{path}.new-{os.urandom(4).hex()}"
    # the write-ahead files take the mode of the database, so it must be right from the start
    os.close(os.open(unborn, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        db = sqlite3.connect(unborn, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
        finally:
            db.close()
        _publish_file(unborn, path)
    finally:
        if os.path.exists(unborn):
            os.unlink(unborn)


def _publish_file(temporary: str, path: str) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return  # a sibling was quicker
    except OSError:
        if not os.path.exists(path):  # a disk without hard links
            os.rename(temporary, path)
