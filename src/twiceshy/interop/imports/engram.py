"""engram: committed chunks, its own database, or an export file.

A chunk extends earlier chunks: the last version of an observation counts, deleted ones are
dropped. Prompts are not read.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.evidence import Episode
from twiceshy.core.text import fold_to_line
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import open_database
from twiceshy.interop.imports.engram_chunks import EngramContent, list_chunk_names
from twiceshy.interop.imports.files import read_text_file
from twiceshy.interop.imports.foreign_values import (
    build_global_draft,
    build_note_draft,
    get_count,
    get_required_text,
    get_text,
    offer_row,
    parse_time,
    project_at_directory,
    project_by_name,
    shorten_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning, Row
    from twiceshy.places.identity import Identity

NAME = "engram"
TITLE = "engram"

CHUNKS, DATABASE, EXPORT = "chunks", "database", "export"
LARGEST_EXPORT = 256 * 1024 * 1024

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
    if around.here.root and (chunks := list_chunk_names(committed)):
        found.append(ImportPlace(committed, CHUNKS, around.here, count=len(chunks)))
    if os.path.isfile(database):
        found.append(ImportPlace(database, DATABASE))
    return found


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield observations in order, and summarised sessions."""
    kept = EngramContent()
    match place.what:
        case "chunks":
            kept.add_chunks(place.path)
        case "export":
            kept.add_chunk(
                read_text_file(place.path, largest=LARGEST_EXPORT), os.path.basename(place.path)
            )
        case _:
            _read_database(place.path, kept)
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
    place: ImportPlace, around: ImportContext, kept: EngramContent, what: str, row: Row
) -> OfferedItem:
    kind, title, content = get_text(row, "type"), get_text(row, "title"), get_text(row, "content")
    session = get_text(row, "session_id")
    identity = _project_of_row(place, around, row, kept.rows["sessions"].get(session, {}))
    at = parse_time(row.get("created_at"))
    if kind in _HAPPENED:
        project = identity.id if identity else place.project_id
        episode = Episode("", "note", session, project, at, at, title=title, summary=content)
        if kind == _SUMMARY:
            episode = episode.but(kind="end")
        return OfferedItem(what, episode=episode, alias=what, identity=identity)
    said = (
        f"{title}: {content}" if title and content else get_required_text(row, "content", "title")
    )
    draft = build_note_draft(
        place,
        identity,
        _MEANINGS.get(kind, ("lesson", "discovery")),
        said,
        concepts=shorten_texts([get_text(row, "topic_key")]),
        sightings=get_count(row.get("duplicate_count")),
        learned_at=parse_time(row.get("updated_at")) or at,
    )
    if get_text(row, "scope") in _ANYWHERE:
        draft, identity = build_global_draft(draft), None
    return OfferedItem(what, draft=draft, alias=what, identity=identity)


def _build_session(place: ImportPlace, around: ImportContext, what: str, row: Row) -> OfferedItem:
    identity = _project_of_row(place, around, row, row)
    began, ended = parse_time(row.get("started_at")), parse_time(row.get("ended_at"))
    summary = get_required_text(row, "summary")
    episode = Episode(
        "",
        "end",
        get_text(row, "id"),
        identity.id if identity else place.project_id,
        began,
        ended or began,
        title=fold_to_line(summary, limit=100),
        summary=summary,
    )
    return OfferedItem(what, episode=episode, alias=what, identity=identity)


def _project_of_row(
    place: ImportPlace, around: ImportContext, row: Row, session: Row
) -> Identity | None:
    """Return the project of a row; chunk paths come from other machines and do not count."""
    name = get_text(row, "project") or get_text(session, "project")
    if place.what == CHUNKS:
        owner = place.identity.name if place.identity else ""
        same = not name or name.casefold() == owner.casefold()
        return None if same else project_by_name(around, NAME, name)
    return project_at_directory(around, get_text(session, "directory")) or project_by_name(
        around, NAME, name
    )


def _read_given(around: ImportContext) -> ImportPlace:
    path = around.given
    if os.path.isdir(path):
        database = os.path.join(path, "engram.db")
        if not list_chunk_names(path) and os.path.isfile(database):
            return ImportPlace(database, DATABASE)
        owner = os.path.dirname(os.path.abspath(path))
        return ImportPlace(path, CHUNKS, project_at_directory(around, owner))
    return ImportPlace(path, EXPORT if path.endswith(".json") else DATABASE)


def _read_database(path: str, kept: EngramContent) -> None:
    with open_database(path) as db:
        for row in db.read_rows("sessions", _SESSIONS, needs=("id", "directory")):
            kept.put_row("sessions", row, "sessions")
        for row in db.read_rows("observations", _OBSERVED, needs=("id", "content")):
            kept.put_row("observations", row, "observations")
