"""Bundles: a store as JSON lines that git can compare, with a completeness check.

Equal stores give equal bytes. The first line states the format, the last line the number of
lines and a checksum; each line in between is a record, sorted with new records late.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError, NoteError, UnsafeNameError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import JournalEntry
from twiceshy.core.value import Value
from twiceshy.files.replace import replace_file
from twiceshy.notes.imported_records import IMPORTED
from twiceshy.notes.undo import IMPORT
from twiceshy.sync.records import (
    NOTE,
    TYPES,
    encode_line,
    record_from_json,
    record_to_json,
    redact_record,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import IO, Protocol, TypeVar

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Record

    T = TypeVar("T")

    class Watch(Protocol):
        """Passes items on and reports progress."""

        def __call__(self, items: Sequence[T], label: str) -> Iterable[T]:
            """Return the items; the label names the work."""


VERSION = 1
# An edit holds a page before and after: twice 200,000 characters of four bytes, and its labels.
MAX_LINE = 4_000_000
_KEY = "twiceshy-bundle"
_NOT_OURS = f'a bundle is made by: twiceshy export; its first line holds "{_KEY}"'
_CHANGED = "export it again; after editing by hand, see docs/bundle.md"


class Bundle(Value):
    """A read bundle; records are parsed again on each iteration."""

    lines: Sequence[tuple[int, bytes]]  # with their numbers
    objects: frozenset[str]  # the notes and episodes whose history it tells
    refused: Mapping[str, str]  # what cannot be kept → why
    skipped: Mapping[str, int]  # kind of record that only a newer twiceshy knows → how many

    def iterate_records(self, watch: Watch | None = None) -> Iterator[Record | Note]:
        """Yield valid records; ``watch`` sees the lines."""
        for number, line in watch(self.lines, "reading") if watch else self.lines:
            fields = _parse_line(line, number)
            if _refusal_subject(fields, number) not in self.refused and (
                record := _parse_record(fields, number)
            ):
                yield record


def write_history(
    app: App,
    *,
    projects: Sequence[str] | None = None,
    skill: str | None = None,
    more: Iterable[Mapping[str, object]] = (),
) -> Iterator[bytes]:
    """Write the whole history: enough to recreate this store, or to merge.

    ``more`` are lines that only the reader of a copy knows; other readers skip them.
    """
    entries = app.store.export_records(only=(JournalEntry,), projects=projects, skill=skill)
    referred = {entry.refers for entry in entries if isinstance(entry, JournalEntry)}
    records = (
        redact_record(record, app.redact)
        for record in app.store.export_records(projects=projects, skill=skill)
        if not _is_bookkeeping(record, referred)
    )
    schema = app.store.summarise_store().schema
    return _write_line(records, form="history", schema=schema, more=more)


def write_notes(
    app: App, *, projects: Sequence[str] | None = None, skill: str | None = None
) -> Iterator[bytes]:
    """Write the current notes, one a line, without history."""
    within = None if projects is None else tuple(projects)
    found = app.store.notes(NoteFilter(projects=within, skill=skill, statuses=()), limit=-1)
    records = (redact_record(note, app.redact) for note in sorted(found, key=lambda note: note.id))
    return _write_line(records, form="notes", schema=app.store.summarise_store().schema)


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Read line by line, with a limit on the length of a line."""
    return iter(lambda: stream.readline(MAX_LINE + 1), b"")


def read_bundle(lines: Iterable[bytes], *, own: bool = False) -> Bundle:
    """Read and check every line of a bundle; BundleError tells reason and place.

    A record of an ``own`` bundle that is not valid is refused alone: the rest of a copy is worth more.
    """
    reading = _BundleReader(own=own)
    number = 0
    for number, line in enumerate(lines, start=1):
        reading.take_line(line, number)
    if not reading.complete:
        raise BundleError(
            f"the bundle is cut off after line {number}" if number else "the file is empty",
            hint="export it again, or copy it again",
        )
    return Bundle(
        reading.lines, frozenset(reading.objects), reading.refused, dict(reading.skipped)
    )


