"""mcp-memory-service: each memory becomes a note of its type's kind.

Mere events (a command, a conversation turn) become episodes. A project is named by a tag
``project:NAME`` or in metadata, as path or name; otherwise the note is global.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.evidence import Episode
from twiceshy.core.text import fold_to_line
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import open_database
from twiceshy.interop.imports.foreign_values import (
    UnfitError,
    build_note_draft,
    get_mapping,
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

NAME = "mcp-memory-service"
TITLE = "mcp-memory-service"

_FILE = "sqlite_vec.db"
_FILES = ("MCP_MEMORY_SQLITE_PATH", "MCP_MEMORY_SQLITEVEC_PATH")
_FOLDERS = (
    (".local", "share", "mcp-memory"),
    ("Library", "Application Support", "mcp-memory"),
    ("AppData", "Local", "mcp-memory"),
)
_MEANINGS: dict[str, Meaning] = {
    "decision": ("decision", "other"),
    "architecture": ("decision", "architecture"),
    "tool_choice": ("decision", "technology"),
    "approach": ("decision", "approach"),
    "configuration": ("decision", "technology"),
    "best_practice": ("pattern", "best-practice"),
    "anti_pattern": ("pattern", "anti-pattern"),
    "gotcha": ("lesson", "gotcha"),
    "user_correction": ("lesson", "pitfall"),
    **dict.fromkeys("error bug failure exception timeout mistake".split(), ("lesson", "pitfall")),
    **dict.fromkeys("pattern design_pattern".split(), ("pattern", "other")),
    **dict.fromkeys("recurring_issue code_smell".split(), ("issue", "other")),
    "workflow": ("lesson", "workflow"),
    "preference_signal": ("preference", ""),
    "preference": ("preference", ""),
}
_HAPPENED = frozenset(
    "code_edit file_access search command conversation conversation_turn session tool_outcome".split()
)
_COLUMNS = (
    "id content_hash content tags memory_type metadata created_at created_at_iso deleted_at "
    "superseded_by"
).split()
_PROJECT = "project:"
_UNTAGGED = "untagged"


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return its databases: from variables, else from system locations."""
    if around.given:
        return [ImportPlace(_database_paths(around.given))]
    told = [path for name in _FILES if (path := around.environ.get(name))]
    base = around.environ.get("MCP_MEMORY_BASE_DIR")
    told += [os.path.join(base, _FILE)] if base else []
    usual = [around.home_path(*parts, _FILE) for parts in _FOLDERS]
    found = map(os.path.expanduser, (*told, *usual))
    return [ImportPlace(path) for path in dict.fromkeys(found) if os.path.isfile(path)]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield memories not deleted there."""
    with open_database(place.path) as db:
        for row in db.read_rows("memories", _COLUMNS, needs=("id", "content")):
            if row.get("deleted_at") is None:
                what = f"memories:{row['id']}"
                yield offer_row(what, partial(_build_item, place, around, what, row))


def _build_item(place: ImportPlace, around: ImportContext, what: str, row: Row) -> OfferedItem:
    if row.get("superseded_by"):
        raise UnfitError("a newer one replaced it there")
    said = get_required_text(row, "content")
    told = get_mapping(row.get("metadata"))
    tags = [tag.strip() for tag in get_text(row, "tags").split(",")]
    identity = _project_of_row(around, tags, told)
    at = parse_time(row.get("created_at")) or parse_time(row.get("created_at_iso"))
    kind = get_text(row, "memory_type")
    alias = get_text(row, "content_hash") or what
    if kind in _HAPPENED:
        project = identity.id if identity else place.project_id
        title = fold_to_line(said, limit=100)
        episode = Episode("", "note", "", project, at, at, title=title, summary=said)
        return OfferedItem(what, episode=episode, alias=alias, identity=identity)
    meaning = _MEANINGS.get(kind, ("lesson", "discovery"))
    concepts = shorten_texts(
        tag for tag in tags if tag != _UNTAGGED and not tag.startswith(_PROJECT)
    )
    draft = build_note_draft(place, identity, meaning, said, concepts=concepts, learned_at=at)
    return OfferedItem(what, draft=draft, alias=alias, identity=identity)


def _project_of_row(around: ImportContext, tags: list[str], told: Row) -> Identity | None:
    for key in ("project_path", "cwd", "project"):
        path = told.get(key)
        if isinstance(path, str) and (found := project_at_directory(around, path)):
            return found
    names = [tag.removeprefix(_PROJECT) for tag in tags if tag.startswith(_PROJECT)]
    name = told.get("project")
    return project_by_name(
        around, NAME, names[0] if names else name if isinstance(name, str) else ""
    )


def _database_paths(path: str) -> str:
    return os.path.join(path, _FILE) if os.path.isdir(path) else path
