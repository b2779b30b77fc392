"""Write small files atomically: readers see the old or the new content.

The content goes into a draft beside the file first. No link is followed: a link is replaced,
not written through. ``mode`` overrides the umask; None leaves the mode to the umask.
``durable`` waits for the disk.
"""

from __future__ import annotations

import os
from errno import EINVAL
from stat import S_ISLNK, S_ISREG

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    FileStamp = tuple[int, int, int]

# Hidden, so that no program takes a draft for a file of its own.
DRAFT = ".twiceshy-"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# A program that opened the old file to write to it has written by then.
_GRACE_S = 0.02
_AT_CWD, _EXCHANGE = -100, 2  # of renameat2, which Python does not know


def write_new_file(
    path: str,
    content: bytes | Iterable[bytes],
    *,
    mode: int | None = 0o600,
    durable: bool = False,
) -> None:
    """Write a new file; FileExistsError if the name is taken."""
    handle = os.open(path, _NEW, 0o666 if mode is None else mode)
    with open(handle, "wb") as file:
        if mode is not None:
            os.fchmod(handle, mode)
        file.writelines((content,) if isinstance(content, bytes) else content)
        if durable:
            file.flush()
            os.fsync(handle)


def replace_file(
    path: str,
    content: bytes | Iterable[bytes],
    *,
    mode: int | None = 0o600,
    durable: bool = False,
) -> None:
    """Replace or create a file atomically; OSError for a device, pipe, socket or folder."""
    _refuse_special(path)
    draft = _draft_beside(path)
    try:
        write_new_file(draft, content, mode=mode, durable=durable)
        os.replace(draft, path)
    except BaseException:
        remove_file(draft)
        raise


def create_file(
    path: str, content: bytes, *, mode: int | None = 0o600, durable: bool = False
) -> bool:
    """Create a file atomically; False if another process was first."""
    draft = _draft_beside(path)
    try:
        write_new_file(draft, content, mode=mode, durable=durable)
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a disk without hard links
            write_new_file(path, content, mode=mode, durable=durable)
    except FileExistsError:
        return False
    finally:
        remove_file(draft)
    return True


def replace_unchanged(
    path: str, content: bytes, before: FileStamp, *, mode: int | None = 0o600
) -> bool:
    """Replace a file with the stamp ``before``; False if changed.

    Where the system can exchange two files atomically, the old file is checked after the
    exchange, and goes back if changed.
    """
    draft = _draft_beside(path)
    try:
        write_new_file(draft, content, mode=mode, durable=True)
        if stamp_file(path) != before:
            return False
        if not _exchange_files(draft, path):
            os.replace(draft, path)
            return True
        if _is_left_alone(draft, before):
            return True
        _exchange_files(draft, path)
        return False
    finally:
        remove_file(draft)


def stamp_file(path: str) -> FileStamp | None:
    """Return the change stamp of a file; None if missing."""
    try:
        return stamp_status(os.lstat(path))
    except OSError:
        return None


def stamp_status(found: os.stat_result) -> FileStamp:
    """Return the change stamp from a file status."""
    return found.st_ino, found.st_mtime_ns, found.st_size


def remove_file(path: str) -> None:
    """Remove a file if present."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _refuse_special(path: str) -> None:
    """Refuse to replace anything but a plain file or a link.

    A machine without /dev/null does not work, and a pipe or socket belongs to another program.
    """
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return
    if not (S_ISREG(mode) or S_ISLNK(mode)):
        raise OSError(EINVAL, "not a plain file", path)


def _draft_beside(path: str) -> str:
    return os.path.join(os.path.dirname(path), f"{DRAFT}{os.urandom(6).hex()}")


def _is_left_alone(path: str, before: FileStamp) -> bool:
    import time  # noqa: PLC0415 - only a file that others write to is waited for

    time.sleep(_GRACE_S)
    return stamp_file(path) == before


def _exchange_files(one: str, other: str) -> bool:
    """Exchange two files atomically; False if unsupported."""
    import ctypes  # noqa: PLC0415 - only a file that others write to is exchanged

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done = call(_AT_CWD, os.fsencode(one), _AT_CWD, os.fsencode(other), _EXCHANGE)
    return bool(done == 0)
