"""What a SQLite file held at one moment, put together in memory: no copy of another program's secrets on a disk.

What its writers committed lies in two places, the file and the log beside it (``-wal``). A log is a header and
frames, each a page with its number; only those count that carry the header's salt and a sound sum, up to the
last one that ends a transaction. A file that changes while it is read is read again.
"""

from __future__ import annotations

import os
import stat
import struct
import time
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 512 * 1024 * 1024  # bytes, of the file and of the log
_LOG, _JOURNAL = "-wal", "-journal"
_TRIES, _PAUSE = 10, 0.05  # seconds; a transaction takes a few thousandths
_MAGIC = 0x377F0682  # the lowest bit tells how sums read their words
_LOG_HEADER, _FRAME_HEADER = 32, 24
_SIZES = frozenset(1 << power for power in range(9, 17))
_MODES = slice(18, 20)  # bytes of the file that say that it has a log
_WITHOUT_LOG = b"\x01\x01"
_WORD = 0xFFFFFFFF


class DatabaseError(TwiceshyError):
    """A file that is no sound database, or has not the table that it should have."""


def image(path: str) -> bytearray:
    """Return a database as of now, with what its log holds; DatabaseError if that cannot be had."""
    for _ in range(_TRIES):
        before = _standing(path)
        held, log, journal = (_content(path + suffix) for suffix in ("", _LOG, _JOURNAL))
        # a journal that begins with anything but zero says how to take back what is half written
        if _standing(path) == before and not any(journal[:1]):
            return _merged(held, log)
        time.sleep(_PAUSE)
    raise DatabaseError(
        "it is being written to, or its program was stopped while it wrote",
        hint="start that program once, let it finish, and try again",
    )


def _standing(path: str) -> list[tuple[int, ...]]:
    """Return what changes when anybody writes."""
    found: list[tuple[int, ...]] = []
    for suffix in ("", _LOG, _JOURNAL):
        try:
            told = os.stat(path + suffix)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise DatabaseError(f"it cannot be read: {_why(error)}") from error
        found.append((told.st_ino, told.st_size, told.st_mtime_ns))
    return found


def _content(path: str) -> bytearray:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            told = os.fstat(file.fileno())
            if not stat.S_ISREG(told.st_mode):
                raise DatabaseError("it is no plain file")
            if told.st_size > LARGEST:
                raise DatabaseError(f"it is larger than {LARGEST // 1024**2} MiB")
            content = bytearray(told.st_size)
            return content[: file.readinto(content)]
    except FileNotFoundError as error:
        if path.endswith((_LOG, _JOURNAL)):
            return bytearray()
        raise DatabaseError("it is not there") from error
    except OSError as error:
        raise DatabaseError(f"it cannot be read: {_why(error)}") from error


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _merged(held: bytearray, log: bytearray) -> bytearray:
    """Return a file with the pages that its log holds, as one that has no log."""
    count, pages = _committed(log)
    for number, page in pages.items():
        size = len(page)
        if len(held) != count * size:
            held = held[: count * size].ljust(count * size, b"\0")
        held[(number - 1) * size : number * size] = page
    if not held:
        raise DatabaseError("it is empty")
    if len(held) >= _MODES.stop:
        held[_MODES] = _WITHOUT_LOG
    return held


def _committed(log: bytearray) -> tuple[int, dict[int, memoryview]]:
    """Return how many pages the file has after the last transaction, and what the log knows of them."""
    known: dict[int, memoryview] = {}
    waiting: dict[int, memoryview] = {}
    count = 0
    for number, after, page in _frames(log):
        waiting[number] = page
        if after * len(page) > LARGEST:
            raise DatabaseError(f"it is larger than {LARGEST // 1024**2} MiB")
        if after:
            known.update(waiting)
            waiting.clear()
            count = after
    return count, {number: page for number, page in known.items() if number <= count}


def _frames(log: bytearray) -> Iterator[tuple[int, int, memoryview]]:
    """Yield each sound frame: number of its page, pages of the file if it ends a transaction, and the page."""
    if len(log) < _LOG_HEADER:
        return
    magic, _, size, _, *salt, first, second = struct.unpack_from(">8I", log)
    if magic & ~1 != _MAGIC or size not in _SIZES:
        return
    order = ">" if magic & 1 else "<"
    view = memoryview(log)
    sums = _summed(view[: _LOG_HEADER - 8], (0, 0), order)
    step = _FRAME_HEADER + size
    at = _LOG_HEADER
    while sums == (first, second) and at + step <= len(log):
        number, after, *own, first, second = struct.unpack_from(">6I", log, at)
        page = view[at + _FRAME_HEADER : at + step]
        sums = _summed(page, _summed(view[at : at + 8], sums, order), order)
        if own != salt or sums != (first, second) or not number:
            return
        yield number, after, page
        at += step


def _summed(part: memoryview, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """Add words to a sum, two at a time, as the log's format has it."""
    one, two = sums
    words = iter(struct.unpack(f"{order}{len(part) // 4}I", part))
    for odd, even in zip(words, words, strict=True):
        one = (one + odd + two) & _WORD
        two = (two + even + one) & _WORD
    return one, two
