"""What we wrote last to the files that people may edit."""

from __future__ import annotations

from twiceshy.core.view import View
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import marks

_COLUMNS = ", ".join(View.__fields__)


class SqliteViews(SqliteDatabase):
    """Files that show notes, as we wrote them last."""

    @explain_errors
    def views(self, path: str = "") -> list[View]:
        """Return what we wrote last to a file, or to every file, in the order of their paths."""
        where, values = ("WHERE path = ?", (path,)) if path else ("", ())
        found = self._db.execute(f"SELECT {_COLUMNS} FROM views {where} ORDER BY path", values)
        return [View(*row) for row in found]

    def _write_view(self, view: View) -> None:
        values = [*view.but(body=self._gate(view.body)).fields().values(), RULES_VERSION]
        self._db.execute(f"INSERT OR REPLACE INTO views VALUES ({marks(values)})", values)
