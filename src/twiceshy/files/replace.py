"""Write small files as a whole: readers see the old content or the new, never a part of either.

The content goes into a draft beside the file first. No link is followed: a link in the file's place is
replaced, not written through. ``mode`` holds whatever the umask says; None leaves the mode to the umask.
``durable`` waits until the content is on the disk.
"""

from __future__ import annotations

import os
from errno import EINVAL
from stat import S_ISDIR, S_ISLNK, S_ISREG

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
    """Write a file that does not exist yet; FileExistsError if anything has its name."""
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
    """Put a file in place of another one, or of none, in one step; OSError for a device or a pipe."""
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
    """Create a file in one step; False if another process or person was first."""
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
    """Replace a file that still has the stamp ``before``; False if it has another one.

    Where the system can exchange two files in one step, the old file is looked at once more after
    that, and goes back if somebody has written to it.
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
    """Return the stamp of a file, which differs after a change; None if there is no file."""
    try:
        return stamp_status(os.lstat(path))
    except OSError:
        return None


def stamp_status(found: os.stat_result) -> FileStamp:
    """Return the stamp of a file from its status."""
    return found.st_ino, found.st_mtime_ns, found.st_size


def remove_file(path: str) -> None:
    """Remove a file if there is one."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _refuse_special(path: str) -> None:
    """Refuse to replace a device, a pipe or a socket: without /dev/null no system works."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return
    if not (S_ISREG(mode) or S_ISLNK(mode) or S_ISDIR(mode)):
        raise OSError(EINVAL, "not a plain file", path)


def _draft_beside(path: str) -> str:
    return os.path.join(os.path.dirname(path), f"{DRAFT}{os.urandom(6).hex()}")


def _is_left_alone(path: str, before: FileStamp) -> bool:
    import time  # noqa: PLC0415 - only a file that others write to is waited for

    time.sleep(_GRACE_S)
    return stamp_file(path) == before


def _exchange_files(one: str, other: str) -> bool:
    """Exchange two files in one step; False where the system cannot."""
    import ctypes  # noqa: PLC0415 - only a file that others write to is exchanged

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done = call(_AT_CWD, os.fsencode(one), _AT_CWD, os.fsencode(other), _EXCHANGE)
    return bool(done == 0)
