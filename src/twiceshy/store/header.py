"""Header of a database file: find its wrong bytes, and repair them on a copy.

Most of the 100 bytes are the same in every twiceshy database, or follow from the rest of the file.
SQLite reads none of the notes behind a header with one wrong byte, or reads nothing but noise.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress

from twiceshy.store.driver import sqlite3
from twiceshy.store.schema import FIRST

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTH = 100
_USUAL_PAGE = 4096
_PAGE_SIZES = (_USUAL_PAGE, 512, 1024, 2048, 8192, 16384, 32768, 65536)
# https://sqlite.org/fileformat2.html: no reserved bytes and the payload fractions; format of the
# schema; size of the cache and no automatic vacuum; UTF-8.
_CONSTANTS = {
    0: b"SQLite format 3\0",
    20: b"\0\x40\x20\x20",
    44: b"\0\0\0\4",
    48: bytes(8),
    56: b"\0\0\0\1",
    64: bytes(4),
    72: bytes(20),
}
# Bytes that keep SQLite from writing or reading, though it finds every page sound.
_TELLING = (18, 19, 44, 45, 46, 47)
_JOURNAL_MODES = (1, 2)  # a rollback journal; a write-ahead file, which ours have
_PAGE_TYPES = (0, 2, 5, 10, 13)  # the first byte of a page: overflow and free ones, and b-trees
_LOOKED_AT = 256  # pages; enough to tell what a page is
_EVERY_PROBLEM = 1_000_000
_FREE = "never used"  # what SQLite says of a page in no list and no tree
_PLAUSIBLE = 0.9  # share of pages that begin as a page does, in a file with damaged ones


def is_header_wrong(path: str) -> bool:
    """True if a header contradicts the constants, though SQLite may read the file."""
    # never closed: this would drop the locks that another connection of this process holds
    header = os.pread(os.open(path, os.O_RDONLY | os.O_CLOEXEC), LENGTH, 0)
    right = _write_constants(header, _USUAL_PAGE)
    return len(header) < LENGTH or any(header[at] != right[at] for at in _TELLING)


def write_likely_header(path: str) -> None:
    """Give a copy the header that it most likely had, so that its rows can be read."""
    _write_header(path, _likely_page_sizes(path)[0], *_REMEDIES)


def repair_header(path: str, is_sound: Callable[[str], bool]) -> bool:
    """Repair the header of a copy, as little as is needed; False if the damage lies elsewhere."""
    if not os.path.getsize(path):
        return False
    with open(path, "rb") as file:
        before = file.read(LENGTH)
    if len(before) < LENGTH:
        return False
    for size in _likely_page_sizes(path):
        for some in range(len(_REMEDIES) + 1):
            _overwrite(path, before)
            _write_header(path, size, *_REMEDIES[:some])
            with suppress(sqlite3.Error, UnicodeDecodeError):
                if is_sound(path) or (some == len(_REMEDIES) and _drop_free_pages(path, is_sound)):
                    _restore_version(path)
                    return True
    _overwrite(path, before)
    return False


def _drop_free_pages(path: str, is_sound: Callable[[str], bool]) -> bool:
    """Write a copy anew without the free pages, whose list the header lost; True if it is sound.

    Nothing else may be wrong: what is written anew holds the rows that a damaged page still has, and
    looks sound without the others.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        found = [row[0] for row in db.execute(f"PRAGMA integrity_check({_EVERY_PROBLEM})")]
        problems = [line for text in found for line in text.splitlines()]
        if not all(line.endswith(_FREE) or line.startswith("***") for line in problems):
            return False
        db.execute("VACUUM")
    return is_sound(path)


def _restore_version(path: str) -> None:
    """Set the version of the schema to that of the recorded steps, and empty the write-ahead file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (steps,) = db.execute("SELECT max(number) FROM migrations").fetchone()
        if steps and db.execute("PRAGMA user_version").fetchone() != (FIRST + steps,):
            db.execute(f"PRAGMA user_version = {FIRST + steps}")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _write_header(path: str, size: int, *remedies: Callable[[bytearray, int], None]) -> None:
    with open(path, "rb") as file:
        header = bytearray(_write_constants(file.read(LENGTH), size))
    for remedy in remedies:
        remedy(header, os.path.getsize(path) // size)
    _overwrite(path, bytes(header))


def _overwrite(path: str, header: bytes) -> None:
    with open(path, "r+b") as file:
        file.write(header)


def _write_constants(header: bytes, size: int) -> bytes:
    right = bytearray(header.ljust(LENGTH, b"\0"))
    for at, value in _CONSTANTS.items():
        right[at : at + len(value)] = value
    right[16:18] = (size % 65536 or 1).to_bytes(2, "big")
    for at in (18, 19):
        if right[at] not in _JOURNAL_MODES:
            right[at] = 2
    return bytes(right)


def _take_length_of_file(header: bytearray, pages: int) -> None:
    header[28:32] = pages.to_bytes(4, "big")
    header[92:96] = header[24:28]  # the length counts only if these agree


def _clear_free_pages(header: bytearray, pages: int) -> None:  # noqa: ARG001 - a remedy like the others
    header[32:40] = bytes(8)


_REMEDIES = (_take_length_of_file, _clear_free_pages)


def _likely_page_sizes(path: str) -> list[int]:
    """Return the sizes that the pages of a file may have, the likeliest first."""
    found = [size for size in _PAGE_SIZES if _share_of_pages(path, size) >= _PLAUSIBLE]
    return found or [_USUAL_PAGE]


def _share_of_pages(path: str, size: int) -> float:
    """Return the share of pages behind the first that begin as a page does."""
    kinds = list(_first_bytes(path, size))
    return sum(kind in _PAGE_TYPES for kind in kinds) / len(kinds) if kinds else 0.0


def _first_bytes(path: str, size: int) -> Iterator[int]:
    with open(path, "rb") as file:
        for number in range(1, _LOOKED_AT):
            file.seek(number * size)
            if not (byte := file.read(1)):
                return
            yield byte[0]
