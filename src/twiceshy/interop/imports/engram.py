"""engram: committed chunks, its own database, or an export file.

A chunk is a gzipped JSON object with rows, and changes to rows of earlier chunks: the last
version of a session or observation counts, deleted ones are dropped. Prompts are not read.
"""

from __future__ import annotations

import os
import zlib
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.text import fold_to_line
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import MOST_ROWS, open_database
from twiceshy.interop.imports.files import (
    UnreadableError,
    list_file_names,
    read_bytes,
    read_text_file,
)
from twiceshy.interop.imports.foreign_values import (
    ForeignRow,
    UnfitError,
    offer_episode,
    offer_note,
    offer_row,
    parse_json_text,
    parse_mapping,
    shorten_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning
    from twiceshy.places.identity import Identity

NAME = "engram"
TITLE = "engram"

CHUNKS, DATABASE, EXPORT = "chunks", "database", "export"
LARGEST_EXPORT = 256 * 1024 * 1024
LARGEST_CHUNK = 32 * 1024 * 1024  # bytes, unpacked; engram itself cuts at 4 MB

_SUFFIX = ".jsonl.gz"
_KEYS = {"sessions": "id", "observations": "sync_id"}
_TABLES = {"session": "sessions", "observation": "observations"}

_MEANINGS: dict[str, Meaning] = {
    "architecture": ("decision", "architecture"),
    "bugfix": ("lesson", "fix"),
    "decision": ("decision", "other"),
    "pattern": ("pattern", "other"),
    "preference": ("preference", ""),
}
_HAPPENED = frozenset("command file_change file_read search session_summary tool_use".split())
_SUMMARY = "session_summary"
_ANYWHERE = frozenset({"global", "personal"})
_OBSERVED = (
    "id sync_id session_id type title content project scope topic_key duplicate_count created_at "
    "updated_at deleted_at"
).split()
_SESSIONS = "id project directory started_at ended_at summary".split()


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the chunks of the current project, and its database."""
    if around.given:
        return [_read_given(around)]
    committed = os.path.join(around.here.root, ".engram")
    database = os.path.join(around.relocated_path("ENGRAM_DATA_DIR", ".engram"), "engram.db")
    found = []
    if around.here.root and (chunks := _list_chunk_names(committed)):
        found.append(ImportPlace(committed, CHUNKS, around.here, count=len(chunks)))
    if os.path.isfile(database):
        found.append(ImportPlace(database, DATABASE))
    return found


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield observations in order, and summarised sessions."""
    kept = _EngramContent()
    match place.what:
        case "chunks":
            kept.add_chunks(place.path)
        case "export":
            written = read_text_file(place.path, largest=LARGEST_EXPORT)
            kept.add_chunk(written, os.path.basename(place.path))
        case _:
            kept.add_database(place.path)
    for what, why in kept.unfit:
        yield OfferedItem(what, refused=why)
    for key, row in kept.rows["observations"].items():
        if not row.get("deleted_at"):
            what = f"observations:{fold_to_line(key, limit=80)}"
            yield offer_row(what, partial(_build_observation, place, around, kept, what, row))
    for key, row in kept.rows["sessions"].items():
        if row.get("summary"):
            what = f"sessions:{fold_to_line(key, limit=80)}"
            yield offer_row(what, partial(_build_session, place, around, what, row))


def _build_observation(
    place: ImportPlace, around: ImportContext, kept: _EngramContent, what: str, row: ForeignRow
) -> OfferedItem:
    kind, title, content = row.text("type"), row.text("title"), row.text("content")
    session, at = row.text("session_id"), row.time("created_at")
    known = kept.rows["sessions"].get(session, ForeignRow())
    identity = _project_of_row(place, around, row, known)
    if kind in _HAPPENED:
        ended = "end" if kind == _SUMMARY else "note"
        told = {"kind": ended, "session": session, "title": title, "summary": content}
        return offer_episode(what, place, identity, at, **told)
    if row.text("scope") in _ANYWHERE:
        place, identity = place.but(identity=None), None
    count = row.get("duplicate_count")
    return offer_note(
        what,
        place,
        _MEANINGS.get(kind, ("lesson", "discovery")),
        f"{title}: {content}" if title and content else row.required_text("content", "title"),
        identity=identity,
        alias=what,
        concepts=shorten_texts([row.text("topic_key")]),
        sightings=count if type(count) is int and count > 0 else 1,
        learned_at=row.time("updated_at") or at,
    )


def _build_session(
    place: ImportPlace, around: ImportContext, what: str, row: ForeignRow
) -> OfferedItem:
    began, summary = row.time("started_at"), row.required_text("summary")
    return offer_episode(
        what,
        place,
        _project_of_row(place, around, row, row),
        began,
        ended_at=row.time("ended_at") or began,
        session=row.text("id"),
        title=fold_to_line(summary, limit=100),
        summary=summary,
    )


def _project_of_row(
    place: ImportPlace, around: ImportContext, row: ForeignRow, session: ForeignRow
) -> Identity | None:
    """Return the project of a row; chunk paths come from other machines and do not count."""
    name = row.text("project") or session.text("project")
    if place.what == CHUNKS:
        owner = place.identity.name if place.identity else ""
        same = not name or name.casefold() == owner.casefold()
        return None if same else around.project_by_name(NAME, name)
    return around.project_at(session.text("directory")) or around.project_by_name(NAME, name)


def _read_given(around: ImportContext) -> ImportPlace:
    path = around.given
    if os.path.isdir(path):
        database = os.path.join(path, "engram.db")
        if not _list_chunk_names(path) and os.path.isfile(database):
            return ImportPlace(database, DATABASE)
        owner = os.path.dirname(os.path.abspath(path))
        return ImportPlace(path, CHUNKS, around.project_at(owner))
    return ImportPlace(path, EXPORT if path.endswith(".json") else DATABASE)


def _list_chunk_names(folder: str) -> list[str]:
    """Return chunk names in an engram folder; links are excluded."""
    chunks = os.path.join(folder, "chunks")
    return [] if os.path.islink(chunks) else list_file_names(chunks, _SUFFIX)


class _EngramContent:
    """engram's state after its last chunk: sessions and observations by id."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, ForeignRow]] = {"sessions": {}, "observations": {}}
        self.unfit: list[tuple[str, str]] = []  # where it stands, and why it cannot be read

    def add_chunks(self, folder: str) -> None:
        """Add every chunk of a folder, in manifest order."""
        for name in _manifest_order(folder):
            where = f"chunks/{name}"
            try:
                self.add_chunk(_unpack_chunk(os.path.join(folder, "chunks", name)), where)
            except TwiceshyError as error:
                self.unfit.append((where, str(error)))

    def add_database(self, path: str) -> None:
        """Add the rows of its database."""
        with open_database(path) as db:
            for row in db.read_rows("sessions", _SESSIONS, needs=("id", "directory")):
                self.put_row("sessions", row, "sessions")
            for row in db.read_rows("observations", _OBSERVED, needs=("id", "content")):
                self.put_row("observations", row, "observations")

    def add_chunk(self, written: str, where: str) -> None:
        """Add a chunk or an export."""
        chunk = parse_json_text(written)
        if not isinstance(chunk, dict):
            raise UnfitError("it is no chunk of engram")
        for table in _KEYS:
            for at, row in enumerate(_get_list(chunk, table), start=1):
                self.put_row(table, row, f"{where}:{table}:{at}")
        for at, change in enumerate(_get_list(chunk, "mutations"), start=1):
            self._apply_change(parse_mapping(change), f"{where}:mutations:{at}")

    def put_row(self, table: str, row: object, where: str) -> None:
        """Replace a row by id."""
        known = self.rows[table]
        if not isinstance(row, dict):
            self.unfit.append((where, "it is no object"))
            return
        name = row.get(_KEYS[table]) or row.get("id")
        if not isinstance(name, str | int):
            self.unfit.append((where, f"it has no {_KEYS[table]}"))
        elif str(name) not in known and len(known) >= MOST_ROWS:
            self.unfit.append((where, f"more than {MOST_ROWS:,} at once"))
        else:
            known[str(name)] = ForeignRow(row)

    def _apply_change(self, change: ForeignRow, where: str) -> None:
        table = _TABLES.get(str(change.get("entity")))
        if table is None:  # a prompt, or a relation between observations
            return
        payload = parse_mapping(change.get("payload"))
        key = str(change.get("entity_key") or payload.get(_KEYS[table]) or "")
        if change.get("op") == "delete":
            self.rows[table].pop(key, None)
        else:
            self.put_row(table, {**self.rows[table].get(key, {}), **payload}, where)


def _manifest_order(folder: str) -> list[str]:
    """Return chunk names in manifest order; unlisted chunks last."""
    try:
        listed = parse_mapping(read_text_file(os.path.join(folder, "manifest.json"))).get("chunks")
    except TwiceshyError:
        listed = None
    ids = (parse_mapping(each).get("id") for each in (listed if isinstance(listed, list) else ()))
    rank = {f"{each}{_SUFFIX}": at for at, each in enumerate(ids)}
    return sorted(_list_chunk_names(folder), key=lambda name: (rank.get(name, len(rank)), name))


def _unpack_chunk(path: str) -> str:
    """Return a chunk's text, with a size limit against decompression bombs."""
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)  # 16: as gzip writes it
    try:
        packed = read_bytes(path, LARGEST_CHUNK, flags=os.O_NOFOLLOW)
        raw = unpacking.decompress(packed, LARGEST_CHUNK)
    except zlib.error as error:
        raise UnreadableError("it is no gzip file, or a damaged one") from error
    if not unpacking.eof:
        raise UnreadableError(f"it is cut off, or larger than {LARGEST_CHUNK // 1024**2} MiB")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError("it is not valid UTF-8") from error


def _get_list(chunk: dict[str, object], name: str) -> list[object]:
    found = chunk.get(name)
    return found if isinstance(found, list) else []
