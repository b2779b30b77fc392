"""Write notes to the journal, read their history, and forget notes for good."""

from __future__ import annotations

from twiceshy.core.erasure import ErasureReport
from twiceshy.core.note import Note
from twiceshy.language.quoted_words import QuotedWords
from twiceshy.store.database import explain_errors
from twiceshy.store.entries import select_entries
from twiceshy.store.erasing import SqliteErasing
from twiceshy.store.notes import select_notes
from twiceshy.store.settle import settle_object

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.history import Fields, JournalEntry


class SqliteJournal(SqliteErasing):
    """Writes and reads the journal."""

    def record_entry(
        self,
        op: str,
        note: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> Note | None:
        """Append an entry to the journal, and return the resulting note."""
        self._append_entry(op, note, after, before=before, refers=refers)
        settled = settle_object(self._db, note)
        return settled and self.note(note)  # with what was counted for it

    @explain_errors
    def history(
        self,
        object_id: str = "",
        *,
        batch: str = "",
        author: str = "",
        before: int | None = None,
        limit: int | None = None,
    ) -> list[JournalEntry]:
        """Return journal entries of an object, a batch or an author's session, oldest first."""
        asked = {
            "j.object = ?": object_id,
            "j.batch = ?": batch,
            "j.batch IN (SELECT batch FROM authors WHERE session = ?)": author,
            "j.clock < ?": before,
        }
        given = {where: value for where, value in asked.items() if value not in ("", None)}
        where = " AND ".join(given) or "1"
        order = "ORDER BY j.clock DESC, j.device LIMIT ?"
        values = (*given.values(), -1 if limit is None else limit)
        return select_entries(self._db, f"{where} {order}", values)[::-1]

    def forget(
        self, *gone: Note | Episode, strings: Sequence[str] = (), plan: bool = False
    ) -> ErasureReport:
        """Erase notes, episodes and exact strings with all that quotes them, and leave tombstones."""
        same = [each for one in gone for each in (one, *self._list_same(one))]
        objects = tuple(dict.fromkeys(one.id for one in same))
        words = QuotedWords(exact=tuple(strings))
        if plan:
            return self._plan_erasure(objects, words)
        inside = bool(self.batch_id)
        self._swept = ErasureReport()
        with self.change():
            done = self._erase_objects(objects, words)
        return done if inside else done.combine_with(self._swept)

    def _list_same(self, one: Note | Episode) -> list[Note]:
        return self._list_merged_notes(one) if isinstance(one, Note) else []

    def _list_merged_notes(self, note: Note) -> list[Note]:
        """Return the duplicates merged into a note, directly or in steps."""
        found, known = [note], {note.id}
        for one in found:  # grows while we walk: those that were merged into the merged ones
            same = "notes.superseded_by = ? AND notes.fingerprint = ? ORDER BY notes.id"
            merged = select_notes(self._db, same, [one.id, note.fingerprint])
            found += [other for other in merged if other.id not in known]
            known |= {other.id for other in merged}
        return found[1:]
