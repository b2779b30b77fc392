"""magic-context: rows of ``skill_memory`` in its SQLite file, by column."""

import hashlib
import json
import os
from collections.abc import Iterator
from functools import partial

from twiceshy.core.draft import Draft
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.database import open_database
from twiceshy.interop.imports.foreign_values import ForeignRow, UnfitError, offer_row
from twiceshy.places.identity import Identity, is_project_id
from twiceshy.safety.names import check_name

NAME = "magic-context"
TITLE = "magic-context"
_TABLE = "skill_memory"
ROWS = "magic_context_rows"  # the form of the rows that are kept for the way back
_NEEDS = ("skill_id", "tier", "project_identity", "kind", "delta")
_COLUMNS = (
    *_NEEDS,
    *"id origin_project source_type intent tags hit_count recall_count pinned".split(),
    *("created_at", "last_used_at", "resolved_path", "skill_source", "normalized_hash"),
    "skill_content_hash",
)
_KINDS = ("gotcha", "discovery", "fix", "workflow")
_TIERS = ("project", "global")


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the database, if present."""
    share = around.environ.get("XDG_DATA_HOME") or around.home_path(".local", "share")
    usual = os.path.join(share, "cortexkit", "magic-context", "context.db")
    path = around.given or usual
    if os.path.isdir(path):
        path = os.path.join(path, "context.db")
    return [ImportPlace(path, ROWS, original="context.db")] if os.path.isfile(path) else []


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield notes; a row with an undocumented type is refused."""
    with open_database(place.path) as db:
        for number, row in enumerate(db.read_rows(_TABLE, _COLUMNS, needs=_NEEDS), start=1):
            name = row.get("id")
            what = f"{_TABLE}:{name if isinstance(name, int) else f'row {number}'}"
            original = _describe_row(row, around)
            yield offer_row(what, partial(_build_item, row, what, around)).but(row=original)


def _describe_row(row: ForeignRow, around: ImportContext) -> str:
    """Return a row as JSON, so that an export gives it back; a row that holds bytes has none."""
    if any(isinstance(value, bytes) for value in row.values()):
        return ""
    fields = {
        name: around.redact(value) if isinstance(value, str) else value
        for name, value in row.items()
    }
    return json.dumps(fields, ensure_ascii=False)


def _build_item(row: ForeignRow, what: str, around: ImportContext) -> OfferedItem:
    said, kind, tier = (row.required_text(name) for name in ("delta", "kind", "tier"))
    if kind not in _KINDS:
        raise UnfitError(f"{kind[:40]!r} is no kind of note there")
    if tier not in _TIERS:
        raise UnfitError(f"{tier[:40]!r} is no tier")
    name = row.text("project_identity")
    identity = _project_of_identity(name, around) if tier == "project" else None
    project = identity.id if identity else EVERYWHERE
    intent = row.text("intent")
    origin = row.text("origin_project")
    by_historian = row.text("source_type") == "historian"
    draft = Draft(
        kind="lesson",
        text=said,
        scope=Scope(project, check_name(row.text("skill_id"), what="skill")),
        source="import",
        subtype=kind,
        why="" if intent == said else intent,
        concepts=row.lines("tags"),
        pinned=bool(_get_number(row, "pinned")),
        origin_project=origin if is_project_id(origin) else "",
        origin_session=f"{NAME}: historian, {what}" if by_historian else "",
        learned_at=_get_number(row, "last_used_at") or _get_number(row, "created_at"),
        sightings=1 + _get_number(row, "hit_count"),
    )
    recalls = _get_number(row, "recall_count")
    return OfferedItem(what, draft, alias=what, recalls=recalls, identity=identity)


def _project_of_identity(name: str, around: ImportContext) -> Identity:
    """Return the project of an identity: a root commit, or a hashed folder."""
    for known in (around.here, *around.known):
        if name in (known.id, _project_by_folder(known.root)):
            return known
    if is_project_id(name) and name != EVERYWHERE:
        return around.here.but(id=name, name=name[:12], root="", aliases=())
    raise UnfitError(
        f"its project {name[:40]!r} is not known here",
        hint="run the import once in that project's folder",
    )


def _project_by_folder(root: str) -> str:
    digest = hashlib.md5(root.encode(errors="replace"), usedforsecurity=False).hexdigest()
    return f"dir:{digest[:12]}"


def _get_number(row: ForeignRow, name: str) -> int:
    value = row.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or value < 0:
        raise UnfitError(f"its {name} is no count")
    return value
