"""Count what the store holds, for ``status`` and ``doctor``."""

from __future__ import annotations

import os

from twiceshy.core.store import Standing

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3


def standing(db: sqlite3.Connection, path: str, *, device: str, spooled: int) -> Standing:
    """Read the counts in one go."""

    def number(sql: str) -> int:
        return int(db.execute(sql).fetchone()[0] or 0)

    return Standing(
        notes=dict(db.execute("SELECT life, count(*) FROM notes GROUP BY life ORDER BY life")),
        kinds=dict(
            db.execute(
                "SELECT kind, count(*) FROM notes WHERE life IN ('active', 'candidate') "
                "GROUP BY kind ORDER BY kind"
            )
        ),
        skills=number("SELECT count(DISTINCT skill) FROM notes WHERE skill <> ''"),
        projects=number("SELECT count(DISTINCT project) FROM notes WHERE project <> '*'"),
        pinned=number("SELECT count(*) FROM notes WHERE pinned = 1"),
        entries=number("SELECT count(*) FROM journal"),
        signals=number("SELECT count(*) FROM signals"),
        episodes=number("SELECT count(*) FROM episodes"),
        spooled=spooled,
        size=sum(
            os.path.getsize(path + end) for end in ("", "-wal") if os.path.exists(path + end)
        ),
        schema=number("PRAGMA user_version"),
        device=device,
        newest=number("SELECT max(learned_at) FROM notes"),
    )
