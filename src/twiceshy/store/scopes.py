"""Give the notes of a scope adjacent row numbers, and count the notes and terms of each scope.

The full-text index can read one stretch of rows. Since the notes of a project stand side by
side, a search reads its own postings and nobody else's, and other projects change nothing.
"""

from __future__ import annotations

from twiceshy.store.rows import BLOCK, ROWS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3


def place_row(db: sqlite3.Connection, project: str, skill: str) -> int:
    """Return the next free row of a scope."""
    known = db.execute(
        "SELECT max(number) FROM scopes WHERE project = ? AND skill = ?", (project, skill)
    ).fetchone()[0]
    if known is not None:
        newest = _newest_row(db, known)
        if newest + 1 < (known + 1) * ROWS:
            return newest + 1
    number = _number_scope(db, project)
    db.execute("INSERT INTO scopes VALUES (?, ?, ?, 0, 0)", (number, project, skill))
    return number * ROWS


def is_in_scope(db: sqlite3.Connection, row: int, project: str, skill: str) -> bool:
    """True if a row number belongs to a scope."""
    found = db.execute(
        "SELECT 1 FROM scopes WHERE number = ? AND project = ? AND skill = ?",
        (row // ROWS, project, skill),
    )
    return found.fetchone() is not None


def count_row(db: sqlite3.Connection, row: int, *, notes: int, terms: int) -> None:
    """Add to the counts of the scope that a row belongs to."""
    db.execute(
        "UPDATE scopes SET notes = notes + ?, terms = terms + ? WHERE number = ?",
        (notes, terms, row // ROWS),
    )


def _number_scope(db: sqlite3.Connection, project: str) -> int:
    """Return a number for a new scope, beside those of its project."""
    own, last = db.execute(
        "SELECT (SELECT max(number) FROM scopes WHERE project = ?), (SELECT max(number) FROM scopes)",
        (project,),
    ).fetchone()
    if own is not None and (own + 1) % BLOCK:
        return int(own) + 1
    return BLOCK if last is None else (last // BLOCK + 1) * BLOCK


def _newest_row(db: sqlite3.Connection, number: int) -> int:
    """Return the highest row of a scope, or the one before its first."""
    begin, end = number * ROWS, (number + 1) * ROWS
    newest = db.execute(
        "SELECT max(seq) FROM notes WHERE seq >= ? AND seq < ?", (begin, end)
    ).fetchone()[0]
    return begin - 1 if newest is None else int(newest)
