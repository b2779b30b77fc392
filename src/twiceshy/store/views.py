"""What we wrote last to the files that people may edit."""

from __future__ import annotations

from twiceshy.core.view import View

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_COLUMNS = ", ".join(View.__fields__)


def kept(db: sqlite3.Connection, path: str = "") -> list[View]:
    """Return the view of one path, or all of them."""
    where, values = ("WHERE path = ?", (path,)) if path else ("", ())
    found = db.execute(f"SELECT {_COLUMNS} FROM views {where} ORDER BY path", values)
    return [View(*row) for row in found]


def keep(db: sqlite3.Connection, view: View) -> None:
    """Write a view down, in place of the one before."""
    from twiceshy.safety.redact import RULES_VERSION

    values = [*view.fields().values(), RULES_VERSION]
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT OR REPLACE INTO views VALUES ({marks})", values)


def drop(db: sqlite3.Connection, path: str) -> None:
    """Forget a view."""
    db.execute("DELETE FROM views WHERE path = ?", (path,))
