"""Read and replace files that other programs and people write, too: whole, and never over a change.

No link is followed below the folder that a file belongs to. Where the system can exchange two files in
one step, what was there comes out and is looked at: if it is not what was read, it goes back.
"""

from __future__ import annotations

import os
import stat
import time

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    Stamp = tuple[int, int, int]

LARGEST = 4 << 20
_PREFIX = ".twiceshy-"
# Somebody who opened the old file to write to it has written by then.
_GRACE_S = 0.02
# A program that writes a file bit by bit is done, or goes on, within that time.
_SETTLED_S = 0.5
_AT_CWD, _EXCHANGE = -100, 2  # of renameat2, which Python does not know


class ViewError(TwiceshyError):
    """A file that cannot be a view: a link, no text, too large, or out of its folder."""


class Seen(Value):
    """A file as it was read, and what tells whether it is still the same."""

    text: str
    stamp: Stamp


class Spot(Value):
    """Where a file lies, below which folder it must stay, and whether only its owner may read it."""

    path: str
    root: str
    private: bool = True


def look(spot: Spot) -> Seen | None:
    """Read a file; None if there is none."""
    _refuse_links(spot)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(spot.path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unfit(spot.path, f"cannot be read: {error.strerror}") from error
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit(spot.path, "is not a plain file")
        content = file.read(LARGEST + 1)
        stamp = _stamp(os.fstat(handle))
    if len(content) > LARGEST:
        raise _unfit(spot.path, f"is larger than {LARGEST:,} bytes")
    try:
        return Seen(content.decode(), stamp)
    except UnicodeDecodeError as error:
        raise _unfit(spot.path, "is not UTF-8 text") from error


def put(spot: Spot, text: str, seen: Seen | None) -> bool:
    """Write a file in place of what was seen there; False if it is not that any more."""
    _refuse_links(spot)
    folder = os.path.dirname(spot.path)
    try:
        os.makedirs(folder, mode=0o700 if spot.private else 0o777, exist_ok=True)
        draft = os.path.join(folder, f"{_PREFIX}{os.urandom(6).hex()}")
        try:
            _write(draft, text, mode=_mode(spot, seen))
            return (
                _created(draft, spot.path) if seen is None else _replaced(draft, spot.path, seen)
            )
        finally:
            _remove(draft)
    except OSError as error:
        raise _unfit(spot.path, f"cannot be written: {error.strerror}") from error


def remove(spot: Spot, seen: Seen) -> bool:
    """Remove a file that is as it was seen; False if it is not."""
    _refuse_links(spot)
    if _stamp_of(spot.path) != seen.stamp:
        return False
    _remove(spot.path)
    return True


def settled(spot: Spot, seen: Seen) -> bool:
    """Wait until a file that has just been written could be whole; False if it is still written to."""
    age = time.time() - seen.stamp[1] / 1_000_000_000
    if 0 <= age < _SETTLED_S:
        time.sleep(_SETTLED_S - age)
    return _stamp_of(spot.path) == seen.stamp


def _created(draft: str, path: str) -> bool:
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    return True


def _replaced(draft: str, path: str, seen: Seen) -> bool:
    if _stamp_of(path) != seen.stamp:
        return False
    if not _exchanged(draft, path):
        os.replace(draft, path)
        return True
    time.sleep(_GRACE_S)
    if _stamp_of(draft) == seen.stamp:
        return True
    _exchanged(draft, path)
    return False


def _exchanged(one: str, other: str) -> bool:
    """Let two files take each other's place in one step; False where that cannot be done."""
    import ctypes  # noqa: PLC0415 - only who replaces a file needs it

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done = call(_AT_CWD, os.fsencode(one), _AT_CWD, os.fsencode(other), _EXCHANGE)
    return bool(done == 0)


def _write(path: str, text: str, *, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags, mode), "wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _mode(spot: Spot, seen: Seen | None) -> int:
    """Return who may read the file: its owner, or whoever could before, or whom the umask lets."""
    if spot.private:
        return 0o600
    return (
        stat.S_IMODE(os.stat(spot.path).st_mode) if seen and os.path.exists(spot.path) else 0o666
    )


def _refuse_links(spot: Spot) -> None:
    """Refuse a path that leaves its folder, or that a link leads somewhere else."""
    root = os.path.realpath(spot.root)
    inside = os.path.relpath(os.path.dirname(spot.path), spot.root)
    wanted = os.path.normpath(os.path.join(root, inside))
    if inside.startswith("..") or os.path.realpath(os.path.dirname(spot.path)) != wanted:
        raise _unfit(spot.path, "leads out of its folder")
    if os.path.islink(spot.path):
        raise _unfit(spot.path, "is a link")


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_ino, found.st_mtime_ns, found.st_size


def _stamp_of(path: str) -> Stamp | None:
    try:
        return _stamp(os.lstat(path))
    except OSError:
        return None


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _unfit(path: str, what: str) -> ViewError:
    return ViewError(
        f"{path} {what}", hint="move it away, or choose another place in the settings"
    )


def damaged(path: str, what: str, hint: str) -> ViewError:
    """Return the error that says of a view why its file is left as it is."""
    return ViewError(f"{path} {what}; nothing was changed", hint=hint)
