"""Add usage up by day before session rows are pruned, to keep the counts.

A row of ``usage`` is about a skill. A name with a separator is about the sessions able to use
notes of a scope: the skill, or nothing, stands before the separator and the project behind it.
"""

from __future__ import annotations

from twiceshy.core.moment import format_day

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

SEPARATOR = "\x1f"  # no name of a skill or a project has it


def fold_uses(db: sqlite3.Connection, *, before: int) -> int:
    """Add up and delete skill uses ended before a time; return the number of rows."""
    over = "SELECT skill, session FROM uses GROUP BY skill, session HAVING max(at) < ?"
    db.execute("DROP TABLE IF EXISTS temp.over")
    db.execute(f"CREATE TEMP TABLE over AS {over}", (before,))
    rows = "FROM uses WHERE (skill, session) IN (SELECT skill, session FROM temp.over)"
    last = f"SELECT skill, max(at) {rows} AND how = 'active' GROUP BY skill, session"
    first = f"SELECT skill, project, min(at) {rows} GROUP BY skill, session, project"
    _count_moments(db, db.execute(last).fetchall())
    _count_moments(
        db,
        [
            (_build_scope_key(skill, project), at)
            for skill, project, at in db.execute(first).fetchall()
        ],
    )
    deleted = db.execute(f"DELETE {rows}").rowcount
    db.execute("DROP TABLE temp.over")
    return deleted


def fold_sessions(db: sqlite3.Connection, sessions: Iterable[str]) -> int:
    """Add up session starts by project, and delete the sessions; return the number of rows."""
    gone = [(session,) for session in sessions]
    for session in gone:
        row = db.execute("SELECT project, started_at FROM sessions WHERE id = ?", session)
        _count_moments(db, [(_build_scope_key("", project), at) for project, at in row.fetchall()])
    db.executemany("DELETE FROM sessions WHERE id = ?", gone)
    return len(gone)


def fold_months(db: sqlite3.Connection, *, before: str, scopes: str) -> int:
    """Add days before a month up to months; return the number of rows saved.

    Rows about ``scopes`` are added up sooner: there are many, and their days are never needed.
    """
    old = """
        FROM usage WHERE substr(day, 9) <> '01'
            AND substr(day, 1, 7) < CASE WHEN instr(skill, ?) > 0 THEN ? ELSE ? END
    """
    bound = (SEPARATOR, scopes, before)
    months = f"SELECT skill, substr(day, 1, 7) || '-01', sessions, last_at {old}"
    rows = db.execute(months, bound).fetchall()
    many = db.execute("SELECT count(*) FROM usage").fetchone()[0]
    db.execute(f"DELETE {old}", bound)
    for row in rows:
        _add_usage(db, *row)
    return int(many - db.execute("SELECT count(*) FROM usage").fetchone()[0])


def list_pruned_starts(db: sqlite3.Connection, skill: str, projects: Sequence[str]) -> list[int]:
    """Return start times of pruned sessions of a scope, as the last start on their day."""
    found = db.execute(
        "SELECT skill, sessions, last_at FROM usage WHERE substr(skill, 1, ?) = ? ORDER BY last_at",
        (len(skill) + 1, skill + SEPARATOR),
    ).fetchall()
    wanted = {_build_scope_key(skill, project) for project in projects}
    return [
        at for name, count, at in found if not projects or name in wanted for _ in range(count)
    ]


def _build_scope_key(skill: str, project: str) -> str:
    return f"{skill}{SEPARATOR}{project}"


def _count_moments(db: sqlite3.Connection, moments: Iterable[tuple[str, int]]) -> None:
    for name, at in moments:
        _add_usage(db, name, format_day(at), 1, at)


def _add_usage(db: sqlite3.Connection, name: str, on: str, sessions: int, at: int) -> None:
    db.execute(
        """
        INSERT INTO usage VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            sessions = sessions + excluded.sessions, last_at = max(last_at, excluded.last_at)
        """,
        (name, on, sessions, at),
    )
