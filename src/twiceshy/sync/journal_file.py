"""Journal files: lines are only appended, unless forgotten."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from twiceshy.core.history import identify_entry
from twiceshy.core.value import Value
from twiceshy.sync.records import encode_line
from twiceshy.sync.rules import CHUNK, journal_part, journal_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.history import Identity

    Fields = Mapping[str, object]

ENTRY, SIGNAL, EXPOSURE = "entry", "signal", "exposure"
_ABOUT_NOTES = (EXPOSURE, "evidence", "outcome", "outcomes")
_CHECKPOINT = "checkpoint"
_PAYLOADS = ("before", "after")
_ABOUT_ENTRY = ("batch", "op", "object", "at")


class JournalLine(NamedTuple):
    """A line of a journal file: content and identity."""

    line: bytes
    kind: str
    key: str
    body: Fields

    @property
    def identity(self) -> Identity:
        """Return what makes two lines the same: the key, and for an entry what it is about."""
        if self.kind != ENTRY:
            return (self.key,)
        return identify_entry(self.key, *(self.body.get(name) for name in _ABOUT_ENTRY))

    @property
    def object_id(self) -> str:
        """Return the note or episode id of an entry; empty for other records."""
        return str(self.body.get("object", "")) if self.kind == ENTRY else ""

    @property
    def referred_entry(self) -> str:
        """Return the referred entry id."""
        return str(self.body.get("refers", "")) if self.kind == ENTRY else ""


class ErasedLines(Value):
    """Content to erase: forgotten objects, outdated checkpoints, erased signals.

    ``cleaned`` are the lines of this device for records that quoted what was forgotten.
    """

    objects: frozenset[str]
    checkpoints: frozenset[str]
    signals: frozenset[str] = frozenset()
    cleaned: Mapping[Identity, bytes] = {}


def parse_row(line: bytes) -> JournalLine | None:
    """Parse a line; None if invalid."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or len(fields) != 1:
        return None
    ((kind, body),) = fields.items()
    if not isinstance(body, dict):
        return None
    return JournalLine(line, kind, _row_key(kind, body, line), body)


def complete_lines(body: bytes) -> list[bytes]:
    """Return the complete lines of a file; a partial last line is dropped."""
    return [line + b"\n" for line in body.split(b"\n")[:-1] if line]


def parse_rows(body: bytes) -> list[JournalLine]:
    """Parse a file; invalid lines are dropped."""
    return [row for row in map(parse_row, complete_lines(body)) if row]


def encode_without_erased(found: Iterable[JournalLine], erased: ErasedLines) -> bytes:
    """Return rows as a file, without erased content."""
    return b"".join(_decode_line(row, erased) for row in found)


def append_rows(device: str, files: Mapping[str, bytes], new: Iterable[bytes]) -> dict[str, bytes]:
    """Return a device's files with appended lines; a full file starts the next."""
    number = max((journal_part(path, device) for path in files), default=1)
    parts = [files.get(journal_path(device, number), b"")]
    size = len(parts[0])
    found = dict(files)
    for line in new:
        if size and size + len(line) > CHUNK:
            found[journal_path(device, number)] = b"".join(parts)
            number, parts, size = number + 1, [], 0
        parts.append(line)
        size += len(line)
    return {**found, journal_path(device, number): b"".join(parts)}


def blob_id(body: bytes) -> str:
    """Return git's id of a blob."""
    told = b"blob %d\0" % len(body) + body
    return hashlib.sha1(told, usedforsecurity=False).hexdigest()


def _row_key(kind: str, body: Fields, line: bytes) -> str:
    clock = body.get("clock")
    if kind == ENTRY and isinstance(clock, int):
        return f"{clock:016x}.{body.get('device')}"
    if kind in (SIGNAL, EXPOSURE):
        return f"{kind} {body.get('key')}"
    return line.decode("utf-8", "replace")


def _decode_line(row: JournalLine, erased: ErasedLines) -> bytes:
    if row.object_id in erased.objects and any(name in row.body for name in _PAYLOADS):
        left = {name: value for name, value in row.body.items() if name not in _PAYLOADS}
        return encode_line({ENTRY: left})
    if row.kind in _ABOUT_NOTES and row.body.get("note") in erased.objects:
        return b""
    if row.identity in erased.cleaned:
        return erased.cleaned[row.identity]
    if row.kind == SIGNAL and row.body.get("key") in erased.signals:
        return b""
    waits = row.kind == SIGNAL and row.body.get("kind") == _CHECKPOINT
    return b"" if waits and row.body.get("key") not in erased.checkpoints else row.line
