"""mem0: a JSON export of ``get_all``, or the history of its library.

The history has every change: the last counts, deleted memories are dropped. An export knows
more: time, owner, and perhaps a project in metadata.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.database import opened
from twiceshy.interop.imports.files import text_of
from twiceshy.interop.imports.told import (
    UnfitError,
    lines,
    located,
    mapping,
    moment,
    named,
    needed,
    note,
    parsed,
    piece,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.told import Meaning, Row
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


def places(around: Around) -> list[Place]:
    """Return an export named by the user, or the history in its folder."""
    if around.given:
        what = HISTORY if around.given.endswith((".db", ".sqlite")) else EXPORT
        return [Place(around.given, what)]
    path = os.path.join(around.moved("MEM0_DIR", ".mem0"), "history.db")
    return [Place(path, HISTORY)] if os.path.isfile(path) else []


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield memories not deleted."""
    if place.what == EXPORT:
        for at, row in enumerate(_exported(text_of(place.path, largest=LARGEST))):
            what = f"memories:{at + 1}"
            yield piece(what, partial(_offered, place, around, what, row))
        return
    for key, row in _last(place.path).items():
        what = f"history:{key[:80]}"
        yield piece(what, partial(_offered, place, around, what, row))


def _offered(place: Place, around: Around, what: str, row: object) -> Offered:
    if isinstance(row, str):
        row = {"memory": row}
    if not isinstance(row, dict):
        raise UnfitError("it is no object")
    told = mapping(row.get("metadata"))
    identity = _project(around, row, told)
    said = needed(row, "memory", "text", "content")
    draft = note(
        place,
        identity,
        _meaning(row, told),
        said,
        concepts=lines(row, "categories"),
        learned_at=moment(row.get("updated_at")) or moment(row.get("created_at")),
    )
    return Offered(what, draft=draft, alias=text(row, "id"), identity=identity)


def _meaning(row: Row, told: Row) -> Meaning:
    kinds = [str(told.get(key)) for key in ("type", "category")]
    found = [_MEANINGS[kind] for kind in (*kinds, *lines(row, "categories")) if kind in _MEANINGS]
    return found[0] if found else ("lesson", "discovery")


def _project(around: Around, row: Row, told: Row) -> Identity | None:
    names = [told.get(key) for key in ("project_path", "cwd", "project", "project_id", "repo")]
    known = [name for name in (*names, row.get("app_id")) if isinstance(name, str) and name]
    found = next(filter(None, (located(around, name) for name in known)), None)
    return found or (named(around, NAME, os.path.basename(known[0])) if known else None)


def _exported(written: str) -> list[object]:
    """Return memories of an export: a list, an object with a list, or an object per line."""
    try:
        found = parsed(written)
    except UnfitError:
        found = [parsed(line) for line in written.splitlines() if line.strip()]
    if isinstance(found, dict):
        found = next(
            (found[name] for name in _LISTS if isinstance(found.get(name), list)), [found]
        )
    if not isinstance(found, list):
        raise UnfitError("it holds no list of memories", hint="save what get_all returned as JSON")
    return found


def _last(path: str) -> dict[str, Row]:
    """Return the last version of each memory, without deleted ones."""
    known: dict[str, Row] = {}
    with opened(path) as db:
        for row in db.rows("history", _COLUMNS, needs=("memory_id", "new_memory", "event")):
            key = str(row["memory_id"])
            if row.get("event") == "DELETE" or row.get("is_deleted") in (1, True):
                known.pop(key, None)
            else:
                known[key] = {**row, "id": key, "memory": row["new_memory"]}
    return known
