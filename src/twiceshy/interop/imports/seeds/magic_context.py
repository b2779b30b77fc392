"""magic-context: rows of ``skill_memory`` in its SQLite file, by column."""

from __future__ import annotations

import hashlib
import os
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.database import opened
from twiceshy.interop.imports.files import is_file
from twiceshy.interop.imports.told import UnfitError, lines, needed, piece, text
from twiceshy.places.identity import project_id_valid
from twiceshy.safety.names import safe_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.told import Row
    from twiceshy.places.identity import Identity

NAME = "magic-context"
TITLE = "magic-context"
_TABLE = "skill_memory"
_NEEDS = ("skill_id", "tier", "project_identity", "kind", "delta")
_COLUMNS = (
    *_NEEDS,
    *"id origin_project source_type intent tags hit_count recall_count pinned".split(),
    *("created_at", "last_used_at"),
)
_KINDS = ("gotcha", "discovery", "fix", "workflow")
_TIERS = ("project", "global")


def places(around: Around) -> list[Place]:
    """Return the database, if present."""
    share = around.environ.get("XDG_DATA_HOME") or around.at_home(".local", "share")
    usual = os.path.join(share, "cortexkit", "magic-context", "context.db")
    path = around.given or usual
    if os.path.isdir(path):
        path = os.path.join(path, "context.db")
    return [Place(path)] if is_file(path) else []


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield notes; a row with an undocumented type is refused."""
    with opened(place.path) as db:
        for number, row in enumerate(db.rows(_TABLE, _COLUMNS, needs=_NEEDS), start=1):
            name = row.get("id")
            what = f"{_TABLE}:{name if isinstance(name, int) else f'row {number}'}"
            yield piece(what, partial(_offered, row, what, around))


def _offered(row: Row, what: str, around: Around) -> Offered:
    said, kind, tier = (needed(row, name) for name in ("delta", "kind", "tier"))
    if kind not in _KINDS:
        raise UnfitError(f"{kind[:40]!r} is no kind of note there")
    if tier not in _TIERS:
        raise UnfitError(f"{tier[:40]!r} is no tier")
    identity = _project(text(row, "project_identity"), around) if tier == "project" else None
    project = identity.id if identity else EVERYWHERE
    intent = text(row, "intent")
    origin = text(row, "origin_project")
    by_historian = text(row, "source_type") == "historian"
    draft = Draft(
        kind="lesson",
        text=said,
        scope=Scope(project, safe_name(text(row, "skill_id"), what="skill")),
        source="import",
        subtype=kind,
        why="" if intent == said else intent,
        concepts=lines(row, "tags"),
        pinned=bool(_number(row, "pinned")),
        origin_project=origin if project_id_valid(origin) else "",
        origin_session=f"{NAME}: historian, {what}" if by_historian else "",
        learned_at=_number(row, "last_used_at") or _number(row, "created_at"),
        sightings=1 + _number(row, "hit_count"),
    )
    return Offered(
        what, draft, alias=what, recalls=_number(row, "recall_count"), identity=identity
    )


def _project(name: str, around: Around) -> Identity:
    """Return the project of an identity: a root commit, or a hashed folder."""
    for known in (around.here, *around.known):
        if name in (known.id, _by_folder(known.root)):
            return known
    if project_id_valid(name) and name != EVERYWHERE:
        return around.here.but(id=name, name=name[:12], root="", aliases=())
    raise UnfitError(
        f"its project {name[:40]!r} is not known here",
        hint="run the import once in that project's folder",
    )


def _by_folder(root: str) -> str:
    digest = hashlib.md5(root.encode(errors="replace"), usedforsecurity=False).hexdigest()
    return f"dir:{digest[:12]}"


def _number(row: Row, name: str) -> int:
    value = row.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or value < 0:
        raise UnfitError(f"its {name} is no count")
    return value
