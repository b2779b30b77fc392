"""Find stretches of work that were summarised."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.store.rows import LISTS, load_list

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_COLUMNS = ", ".join(Episode.__fields__)


def newest(
    db: sqlite3.Connection,
    projects: Sequence[str],
    *,
    kinds: Sequence[str],
    since: int,
    limit: int,
) -> list[Episode]:
    """Return the episodes of a project that ended since then, the last one first."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM episodes WHERE project IN ({_marks(projects)}) AND ended_at >= ? "
        f"AND kind IN ({_marks(kinds)}) ORDER BY ended_at DESC, id DESC LIMIT ?",
        (*projects, since, *kinds, limit),
    )
    return [_episode(row) for row in found]


def everywhere(db: sqlite3.Connection, kinds: Sequence[str]) -> list[Episode]:
    """Return the episodes of these kinds in all projects, the last one first."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM episodes WHERE kind IN ({_marks(kinds)})"
        " ORDER BY ended_at DESC, id DESC",
        list(kinds),
    )
    return [_episode(row) for row in found]


def _episode(row: Sequence[object]) -> Episode:
    fields = dict(zip(Episode.__fields__, row, strict=True))
    return Episode.of(
        {name: load_list(str(v)) if name in LISTS else v for name, v in fields.items()}
    )


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
