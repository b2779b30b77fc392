"""claude-mem: observations become notes, session summaries become episodes.

Observations of finished work (a feature, a change) report events without advice, so they
become episodes. A project is known by folder name; tool call records with the folder itself
count more.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import DatabaseError, open_database
from twiceshy.interop.imports.foreign_values import (
    UnfitError,
    offer_episode,
    offer_note,
    offer_row,
    shorten_texts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.database import ForeignDatabase
    from twiceshy.interop.imports.foreign_values import ForeignRow, Meaning
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


def _build_observation(
    place: ImportPlace, belongs: Belongs, what: str, row: ForeignRow
) -> OfferedItem:
    kind = row.text("type")
    if kind == _KEPT_BACK:
        raise UnfitError("claude-mem marks it as sensitive")
    identity = belongs(row.text("merged_into_project") or row.text("project"))
    title, more = row.required_text("title", "text"), row.text("subtitle")
    facts = (f"- {fact}" for fact in row.lines("facts"))
    story = "\n".join(filter(None, (row.text("narrative"), *facts)))
    files, at = row.lines("files_modified", "files_read"), row.time(*_WHEN)
    if kind in _HAPPENED:
        return offer_episode(
            what,
            place,
            identity,
            at,
            kind="note",
            session=row.text("memory_session_id"),
            title=title,
            summary="\n".join(filter(None, (more, story))),
            files=files,
        )
    concepts = row.lines("concepts")
    meaning = _MEANINGS.get(kind, ("lesson", "discovery"))
    if meaning[0] == "lesson" and "gotcha" in concepts:
        meaning = ("lesson", "gotcha")
    return offer_note(
        what,
        place,
        meaning,
        _join_texts(title, more),
        identity=identity,
        alias=what,
        why=story,
        concepts=concepts,
        files=files,
        learned_at=at,
    )


def _build_summary(
    place: ImportPlace, belongs: Belongs, what: str, row: ForeignRow
) -> OfferedItem:
    request = row.text("request")
    told = [f"{name.replace('_', ' ')}: {said}" for name in _HEADINGS if (said := row.text(name))]
    return offer_episode(
        what,
        place,
        belongs(row.text("merged_into_project") or row.text("project")),
        row.time(*_WHEN),
        session=row.text("memory_session_id"),
        title=request,
        summary="\n".join(told),
        requests=shorten_texts([request]),
        files=row.lines("files_edited", "files_read"),
    )


def _build_directive(
    place: ImportPlace, belongs: Belongs, what: str, row: ForeignRow
) -> OfferedItem:
    if row.text("status") not in ("", "active"):
        raise UnfitError("it was switched off in claude-mem")
    said, identity = row.required_text("content"), belongs(row.text("project"))
    if row.text("scope") in ("", "global"):
        place, identity = place.but(identity=None), None
    rule: Meaning = ("rule", "hard")
    at = row.time(*_WHEN)
    return offer_note(what, place, rule, said, identity=identity, alias=what, learned_at=at)


def _project_finder(db: ForeignDatabase, around: ImportContext) -> Belongs:
    """Return a finder of projects by name in this database."""
    folders: dict[str, Identity | None] = {}
    for row in _optional_rows(db, "tool_uses", ["id", "project", "cwd"]):
        name, cwd = row.get("project"), row.get("cwd")
        # a session that moved to another folder says nothing about this name
        if isinstance(name, str) and isinstance(cwd, str) and os.path.basename(cwd) == name:
            folders[name] = folders.get(name) or around.project_at(cwd)
    return lambda name: folders.get(name) or around.project_by_name(NAME, name)


def _optional_rows(db: ForeignDatabase, table: str, columns: list[str]) -> Iterator[ForeignRow]:
    """Yield rows of a table absent in some versions."""
    try:
        yield from db.read_rows(table, columns, needs=("id",))
    except DatabaseError:
        return


def _join_texts(title: str, more: str) -> str:
    if not more or more in title:
        return title
    return f"{title}{'' if title[-1] in '.:!?。' else '.'} {more}"