class _BundleReader:
    """State of reading a bundle: position and findings."""

    def __init__(self, *, own: bool) -> None:
        self._own = own
        self.lines: list[tuple[int, bytes]] = []
        self.objects: set[str] = set()
        self.refused: dict[str, str] = {}
        self.skipped: Counter[str] = Counter()
        self.complete = False
        self._counts: Counter[str] = Counter()
        self._digest = hashlib.sha256()
        self._ended = False

    def take_line(self, line: bytes, number: int) -> None:
        if len(line) > MAX_LINE:
            raise BundleError(f"line {number} is longer than {MAX_LINE:,} bytes", hint=_NOT_OURS)
        if self._ended:
            raise BundleError(f"line {number} follows after the end", hint=_CHANGED)
        if number == 1:
            self.complete = not _parse_first_line(line)
        elif line.strip():
            self._take_record(line, number)
        self._digest.update(line)

    def _take_record(self, line: bytes, number: int) -> None:
        fields = _parse_line(line, number)
        if "end" in fields:
            if fields != _end_line(self._counts, self._digest.hexdigest()):
                raise BundleError("the bundle was changed since it was written", hint=_CHANGED)
            self.complete = self._ended = True
            return
        self.lines.append((number, line))
        self._counts.update(fields.keys())
        subject = _refusal_subject(fields, number)
        try:
            record = _parse_record(fields, number)
        except (NoteError, UnsafeNameError) as error:
            self.refused[subject] = str(error)
            return
        except BundleError as error:
            if not self._own:
                raise
            self.refused[subject] = str(error)
            return
        if record is None:
            self.skipped.update(fields.keys())
        elif isinstance(record, JournalEntry):
            self.objects.add(record.object)


def _write_line(
    records: Iterable[Record | Note],
    *,
    form: str,
    schema: int,
    more: Iterable[Mapping[str, object]] = (),
) -> Iterator[bytes]:
    digest, counts = hashlib.sha256(), Counter[str]()
    line = encode_line({_KEY: VERSION, "form": form, "schema": schema})
    digest.update(line)
    yield line
    for fields in chain(map(record_to_json, records), more):
        counts.update(fields.keys())
        line = encode_line(fields)
        digest.update(line)
        yield line
    yield encode_line(_end_line(counts, digest.hexdigest()))


def _end_line(counts: Counter[str], digest: str) -> dict[str, object]:
    """Return the expected last line for the lines before."""
    return {"end": True, "counts": counts, "lines": 1 + counts.total(), "sha256": digest}


def _is_bookkeeping(record: Record, referred: Collection[str]) -> bool:
    """True if an entry only serves local undo, unused, or is about what an import brought here."""
    if not isinstance(record, JournalEntry):
        return False
    unused = record.op == IMPORT and not record.after and record.id not in referred
    return unused or record.object.startswith(IMPORTED)


def _parse_first_line(line: bytes) -> bool:
    """Parse the first line; True if a last line is required, as in our own bundles."""
    try:
        version = (first := _parse_line(line, 1)).get(_KEY)
    except BundleError:
        first, version = {}, None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise BundleError("this file is not a bundle", hint=_NOT_OURS)
    if version > VERSION:
        raise BundleError(
            f"this bundle has form {version}; this twiceshy reads form {VERSION}",
            hint="upgrade twiceshy",
        )
    return "form" in first


def _parse_line(line: bytes, number: int) -> dict[str, object]:
    try:
        fields = json.loads(line.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise BundleError(f"line {number} is not valid UTF-8", hint=_CHANGED) from error
    except (ValueError, RecursionError) as error:
        what = getattr(error, "msg", error)
        raise BundleError(f"line {number} is not JSON: {what}", hint=_CHANGED) from error
    if not isinstance(fields, dict):
        raise BundleError(f"line {number} is not a record", hint=_CHANGED)
    return fields


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _parse_record(fields: Mapping[str, object], number: int) -> Record | Note | None:
    """Return the record of a line; None for a kind known only to newer versions."""
    if len(fields) != 1:
        raise BundleError(f"line {number} is not one record", hint=_CHANGED)
    ((name, body),) = fields.items()
    if name not in TYPES and name != NOTE:
        return None
    try:
        return record_from_json(name, body)
    except BundleError as error:
        raise BundleError(f"line {number}: {error}", hint=error.hint or _CHANGED) from error


def _refusal_subject(fields: Mapping[str, object], number: int) -> str:
    """Return the subject of a refusal: a note with its entries, or a single line."""
    body = fields.get("entry")
    subject = body.get("object") if isinstance(body, dict) else None
    return subject if isinstance(subject, str) else f"line {number}"


def save_lines(lines: Iterable[bytes], path: str) -> int:
    """Write an owner-only file atomically, through a link; return the number of lines."""
    count, path = 0, os.path.realpath(path)

    def counted() -> Iterator[bytes]:
        nonlocal count
        for count, line in enumerate(lines, start=1):  # noqa: B007 - the last number is returned
            yield line

    try:
        replace_file(path, counted(), durable=True)
    except OSError as error:
        raise BundleError(
            f"cannot write {path}: {error.strerror}", hint="choose another place"
        ) from error
    return count
