"""mem0: a JSON export of ``get_all``, or the history of its library.

The history has every change: the last counts, deleted memories are dropped. An export knows
more: time, owner, and perhaps a project in metadata.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.database import open_database
from twiceshy.interop.imports.files import read_text_file
from twiceshy.interop.imports.foreign_values import (
    ForeignRow,
    UnfitError,
    offer_note,
    offer_row,
    parse_json_text,
    parse_mapping,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning
    from twiceshy.places.identity import Identity

NAME = "mem0"
TITLE = "mem0"

HISTORY, EXPORT = "history", "export"
LARGEST = 256 * 1024 * 1024  # bytes

_LISTS = ("results", "memories", "data")
_MEANINGS: dict[str, Meaning] = {
    "anti_pattern": ("pattern", "anti-pattern"),
    "bugfix": ("lesson", "fix"),
    "convention": ("pattern", "convention"),
    "decision": ("decision", "other"),
    "preference": ("preference", ""),
    "user_preference": ("preference", ""),
}
_COLUMNS = "memory_id old_memory new_memory event created_at updated_at is_deleted".split()


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return an export named by the user, or the history in its folder."""
    if around.given:
        what = HISTORY if around.given.endswith((".db", ".sqlite")) else EXPORT
        return [ImportPlace(around.given, what)]
    path = os.path.join(around.relocated_path("MEM0_DIR", ".mem0"), "history.db")
    return [ImportPlace(path, HISTORY)] if os.path.isfile(path) else []


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield memories not deleted."""
    if place.what == EXPORT:
        for at, row in enumerate(_exported_memories(read_text_file(place.path, largest=LARGEST))):
            what = f"memories:{at + 1}"
            yield offer_row(what, partial(_build_item, place, around, what, row))
        return
    for key, row in _last_of_history(place.path).items():
        what = f"history:{key[:80]}"
        yield offer_row(what, partial(_build_item, place, around, what, row))


def _build_item(place: ImportPlace, around: ImportContext, what: str, row: object) -> OfferedItem:
    if isinstance(row, str):
        row = {"memory": row}
    if not isinstance(row, dict):
        raise UnfitError("it is no object")
    row = ForeignRow(row)
    told, concepts = parse_mapping(row.get("metadata")), row.lines("categories")
    kinds = (str(told.get("type")), str(told.get("category")), *concepts)
    return offer_note(
        what,
        place,
        next((_MEANINGS[kind] for kind in kinds if kind in _MEANINGS), ("lesson", "discovery")),
        row.required_text("memory", "text", "content"),
        identity=_project_of_row(around, row, told),
        alias=row.text("id"),
        concepts=concepts,
        learned_at=row.time("updated_at", "created_at"),
    )


def _project_of_row(around: ImportContext, row: ForeignRow, told: ForeignRow) -> Identity | None:
    names = [told.get(key) for key in ("project_path", "cwd", "project", "project_id", "repo")]
    known = [name for name in (*names, row.get("app_id")) if isinstance(name, str) and name]
    found = next(filter(None, map(around.project_at, known)), None)
    return found or (around.project_by_name(NAME, os.path.basename(known[0])) if known else None)


def _exported_memories(written: str) -> list[object]:
    """Return memories of an export: a list, an object with a list, or an object per line."""
    try:
        found = parse_json_text(written)
    except UnfitError:
        found = [parse_json_text(line) for line in written.splitlines() if line.strip()]
    if isinstance(found, dict):
        lists = (found[name] for name in _LISTS if isinstance(found.get(name), list))
        found = next(lists, [found])
    if not isinstance(found, list):
        raise UnfitError("it holds no list of memories", hint="save what get_all returned as JSON")
    return found


def _last_of_history(path: str) -> dict[str, ForeignRow]:
    """Return the last version of each memory, without deleted ones."""
    known: dict[str, ForeignRow] = {}
    with open_database(path) as db:
        for row in db.read_rows("history", _COLUMNS, needs=("memory_id", "new_memory", "event")):
            key = str(row["memory_id"])
            if row.get("event") == "DELETE" or row.get("is_deleted") in (1, True):
                known.pop(key, None)
            else:
                known[key] = ForeignRow(row, id=key, memory=row["new_memory"])
    return known
