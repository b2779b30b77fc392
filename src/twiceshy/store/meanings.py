"""What notes mean to a model, and to the table of words that is shipped."""

from __future__ import annotations

from twiceshy.store import vectors, words
from twiceshy.store.database import explain_errors
from twiceshy.store.notes import SqliteNotes
from twiceshy.store.rows import SELECTED, note_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.note import Note
    from twiceshy.language.vector import Meaning


class SqliteMeanings(SqliteNotes):
    """Vectors of notes: which are missing, and where they are kept."""

    @explain_errors
    def without_meaning(self, model: str, *, limit: int = 100) -> list[Note]:
        """Return notes of which a model has not said what they mean."""
        missing = vectors.missing(self._db, model, limit=limit)
        return [note for each in missing if (note := self.note(each))]

    @explain_errors
    def meanings_missing(self) -> int:
        """Return of how many notes the table of words was not asked what they mean."""
        return len(vectors.missing(self._db, vectors.shipped.identity))

    def keep_meanings(self, meanings: Mapping[str, Mapping[str, Meaning]]) -> None:
        """Keep what fields of notes, by id, mean to a model."""
        with self.change():
            for note_id, fields in meanings.items():
                for field, meaning in fields.items():
                    vectors.keep(self._db, note_id, field, meaning)

    def reembed(self) -> Iterator[str]:
        """Look up what notes mean that the table of words was not asked about; gives the ids."""
        with self.change():
            for note_id in vectors.missing(self._db, vectors.shipped.identity):
                row = self._db.execute(
                    f"SELECT seq, {SELECTED} FROM notes WHERE id = ?", (note_id,)
                ).fetchone()
                parts = words.parts_in(self._db, [row[0]])[row[0]]
                vectors.write(self._db, note_of(row[1:]), parts, changed=False)
                yield note_id
