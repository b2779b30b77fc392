"""mcp-memory-service: each memory becomes a note of its type's kind.

Mere events (a command, a conversation turn) become episodes. A project is named by a tag
``project:NAME`` or in metadata, as path or name; otherwise the note is global.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.text import fold_to_line
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import open_database
from twiceshy.interop.imports.foreign_values import (
    UnfitError,
    offer_episode,
    offer_note,
    offer_row,
    parse_mapping,
    shorten_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import ForeignRow, Meaning
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
        given = around.given
        return [ImportPlace(os.path.join(given, _FILE) if os.path.isdir(given) else given)]
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


def _build_item(
    place: ImportPlace, around: ImportContext, what: str, row: ForeignRow
) -> OfferedItem:
    if row.get("superseded_by"):
        raise UnfitError("a newer one replaced it there")
    said, at = row.required_text("content"), row.time("created_at", "created_at_iso")
    tags = [tag.strip() for tag in row.text("tags").split(",")]
    identity = _project_of_row(around, tags, parse_mapping(row.get("metadata")))
    kind, alias = row.text("memory_type"), row.text("content_hash") or what
    if kind in _HAPPENED:
        told = {"kind": "note", "title": fold_to_line(said, limit=100), "summary": said}
        return offer_episode(what, place, identity, at, **told).but(alias=alias)
    meaning = _MEANINGS.get(kind, ("lesson", "discovery"))
    own = shorten_texts(tag for tag in tags if tag != _UNTAGGED and not tag.startswith(_PROJECT))
    return offer_note(
        what, place, meaning, said, identity=identity, alias=alias, concepts=own, learned_at=at
    )


def _project_of_row(around: ImportContext, tags: list[str], told: ForeignRow) -> Identity | None:
    for key in ("project_path", "cwd", "project"):
        path = told.get(key)
        if isinstance(path, str) and (found := around.project_at(path)):
            return found
    names = [tag.removeprefix(_PROJECT) for tag in tags if tag.startswith(_PROJECT)]
    name = names[0] if names else told.get("project")
    return around.project_by_name(NAME, name if isinstance(name, str) else "")
