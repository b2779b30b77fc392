"""Who does what only one may do at a time, and what was done: two small tables beside the notes."""

from __future__ import annotations

from twiceshy.core.moment import SECOND
from twiceshy.core.tending import KEPT_RUNS, Lease, Run, free
from twiceshy.stores.sqlite.rows import check

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_COLUMNS = ", ".join(Run.__fields__)
_TYPES = (int, str, int, int, str, str)


def take(db: sqlite3.Connection, name: str, holder: str, *, seconds: int, now: int) -> bool:
    """Take a lease if it is free; called in a change, so nobody else looks meanwhile."""
    row = db.execute("SELECT holder, until FROM leases WHERE name = ?", (name,)).fetchone()
    if not free(Lease(*row) if row else None, holder, now=now):
        return False
    until = now + seconds * SECOND
    db.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", (name, holder, until))
    return True


def give_back(db: sqlite3.Connection, name: str, holder: str) -> None:
    """End a lease before its time."""
    db.execute("DELETE FROM leases WHERE name = ? AND holder = ?", (name, holder))


def begin(db: sqlite3.Connection, what: str, *, now: int) -> int:
    """Begin a run, and let the oldest ones go."""
    added = db.execute(
        "INSERT INTO runs (what, began_at, ended_at, done, error) VALUES (?, ?, 0, '', '')",
        (what, now),
    )
    db.execute(
        "DELETE FROM runs WHERE what = ? AND id NOT IN "
        "(SELECT id FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?)",
        (what, what, KEPT_RUNS),
    )
    return int(added.lastrowid or 0)


def keep(db: sqlite3.Connection, number: int, done: str, *, error: str, ended_at: int) -> None:
    """Write down how far a run is."""
    db.execute(
        "UPDATE runs SET done = ?, error = ?, ended_at = ? WHERE id = ?",
        (done, error, ended_at, number),
    )


def last(db: sqlite3.Connection, what: str, *, limit: int) -> list[Run]:
    """Return the last runs, the last first."""
    found = db.execute(
        f"SELECT {_COLUMNS} FROM runs WHERE what = ? ORDER BY id DESC LIMIT ?", (what, limit)
    ).fetchall()
    for row in found:
        check(row, _TYPES)
    return [Run(*row) for row in found]
