"""Which rules the user approved on this device; the seals are made and compared elsewhere."""

from __future__ import annotations

from twiceshy.safety.signing import Signature

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3


def keep(db: sqlite3.Connection, signature: Signature) -> None:
    """Write a signature down in place of the one before."""
    values = list(signature.fields().values())
    db.execute("INSERT OR REPLACE INTO signatures VALUES (?, ?, ?, ?)", values)


def remove(db: sqlite3.Connection, note_id: str) -> None:
    """Take the signature of a note away."""
    db.execute("DELETE FROM signatures WHERE note = ?", (note_id,))


def by_note(db: sqlite3.Connection) -> dict[str, Signature]:
    """Return every signature by the note it is for."""
    found = db.execute("SELECT note, act, mac, at FROM signatures ORDER BY note")
    return {row[0]: Signature(*row) for row in found}
