"""Our last version of view files, editable by people."""

from __future__ import annotations

from twiceshy.core.view import ViewRecord
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import join_marks

_COLUMNS = ", ".join(ViewRecord.__fields__)


class SqliteViews(Database):
    """Stores the last written version of view files."""

    @explain_errors
    def list_views(self, path: str = "") -> list[ViewRecord]:
        """Return our last version of a view file, or of every view file, sorted by path."""
        where, values = ("WHERE path = ?", (path,)) if path else ("", ())
        found = self._db.execute(f"SELECT {_COLUMNS} FROM views {where} ORDER BY path", values)
        return [ViewRecord(*row) for row in found]

    def _write_view(self, view: ViewRecord) -> None:
        values = [*view.but(body=self._redact_text(view.body)).fields().values(), RULES_VERSION]
        self._db.execute(f"INSERT OR REPLACE INTO views VALUES ({join_marks(values)})", values)
