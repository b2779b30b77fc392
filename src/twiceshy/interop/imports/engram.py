"""engram: committed chunks, its own database, or an export file.

A chunk extends earlier chunks: the last version of an observation counts, deleted ones are
dropped. Prompts are not read.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.evidence import Episode
from twiceshy.core.text import one_line
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.database import opened
from twiceshy.interop.imports.engram_chunks import Kept, chunk_names
from twiceshy.interop.imports.files import text_of
from twiceshy.interop.imports.told import (
    count,
    everywhere,
    located,
    moment,
    named,
    needed,
    note,
    piece,
    short,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.told import Meaning, Row
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


def places(around: Around) -> list[Place]:
    """Return the chunks of the current project, and its database."""
    if around.given:
        return [_given(around)]
    committed = os.path.join(around.here.root, ".engram")
    database = os.path.join(around.moved("ENGRAM_DATA_DIR", ".engram"), "engram.db")
    found = []
    if around.here.root and (chunks := chunk_names(committed)):
        found.append(Place(committed, CHUNKS, around.here, count=len(chunks)))
    if os.path.isfile(database):
        found.append(Place(database, DATABASE))
    return found


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield observations in order, and summarised sessions."""
    kept = Kept()
    match place.what:
        case "chunks":
            kept.add_chunks(place.path)
        case "export":
            kept.add(text_of(place.path, largest=LARGEST_EXPORT), os.path.basename(place.path))
        case _:
            _read_database(place.path, kept)
    for what, why in kept.unfit:
        yield Offered(what, refused=why)
    for key, row in kept.rows["observations"].items():
        if not row.get("deleted_at"):
            what = f"observations:{one_line(key, limit=80)}"
            yield piece(what, partial(_observation, place, around, kept, what, row))
    for key, row in kept.rows["sessions"].items():
        if row.get("summary"):
            what = f"sessions:{one_line(key, limit=80)}"
            yield piece(what, partial(_session, place, around, what, row))


def _observation(place: Place, around: Around, kept: Kept, what: str, row: Row) -> Offered:
    kind, title, content = text(row, "type"), text(row, "title"), text(row, "content")
    session = text(row, "session_id")
    identity = _project(place, around, row, kept.rows["sessions"].get(session, {}))
    at = moment(row.get("created_at"))
    if kind in _HAPPENED:
        project = identity.id if identity else place.project
        episode = Episode("", "note", session, project, at, at, title=title, summary=content)
        if kind == _SUMMARY:
            episode = episode.but(kind="end")
        return Offered(what, episode=episode, alias=what, identity=identity)
    said = f"{title}: {content}" if title and content else needed(row, "content", "title")
    draft = note(
        place,
        identity,
        _MEANINGS.get(kind, ("lesson", "discovery")),
        said,
        concepts=short([text(row, "topic_key")]),
        sightings=count(row.get("duplicate_count")),
        learned_at=moment(row.get("updated_at")) or at,
    )
    if text(row, "scope") in _ANYWHERE:
        draft, identity = everywhere(draft), None
    return Offered(what, draft=draft, alias=what, identity=identity)


def _session(place: Place, around: Around, what: str, row: Row) -> Offered:
    identity = _project(place, around, row, row)
    began, ended = moment(row.get("started_at")), moment(row.get("ended_at"))
    summary = needed(row, "summary")
    episode = Episode(
        "",
        "end",
        text(row, "id"),
        identity.id if identity else place.project,
        began,
        ended or began,
        title=one_line(summary, limit=100),
        summary=summary,
    )
    return Offered(what, episode=episode, alias=what, identity=identity)


def _project(place: Place, around: Around, row: Row, session: Row) -> Identity | None:
    """Return the project of a row; chunk paths come from other machines and do not count."""
    name = text(row, "project") or text(session, "project")
    if place.what == CHUNKS:
        owner = place.identity.name if place.identity else ""
        same = not name or name.casefold() == owner.casefold()
        return None if same else named(around, NAME, name)
    return located(around, text(session, "directory")) or named(around, NAME, name)


def _given(around: Around) -> Place:
    path = around.given
    if os.path.isdir(path):
        database = os.path.join(path, "engram.db")
        if not chunk_names(path) and os.path.isfile(database):
            return Place(database, DATABASE)
        owner = os.path.dirname(os.path.abspath(path))
        return Place(path, CHUNKS, located(around, owner))
    return Place(path, EXPORT if path.endswith(".json") else DATABASE)


def _read_database(path: str, kept: Kept) -> None:
    with opened(path) as db:
        for row in db.rows("sessions", _SESSIONS, needs=("id", "directory")):
            kept.put("sessions", row, "sessions")
        for row in db.rows("observations", _OBSERVED, needs=("id", "content")):
            kept.put("observations", row, "observations")
