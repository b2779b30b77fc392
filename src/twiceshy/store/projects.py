"""What is known of projects: where notes and sessions stand, and which names were linked by hand."""

from __future__ import annotations

from twiceshy.core.note import SHOWN
from twiceshy.core.project_link import HOLDS, link_id
from twiceshy.core.store_upkeep import Standpoint
from twiceshy.store.prune_usage import began

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

    from twiceshy.core.project_link import Link

_IDS = """
    SELECT id FROM projects UNION SELECT project FROM notes UNION SELECT project FROM sessions
    UNION SELECT project FROM episodes ORDER BY 1
"""
_SEEN = """
    SELECT max(at) FROM (
        SELECT seen_at AS at FROM projects WHERE id = :id
        UNION ALL SELECT max(seen_at) FROM sessions WHERE project = :id
        UNION ALL SELECT max(ended_at) FROM episodes WHERE project = :id
        UNION ALL SELECT max(learned_at) FROM notes WHERE project = :id
    )
"""


def standpoints(db: sqlite3.Connection) -> list[Standpoint]:
    """Return every id under which something stands, in order, and what does."""
    return [_standpoint(db, project) for (project,) in db.execute(_IDS).fetchall()]


def settle(db: sqlite3.Connection, link: Link | None) -> None:
    """Bring the names to what the journal says about one of them."""
    if link is None:
        return
    if link.life == HOLDS and link.alias != link.project:
        db.execute("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (link.alias, link.project))
    else:
        db.execute("DELETE FROM aliases WHERE alias = ?", (link.alias,))


def is_linked(db: sqlite3.Connection, alias: str) -> bool:
    """Tell whether the journal says what a name means; then nothing else does."""
    about = "SELECT 1 FROM journal WHERE object = ? LIMIT 1"
    return db.execute(about, (link_id(alias),)).fetchone() is not None


def _standpoint(db: sqlite3.Connection, project: str) -> Standpoint:
    shown = "SELECT count(*) FROM notes WHERE project = ? AND life IN (?, ?)"
    here = "SELECT count(*) FROM sessions WHERE project = ?"
    told = "SELECT count(*) FROM episodes WHERE project = ?"
    return Standpoint(
        project,
        notes=_one(db, shown, project, *SHOWN),
        sessions=_one(db, here, project) + len(began(db, "", (project,))),
        episodes=_one(db, told, project),
        seen_at=db.execute(_SEEN, {"id": project}).fetchone()[0] or 0,
    )


def _one(db: sqlite3.Connection, sql: str, *bound: str) -> int:
    return int(db.execute(sql, bound).fetchone()[0])
