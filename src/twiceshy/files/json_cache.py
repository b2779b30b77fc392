"""A JSON cache file: the last writer wins, a lost entry is computed again."""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse_mapping_or_empty, write_json

_MOST = 4 << 20  # bytes; a cache of ours with as many entries as it may have is far smaller


class JsonCache:
    """The JSON object in the file at ``path``, read once; without a path, an empty cache."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._text = _read_text(path) if path else ""

    def find_entry(self, key: str, *start: str) -> list[str]:
        """Return an entry by its key and first texts; empty if none.

        The entry is found as text: parsing every entry takes longer than a hook may. A key with JSON
        escapes is not found.
        """
        beginning = f'"{key}":["' + "".join(f'{text}","' for text in start)
        at = self._text.find(beginning)
        if at < 0:
            return []
        rest = self._text[at + len(beginning) :].partition('"]')[0]
        return [*start, *rest.split('","')]

    def read_document(self) -> dict[str, object]:
        """Return the whole object; empty if damaged or owned by another user."""
        return dict(parse_mapping_or_empty(self._text))

    def write_document(self, document: dict[str, object]) -> None:
        """Write the whole object; an unwritable file costs time, never an answer."""
        if self._path is None:
            return
        from twiceshy.files.replace import replace_file  # noqa: PLC0415 - a known entry is only read

        self._text = write_json(document)
        try:
            content = self._text.encode("utf-8", "surrogateescape")
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            replace_file(self._path, content)
        except (OSError, ValueError):
            return


def put_newest(entries: dict[str, object], key: str, value: object, *, most: int) -> None:
    """Append an entry, and drop the oldest beyond ``most``."""
    entries.pop(key, None)
    for oldest in list(entries)[: max(0, len(entries) + 1 - most)]:
        del entries[oldest]
    entries[key] = value


def _read_text(path: str) -> str:
    """Return the text of a file; empty if unreadable or owned by another user."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return ""
            return file.read(_MOST).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
