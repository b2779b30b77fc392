"""Our last version of view files, editable by people."""

from __future__ import annotations

from twiceshy.core.view import View
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import marks

_COLUMNS = ", ".join(View.__fields__)


class SqliteViews(Database):
    """Stores the last written version of view files."""

    @explain_errors
    def views(self, path: str = "") -> list[View]:
        """Return our last version of a view file, or of every view file, sorted by path."""
        where, values = ("WHERE path = ?", (path,)) if path else ("", ())
        found = self._db.execute(f"SELECT {_COLUMNS} FROM views {where} ORDER BY path", values)
        return [View(*row) for row in found]

    def _write_view(self, view: View) -> None:
        values = [*view.but(body=self._gate(view.body)).fields().values(), RULES_VERSION]
        self._db.execute(f"INSERT OR REPLACE INTO views VALUES ({marks(values)})", values)
