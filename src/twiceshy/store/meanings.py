"""Find notes without a vector of a model or of the shipped word table."""

from __future__ import annotations

from twiceshy.store import vectors
from twiceshy.store.database import explain_errors
from twiceshy.store.notes import SqliteNotes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note


class SqliteMeanings(SqliteNotes):
    """Finds notes without a vector."""

    @explain_errors
    def list_unembedded_notes(self, model: str = "", *, limit: int | None = 100) -> list[Note]:
        """Return notes without a vector of a model (by default of the word table)."""
        model = model or vectors.shipped.identity
        most = -1 if limit is None else limit
        missing = vectors.list_missing(self._db, model, limit=most) if model else []
        return [note for each in missing if (note := self.note(each))]
