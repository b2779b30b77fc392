"""claude-mem: observations become notes, session summaries become episodes.

Observations of finished work (a feature, a change) report events without advice, so they
become episodes. A project is known by folder name; tool call records with the folder itself
count more.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.evidence import Episode
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import DatabaseError, open_database
from twiceshy.interop.imports.foreign_values import (
    UnfitError,
    build_global_draft,
    build_note_draft,
    get_lines,
    get_required_text,
    get_text,
    offer_row,
    parse_time,
    project_at_directory,
    project_by_name,
    shorten_texts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.database import ForeignDatabase
    from twiceshy.interop.imports.foreign_values import Meaning, Row
    from twiceshy.places.identity import Identity

    Belongs = Callable[[str], Identity | None]

NAME = "claude-mem"
TITLE = "claude-mem"

_FILE = "claude-mem.db"
_MEANINGS: dict[str, Meaning] = {
    "bugfix": ("lesson", "fix"),
    "decision": ("decision", "other"),
    "discovery": ("lesson", "discovery"),
    "security_alert": ("issue", "security"),
    "security_note": ("issue", "security"),
}
_HAPPENED = frozenset({"change", "feature", "refactor"})
_KEPT_BACK = "sensitive"
_WHEN = ("created_at_epoch", "created_at")
_OBSERVED = (
    "id project type title subtitle text facts narrative concepts files_read files_modified "
    "memory_session_id merged_into_project"
).split()
_SUMMED_UP = (
    "id project request investigated learned completed next_steps notes files_read files_edited "
    "memory_session_id merged_into_project"
).split()
_DIRECTED = "id scope project content status".split()
_HEADINGS = ("investigated", "learned", "completed", "next_steps", "notes")


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return its database: named by the user, or in its own folder."""
    path = around.given or around.relocated_path("CLAUDE_MEM_DATA_DIR", ".claude-mem")
    path = os.path.join(path, _FILE) if os.path.isdir(path) else path
    return [ImportPlace(path)] if around.given or os.path.isfile(path) else []


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield observations, summaries, and user directives."""
    with open_database(place.path) as db:
        belongs = _project_finder(db, around)
        for row in db.read_rows("observations", [*_OBSERVED, *_WHEN], needs=("id", "title")):
            what = f"observations:{row['id']}"
            yield offer_row(what, partial(_build_observation, place, belongs, what, row))
        for row in _optional_rows(db, "session_summaries", [*_SUMMED_UP, *_WHEN]):
            what = f"session_summaries:{row['id']}"
            yield offer_row(what, partial(_build_summary, place, belongs, what, row))
        for row in _optional_rows(db, "directives", [*_DIRECTED, *_WHEN]):
            what = f"directives:{row['id']}"
            yield offer_row(what, partial(_build_directive, place, belongs, what, row))


def _build_observation(place: ImportPlace, belongs: Belongs, what: str, row: Row) -> OfferedItem:
    kind = get_text(row, "type")
    if kind == _KEPT_BACK:
        raise UnfitError("claude-mem marks it as sensitive")
    identity = belongs(get_text(row, "merged_into_project") or get_text(row, "project"))
    if kind in _HAPPENED:
        return _build_event(place, identity, what, row)
    concepts = get_lines(row, "concepts")
    meaning = _MEANINGS.get(kind, ("lesson", "discovery"))
    if meaning[0] == "lesson" and "gotcha" in concepts:
        meaning = ("lesson", "gotcha")
    said = _join_texts(get_required_text(row, "title", "text"), get_text(row, "subtitle"))
    draft = build_note_draft(
        place,
        identity,
        meaning,
        said,
        why=_join_story(row),
        concepts=concepts,
        files=_list_files(row, "files_modified", "files_read"),
        learned_at=_row_time(row),
    )
    return OfferedItem(what, draft=draft, alias=what, identity=identity)


def _build_event(
    place: ImportPlace, identity: Identity | None, what: str, row: Row
) -> OfferedItem:
    episode = _build_episode(place, identity, row).but(
        kind="note",
        title=get_required_text(row, "title", "text"),
        summary="\n".join(filter(None, (get_text(row, "subtitle"), _join_story(row)))),
        files=_list_files(row, "files_modified", "files_read"),
    )
    return OfferedItem(what, episode=episode, alias=what, identity=identity)


def _build_summary(place: ImportPlace, belongs: Belongs, what: str, row: Row) -> OfferedItem:
    identity = belongs(get_text(row, "merged_into_project") or get_text(row, "project"))
    request = get_text(row, "request")
    told = [
        f"{name.replace('_', ' ')}: {said}" for name in _HEADINGS if (said := get_text(row, name))
    ]
    episode = _build_episode(place, identity, row).but(
        title=request,
        summary="\n".join(told),
        requests=shorten_texts([request]),
        files=_list_files(row, "files_edited", "files_read"),
    )
    return OfferedItem(what, episode=episode, alias=what, identity=identity)


def _build_directive(place: ImportPlace, belongs: Belongs, what: str, row: Row) -> OfferedItem:
    if get_text(row, "status") not in ("", "active"):
        raise UnfitError("it was switched off in claude-mem")
    identity = belongs(get_text(row, "project"))
    draft = build_note_draft(
        place,
        identity,
        ("rule", "hard"),
        get_required_text(row, "content"),
        learned_at=_row_time(row),
    )
    if get_text(row, "scope") in ("", "global"):
        draft, identity = build_global_draft(draft), None
    return OfferedItem(what, draft=draft, alias=what, identity=identity)


def _build_episode(place: ImportPlace, identity: Identity | None, row: Row) -> Episode:
    project = identity.id if identity else place.project_id
    at = _row_time(row)
    return Episode("", "end", get_text(row, "memory_session_id"), project, at, at)


def _project_finder(db: ForeignDatabase, around: ImportContext) -> Belongs:
    """Return a finder of projects by name in this database."""
    folders: dict[str, Identity | None] = {}
    for row in _optional_rows(db, "tool_uses", ["id", "project", "cwd"]):
        name, cwd = row.get("project"), row.get("cwd")
        # a session that moved to another folder says nothing about this name
        if isinstance(name, str) and isinstance(cwd, str) and os.path.basename(cwd) == name:
            folders[name] = folders.get(name) or project_at_directory(around, cwd)
    return lambda name: folders.get(name) or project_by_name(around, NAME, name)


def _optional_rows(db: ForeignDatabase, table: str, columns: list[str]) -> Iterator[Row]:
    """Yield rows of a table absent in some versions."""
    try:
        yield from db.read_rows(table, columns, needs=("id",))
    except DatabaseError:
        return


def _join_story(row: Row) -> str:
    facts = get_lines(row, "facts")
    return "\n".join(filter(None, (get_text(row, "narrative"), *(f"- {fact}" for fact in facts))))


def _list_files(row: Row, *keys: str) -> tuple[str, ...]:
    return shorten_texts([path for key in keys for path in get_lines(row, key)])


def _row_time(row: Row) -> int:
    return next((at for key in _WHEN if (at := parse_time(row.get(key)))), 0)


def _join_texts(title: str, more: str) -> str:
    if not more or more in title:
        return title
    return f"{title}{'' if title[-1] in '.:!?。' else '.'} {more}"
