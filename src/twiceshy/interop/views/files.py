"""Read and replace files shared with people and programs, never over a change.

No link is followed below a file's folder. Where the system can exchange two files
atomically, the old file is checked after the exchange: if changed, it goes back.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.value import Value
from twiceshy.files import replace

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.files.replace import FileStamp

LARGEST = 4 << 20
# A program that writes a file bit by bit is done, or goes on, within that time.
_SETTLED_S = 0.5


class ViewError(TwiceshyError):
    """A file unfit for a view: a link, no text, too large, or outside its folder."""


class FileSnapshot(Value):
    """A read file with its change stamp."""

    text: str
    stamp: FileStamp


class FileLocation(Value):
    """Location of a file: its root folder, and owner-only flag."""

    path: str
    root: str
    private: bool = True


def read_change_time(spot: FileLocation) -> int:
    """Return when a file was changed last, by the clock that no program sets back; 0 if it is missing."""
    try:
        return os.stat(spot.path, follow_symlinks=False).st_ctime_ns // 1_000_000
    except OSError:
        return 0


def read_snapshot(spot: FileLocation) -> FileSnapshot | None:
    """Read a file; None if missing."""
    _refuse_links(spot)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(spot.path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unfit_error(spot.path, f"cannot be read: {error.strerror}") from error
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit_error(spot.path, "is not a plain file")
        content = file.read(LARGEST + 1)
        stamp = replace.stamp_status(os.fstat(handle))
    if len(content) > LARGEST:
        raise _unfit_error(spot.path, f"is larger than {LARGEST:,} bytes")
    try:
        return FileSnapshot(content.decode(), stamp)
    except UnicodeDecodeError as error:
        raise _unfit_error(spot.path, "is not UTF-8 text") from error


def write_over(spot: FileLocation, text: str, seen: FileSnapshot | None) -> bool:
    """Replace a file unchanged since reading; False otherwise."""
    _refuse_links(spot)
    folder, content = os.path.dirname(spot.path), text.encode()
    try:
        mode = _file_mode(spot)
        _make_folders(folder, 0o700 if spot.private else 0o777)
        if seen is None:
            return replace.create_file(spot.path, content, mode=mode, durable=True)
        return replace.replace_unchanged(spot.path, content, seen.stamp, mode=mode)
    except OSError as error:
        raise _unfit_error(spot.path, f"cannot be written: {error.strerror}") from error


def remove_unchanged(spot: FileLocation, seen: FileSnapshot) -> bool:
    """Remove a file unchanged since reading; False otherwise."""
    _refuse_links(spot)
    if replace.stamp_file(spot.path) != seen.stamp:
        return False
    replace.remove_file(spot.path)
    return True


def is_same_file(path: str, other: str) -> bool:
    """True if two names are those of one file, as where case does not count."""
    return os.path.lexists(other) and os.path.samestat(os.lstat(path), os.lstat(other))


def rename_inside(spot: FileLocation, former: str) -> None:
    """Give a file of the same folder its new name; a file that is gone needs none."""
    _refuse_links(spot)
    _refuse_links(spot.but(path=former))
    try:
        os.rename(former, spot.path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unfit_error(former, f"cannot be renamed: {error.strerror}") from error


def wait_until_settled(spot: FileLocation, seen: FileSnapshot) -> bool:
    """Wait until a freshly written file is complete; False if still being written."""
    age = time.time() - seen.stamp[1] / 1_000_000_000
    if 0 <= age < _SETTLED_S:
        time.sleep(_SETTLED_S - age)
    return replace.stamp_file(spot.path) == seen.stamp


def _make_folders(folder: str, mode: int) -> None:
    """Create a folder and its parents with a mode; ``os.makedirs`` has it for the last one only."""
    if os.path.isdir(folder):
        return
    _make_folders(os.path.dirname(folder), mode)
    with suppress(FileExistsError):  # another process was first
        os.mkdir(folder, mode)


def _file_mode(spot: FileLocation) -> int | None:
    """Return the file mode: owner-only, the former mode, or the umask's."""
    if spot.private:
        return 0o600
    return stat.S_IMODE(os.stat(spot.path).st_mode) if os.path.exists(spot.path) else None


def _refuse_links(spot: FileLocation) -> None:
    """Refuse a path leaving its folder, directly or by link."""
    root = os.path.realpath(spot.root)
    inside = os.path.relpath(os.path.dirname(spot.path), spot.root)
    wanted = os.path.normpath(os.path.join(root, inside))
    if inside.startswith("..") or os.path.realpath(os.path.dirname(spot.path)) != wanted:
        raise _unfit_error(spot.path, "leads out of its folder")
    if os.path.islink(spot.path):
        raise _unfit_error(spot.path, "is a link")


def _unfit_error(path: str, what: str) -> ViewError:
    return ViewError(
        f"{path} {what}", hint="move it away, or choose another place in the settings"
    )


def build_damage_error(path: str, what: str, hint: str) -> ViewError:
    """Return the error for a damaged view file."""
    return ViewError(f"{path} {what}; nothing was changed", hint=hint)
