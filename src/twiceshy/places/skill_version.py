"""Version of a skill: a hash of its folder, cached while the folder is unchanged."""

from __future__ import annotations

import os
import time
from itertools import islice

from twiceshy.core.value import Value
from twiceshy.files.json_cache import JsonCache, put_newest

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 4 << 20
MAX_FILES = 2_000
MAX_ENTRIES = 500  # of the cache
_DEEPEST = 20
_HEX = 16  # hexadecimal digits kept of a SHA-256
_TRUNCATED = b"\0truncated\0"
_FOREIGN = frozenset(("node_modules", "__pycache__"))
_VIEWS = frozenset(("KNOWLEDGE.md", "CHECKPOINTS.md"))  # what we write into a skill's folder
_PRIME = 2**127 - 1
# What was written within this time may be written again, with the same size and the same time.
_UNSETTLED = 2_000_000_000


class _File(Value):
    name: bytes
    path: str
    size: int
    written: int
    changed: int


def hash_skill_version(folder: str, *, cache: str | None = None) -> str:
    """Return 16 digits that change with the skill; empty without a folder.

    Names and contents of regular files count, in path order. Hidden files, links, installed
    packages and our own views do not. ``cache`` is the file with known versions.
    """
    files = list(islice(_walk_files(folder, b"", 0), MAX_FILES + 1))
    if not files:
        return ""
    stamp = _folder_stamp(files)
    known = JsonCache(cache)
    before = "".join(known.find_entry(folder, stamp)[1:])
    if len(before) == _HEX and not before.strip("0123456789abcdef"):
        return before
    now = _hash_files(files)
    if time.time_ns() - max(file.changed for file in files) > _UNSETTLED:
        entries = known.read_document()
        put_newest(entries, folder, [stamp, now], most=MAX_ENTRIES)
        known.write_document(entries)
    return now


def _walk_files(folder: str, prefix: bytes, depth: int) -> Iterator[_File]:
    """Yield the files that count, directory by directory."""
    for entry in _list_entries(folder):
        name = prefix + os.fsencode(entry.name)
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST and entry.name not in _FOREIGN:
                yield from _walk_files(entry.path, name + b"/", depth + 1)
        elif entry.is_file(follow_symlinks=False) and (prefix or entry.name not in _VIEWS):
            try:
                known = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield _File(name, entry.path, known.st_size, known.st_mtime_ns, known.st_ctime_ns)


def _list_entries(folder: str) -> list[os.DirEntry[str]]:
    """List a directory without hidden entries; empty if unreadable."""
    try:
        with os.scandir(folder) as listing:
            seen = [entry for entry in listing if not entry.name.startswith(".")]
    except (OSError, ValueError):
        return []
    return sorted(seen, key=lambda entry: entry.name)


def _folder_stamp(files: list[_File]) -> str:
    """Return a stamp that is stable while no file changes; a plain sum, since hashlib takes 3 ms."""
    total = 0
    for file in files:
        mark = b"%s\0%d\0%d\0%d" % (file.name, file.size, file.written, file.changed)
        total = (total * 1_000_003 + int.from_bytes(mark, "little")) % _PRIME
    return f"{len(files)}-{total:x}"


def _hash_files(files: list[_File]) -> str:
    """Hash names and contents; beyond the limits, only the fact of more files."""
    import hashlib  # noqa: PLC0415 - 3 ms of OpenSSL, which an unchanged skill does without

    hashed = hashlib.sha256()
    room = MAX_BYTES
    for file in sorted(files[:MAX_FILES], key=lambda file: file.name):
        content = _read_content(file.path, room + 1)
        hashed.update(b"%s\0%s\0" % (file.name, content[:room]))
        room -= len(content)
        if room < 0:
            break
    if room < 0 or len(files) > MAX_FILES:
        hashed.update(_TRUNCATED)
    return hashed.hexdigest()[:_HEX]


def _read_content(path: str, most: int) -> bytes:
    """Return the beginning of a file; empty if unreadable."""
    try:
        with open(path, "rb", opener=_open_regular_file) as file:
            return file.read(most)
    except OSError:
        return b""


def _open_regular_file(path: str, flags: int) -> int:
    """Open a regular file without following links or waiting for a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
