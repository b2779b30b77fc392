"""An owner-only log file: a line per event, halved when too long."""

from __future__ import annotations

import os
from stat import S_ISREG

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

# A pipe that nobody reads is an error, and not waited for.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK


def append_lines(path: str, lines: Iterable[str], *, most: int) -> bool:
    """Append redacted lines to a log of at most ``most`` bytes; False if it cannot be written."""
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    try:
        handle = os.open(path, _APPEND, 0o600)
        try:
            os.write(handle, text)
            found = os.fstat(handle)
            if not S_ISREG(found.st_mode):
                return True  # a pipe or a device has no length and stays as it is
            if found.st_mode & 0o077:
                os.fchmod(handle, 0o600)  # made by somebody else, before
            if found.st_size > most:
                _drop_older_half(path)
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def append_own_line(path: str, line: str, *, most: int) -> None:
    """Append a redacted line to a file in a folder that everybody writes to, if it is ours.

    A full file takes no more lines: whoever shares the folder may not make us replace files.
    """
    try:
        handle = os.open(path, _APPEND | os.O_NOFOLLOW, 0o600)
    except OSError:
        return
    try:
        if is_own_file(handle) and os.fstat(handle).st_size < most:
            os.write(handle, f"{line}\n".encode("utf-8", "replace"))
    except OSError:
        return
    finally:
        os.close(handle)


def is_own_file(handle: int) -> bool:
    """True for a plain file of this user that nobody else can write."""
    found = os.fstat(handle)
    return (
        S_ISREG(found.st_mode)
        and found.st_uid == os.geteuid()
        and found.st_nlink == 1
        and not found.st_mode & 0o022
    )


def _drop_older_half(path: str) -> None:
    """Drop the older half of a log."""
    from twiceshy.files.replace import replace_file  # noqa: PLC0415 - hardly any line is the last

    with open(path, "rb") as file:
        text = file.read()
    replace_file(os.path.realpath(path), text[len(text) // 2 :].partition(b"\n")[2])
