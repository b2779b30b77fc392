"""Remember versions of skills in a JSON file, because hashing a folder costs more than a hook may.

It is only a cache: the last writer wins, and a lost or damaged entry is worked out again.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse, write

MAX_ENTRIES = 500
_MOST = 1 << 20  # bytes; a cache of ours with as many entries as it may have is far smaller


class Cache:
    """The file at ``path``, read once; without a path it knows nothing and keeps nothing."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._text = _read(path) if path else ""

    def glance(self, folder: str, stamp: str) -> str:
        """Return the version of a folder with this stamp, found as text: most entries are of others.

        A path that JSON has to escape is not found, and its folder is read every time.
        """
        start = f'"{folder}":["{stamp}","'
        at = self._text.find(start)
        return _version(self._text[at + len(start) :].partition('"')[0]) if at >= 0 else ""

    def keep(self, folder: str, stamp: str, version: str) -> None:
        """Write an entry; a home that cannot be written to costs time, never an answer."""
        if self._path is None:
            return
        entries = _entries(self._text)
        entries.pop(folder, None)
        for oldest in list(entries)[: 1 - MAX_ENTRIES]:
            del entries[oldest]
        entries[folder] = [stamp, version]
        _replace(self._path, write(entries))


def _entries(text: str) -> dict[str, object]:
    """Return the file as values; an empty one if it is damaged or not ours."""
    try:
        entries = parse(text)
    except (ValueError, RecursionError):
        return {}
    return entries if isinstance(entries, dict) else {}


def _version(text: str) -> str:
    """Return what can be a version; nothing for anything else."""
    return text if len(text) == 16 and not text.strip("0123456789abcdef") else ""


def _read(path: str) -> str:
    """Return the file's text; nothing if it cannot be read, or if somebody else put it there."""
    try:
        with open(path, "rb") as file:
            owner = os.fstat(file.fileno()).st_uid
            ours = not hasattr(os, "geteuid") or owner == os.geteuid()
            return file.read(_MOST).decode("utf-8", "surrogateescape") if ours else ""
    except OSError:
        return ""


def _replace(path: str, text: str) -> None:
    """Put a new file in place of the old one in one step; only its owner may read it."""
    draft = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(draft, flags, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        os.replace(draft, path)
    except (OSError, ValueError):
        _remove(draft)


def _remove(path: str) -> None:
    """Take a draft away again, if there is one."""
    try:
        os.unlink(path)
    except OSError:
        return
