"""A small file that says how many devices, and changes of devices, wait for a person."""

from __future__ import annotations

import os

_FILE = "devices/waiting"
_LONGEST = 64
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write_waiting(home: str, *, devices: int, changes: int) -> None:
    """Write what waits, or delete the file if nothing does."""
    from twiceshy.files.replace import remove_file, replace_file  # noqa: PLC0415 - hooks only read

    path = os.path.join(home, _FILE)
    if devices or changes:
        replace_file(path, f"{devices} {changes}".encode())
    else:
        remove_file(path)


def read_waiting(home: str) -> tuple[int, int]:
    """Return how many devices and changes wait."""
    try:
        handle = os.open(os.path.join(home, _FILE), _READ)
    except OSError:
        return 0, 0
    try:
        words = os.read(handle, _LONGEST).split()
    finally:
        os.close(handle)
    valid = len(words) == 2 and all(word.isdigit() for word in words)
    return (int(words[0]), int(words[1])) if valid else (0, 0)
