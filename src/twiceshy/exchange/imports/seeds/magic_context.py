"""magic-context's per-skill notes: the rows of ``skill_memory`` in its SQLite file, told by their columns."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from twiceshy.core import jsontext
from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.names import safe_name
from twiceshy.core.project import project_id_valid
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.exchange.imports import Offered, Place
from twiceshy.exchange.imports.database import rows
from twiceshy.exchange.imports.files import is_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.project import Identity
    from twiceshy.exchange.imports import Around

    Row = Mapping[str, object]

NAME = "magic-context"
TITLE = "magic-context"
_TABLE = "skill_memory"
_NEEDS = ("skill_id", "tier", "project_identity", "kind", "delta")
_COLUMNS = (
    *(
        "id",
        *_NEEDS,
        "origin_project",
        "source_type",
        "intent",
        "tags",
        "hit_count",
        "recall_count",
    ),
    *("pinned", "created_at", "last_used_at"),
)
_KINDS = ("gotcha", "discovery", "fix", "workflow")
_TIERS = ("project", "global")


class _RowError(TwiceshyError):
    """A row that is not as the table is documented."""


def places(around: Around) -> list[Place]:
    """Return the database, if there is one."""
    share = around.environ.get("XDG_DATA_HOME") or around.at_home(".local", "share")
    usual = os.path.join(share, "cortexkit", "magic-context", "context.db")
    path = around.given or usual
    if os.path.isdir(path):
        path = os.path.join(path, "context.db")
    return [Place(path)] if is_file(path) else []


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the notes; a row of another type than documented is refused, not guessed at."""
    for number, row in enumerate(rows(place.path, _TABLE, _COLUMNS, needs=_NEEDS), start=1):
        name = row.get("id")
        what = f"{_TABLE}:{name if isinstance(name, int) else f'row {number}'}"
        try:
            yield _offered(row, what, around)
        except TwiceshyError as error:
            yield Offered(what, refused=str(error))


def _offered(row: Row, what: str, around: Around) -> Offered:
    text, kind, tier = _text(row, "delta"), _text(row, "kind"), _text(row, "tier")
    if kind not in _KINDS:
        raise _RowError(f"{kind[:40]!r} is no kind of note there")
    if tier not in _TIERS:
        raise _RowError(f"{tier[:40]!r} is no tier")
    identity = _project(_text(row, "project_identity"), around) if tier == "project" else None
    project = identity.id if identity else EVERYWHERE
    intent = _text(row, "intent", needed=False)
    origin = _text(row, "origin_project", needed=False)
    by_historian = _text(row, "source_type", needed=False) == "historian"
    draft = Draft(
        kind="lesson",
        text=text,
        scope=Scope(project, safe_name(_text(row, "skill_id"), what="skill")),
        source="import",
        subtype=kind,
        why="" if intent == text else intent,
        concepts=_tags(row),
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
    """Return the project that an identity names: a root commit is ours, a folder is known by its hash."""
    for known in (around.here, *around.known):
        if name in (known.id, _by_folder(known.root)):
            return known
    if project_id_valid(name) and name != EVERYWHERE:
        return around.here.but(id=name, name=name[:12], root="", aliases=())
    raise _RowError(
        f"its project {name[:40]!r} is not known here",
        hint="run the import once in that project's folder",
    )


def _by_folder(root: str) -> str:
    digest = hashlib.md5(root.encode(errors="replace"), usedforsecurity=False).hexdigest()
    return f"dir:{digest[:12]}"


def _text(row: Row, name: str, *, needed: bool = True) -> str:
    value = row.get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise _RowError(f"its {name} is no text")
    return value


def _number(row: Row, name: str) -> int:
    value = row.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or value < 0:
        raise _RowError(f"its {name} is no count")
    return value


def _tags(row: Row) -> tuple[str, ...]:
    said = _text(row, "tags", needed=False)
    try:
        tags = jsontext.parse(said) if said else []
    except (ValueError, RecursionError):
        tags = None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise _RowError("its tags are no list of texts")
    return tuple(tags)
