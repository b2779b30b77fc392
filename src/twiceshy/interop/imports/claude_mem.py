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
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.database import DatabaseError, opened
from twiceshy.interop.imports.told import (
    UnfitError,
    everywhere,
    lines,
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
    from collections.abc import Callable, Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.database import Database
    from twiceshy.interop.imports.told import Meaning, Row
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


def places(around: Around) -> list[Place]:
    """Return its database: named by the user, or in its own folder."""
    path = around.given or around.moved("CLAUDE_MEM_DATA_DIR", ".claude-mem")
    path = os.path.join(path, _FILE) if os.path.isdir(path) else path
    return [Place(path)] if around.given or os.path.isfile(path) else []


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield observations, summaries, and user directives."""
    with opened(place.path) as db:
        belongs = _projects(db, around)
        for row in db.rows("observations", [*_OBSERVED, *_WHEN], needs=("id", "title")):
            what = f"observations:{row['id']}"
            yield piece(what, partial(_observation, place, belongs, what, row))
        for row in _optional(db, "session_summaries", [*_SUMMED_UP, *_WHEN]):
            what = f"session_summaries:{row['id']}"
            yield piece(what, partial(_summary, place, belongs, what, row))
        for row in _optional(db, "directives", [*_DIRECTED, *_WHEN]):
            what = f"directives:{row['id']}"
            yield piece(what, partial(_directive, place, belongs, what, row))


def _observation(place: Place, belongs: Belongs, what: str, row: Row) -> Offered:
    kind = text(row, "type")
    if kind == _KEPT_BACK:
        raise UnfitError("claude-mem marks it as sensitive")
    identity = belongs(text(row, "merged_into_project") or text(row, "project"))
    if kind in _HAPPENED:
        return _happened(place, identity, what, row)
    concepts = lines(row, "concepts")
    meaning = _MEANINGS.get(kind, ("lesson", "discovery"))
    if meaning[0] == "lesson" and "gotcha" in concepts:
        meaning = ("lesson", "gotcha")
    said = _joined(needed(row, "title", "text"), text(row, "subtitle"))
    draft = note(
        place,
        identity,
        meaning,
        said,
        why=_story(row),
        concepts=concepts,
        files=_files(row, "files_modified", "files_read"),
        learned_at=_at(row),
    )
    return Offered(what, draft=draft, alias=what, identity=identity)


def _happened(place: Place, identity: Identity | None, what: str, row: Row) -> Offered:
    episode = _episode(place, identity, row).but(
        kind="note",
        title=needed(row, "title", "text"),
        summary="\n".join(filter(None, (text(row, "subtitle"), _story(row)))),
        files=_files(row, "files_modified", "files_read"),
    )
    return Offered(what, episode=episode, alias=what, identity=identity)


def _summary(place: Place, belongs: Belongs, what: str, row: Row) -> Offered:
    identity = belongs(text(row, "merged_into_project") or text(row, "project"))
    request = text(row, "request")
    told = [f"{name.replace('_', ' ')}: {said}" for name in _HEADINGS if (said := text(row, name))]
    episode = _episode(place, identity, row).but(
        title=request,
        summary="\n".join(told),
        requests=short([request]),
        files=_files(row, "files_edited", "files_read"),
    )
    return Offered(what, episode=episode, alias=what, identity=identity)


def _directive(place: Place, belongs: Belongs, what: str, row: Row) -> Offered:
    if text(row, "status") not in ("", "active"):
        raise UnfitError("it was switched off in claude-mem")
    identity = belongs(text(row, "project"))
    draft = note(place, identity, ("rule", "hard"), needed(row, "content"), learned_at=_at(row))
    if text(row, "scope") in ("", "global"):
        draft, identity = everywhere(draft), None
    return Offered(what, draft=draft, alias=what, identity=identity)


def _episode(place: Place, identity: Identity | None, row: Row) -> Episode:
    project = identity.id if identity else place.project
    at = _at(row)
    return Episode("", "end", text(row, "memory_session_id"), project, at, at)


def _projects(db: Database, around: Around) -> Belongs:
    """Return a finder of projects by name in this database."""
    folders: dict[str, Identity | None] = {}
    for row in _optional(db, "tool_uses", ["id", "project", "cwd"]):
        name, cwd = row.get("project"), row.get("cwd")
        # a session that moved to another folder says nothing about this name
        if isinstance(name, str) and isinstance(cwd, str) and os.path.basename(cwd) == name:
            folders[name] = folders.get(name) or located(around, cwd)
    return lambda name: folders.get(name) or named(around, NAME, name)


def _optional(db: Database, table: str, columns: list[str]) -> Iterator[Row]:
    """Yield rows of a table absent in some versions."""
    try:
        yield from db.rows(table, columns, needs=("id",))
    except DatabaseError:
        return


def _story(row: Row) -> str:
    facts = lines(row, "facts")
    return "\n".join(filter(None, (text(row, "narrative"), *(f"- {fact}" for fact in facts))))


def _files(row: Row, *keys: str) -> tuple[str, ...]:
    return short([path for key in keys for path in lines(row, key)])


def _at(row: Row) -> int:
    return next((at for key in _WHEN if (at := moment(row.get(key)))), 0)


def _joined(title: str, more: str) -> str:
    if not more or more in title:
        return title
    return f"{title}{'' if title[-1] in '.:!?。' else '.'} {more}"
