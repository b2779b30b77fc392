"""Duplicates that were merged: which note counts for which others.

A merge leaves the rows about a duplicate under its own id: other devices may not know the merge
yet, and ``undo`` separates the notes again. So rows are brought together when they are read.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

# A superseded note is a duplicate if it says the same in the same scope as its successor.
_MERGED = """
    SELECT old.id, old.superseded_by FROM notes old JOIN notes new ON new.id = old.superseded_by
    AND new.project = old.project AND new.skill = old.skill AND new.fingerprint = old.fingerprint
"""


def map_merged_notes(db: sqlite3.Connection) -> dict[str, str]:
    """Return the ids of merged duplicates, each with the note that counts for it."""
    successors = dict(db.execute(_MERGED).fetchall())
    return {note: _find_last(note, successors) for note in successors}


def list_merged_ids(db: sqlite3.Connection, note: str) -> list[str]:
    """Return the id of a note, and of the duplicates merged into it, directly or in steps."""
    same = f"{_MERGED} WHERE old.fingerprint = (SELECT fingerprint FROM notes WHERE id = ?)"
    successors = dict(db.execute(same, (note,)).fetchall())
    return [note, *(each for each in sorted(successors) if _find_last(each, successors) == note)]


def _find_last(note: str, successors: dict[str, str]) -> str:
    """Follow a chain of successors; a ring ends at its smallest id."""
    seen: dict[str, None] = {}
    while note in successors and note not in seen:
        seen[note] = None
        note = successors[note]
    return min(seen) if note in seen else note
