"""An owner-only log file: a line per event, halved when too long."""

from __future__ import annotations

import os
from stat import S_ISREG

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

# A pipe that nobody reads is an error, and not waited for.
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK


def append_lines(path: str, lines: Iterable[str], *, most: int) -> None:
    """Append redacted lines to a log of at most ``most`` bytes.

    Lines are lost if the log cannot be written.
    """
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    try:
        handle = os.open(path, _APPEND, 0o600)
        try:
            os.write(handle, text)
            found = os.fstat(handle)
            if not S_ISREG(found.st_mode):
                return  # a pipe or a device has no length and stays as it is
            if found.st_mode & 0o077:
                os.fchmod(handle, 0o600)  # made by somebody else, before
            if found.st_size > most:
                _drop_older_half(path)
        finally:
            os.close(handle)
    except OSError:
        return


def _drop_older_half(path: str) -> None:
    """Drop the older half of a log."""
    from twiceshy.files.replace import replace_file  # noqa: PLC0415 - hardly any line is the last

    with open(path, "rb") as file:
        text = file.read()
    replace_file(os.path.realpath(path), text[len(text) // 2 :].partition(b"\n")[2])
