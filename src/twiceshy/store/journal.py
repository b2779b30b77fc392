"""Write notes to the journal, read their history, and forget notes for good."""

from __future__ import annotations

from twiceshy.core.history import FORGET
from twiceshy.store import erase, spool
from twiceshy.store.database import explain_errors
from twiceshy.store.entries import select_entries
from twiceshy.store.notes import SqliteNotes, select_notes
from twiceshy.store.settle import settle_object

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.history import Fields, JournalEntry
    from twiceshy.core.note import Note


class SqliteJournal(SqliteNotes):
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

    def forget(self, note: Note) -> list[str]:
        """Erase a note everywhere and leave a tombstone; return the places not yet clean."""
        inside = bool(self.batch_id)
        with self.change():
            same = [note, *self._list_merged_notes(note)]
            texts = {text for one in same for text in erase.list_wordings(self._db, one)}
            gone = []
            for one in same:
                erase.add_tombstones(self._db, one, at=self.now())
                self.record_entry(FORGET, one.id, None)
                gone.append(erase.erase_note(self._db, one.id))
            if inside:  # the change around this one wipes the rest once it is committed
                self._erased += gone
        if inside:
            return []
        left = [place for one in gone for place in erase.scrub_copies(self._db, self.path, one)]
        try:
            spool.remove_unread(
                self._spool_path, lambda record: any(text in record for text in texts)
            )
        except OSError:  # no room for what stays of it
            left.append(self._spool_path)
        return list(dict.fromkeys(left))

    def _list_merged_notes(self, note: Note) -> list[Note]:
        """Return the duplicates merged into a note, directly or in steps."""
        found, known = [note], {note.id}
        for one in found:  # grows while we walk: those that were merged into the merged ones
            same = "notes.superseded_by = ? AND notes.fingerprint = ? ORDER BY notes.id"
            merged = select_notes(self._db, same, [one.id, note.fingerprint])
            found += [other for other in merged if other.id not in known]
            known |= {other.id for other in merged}
        return found[1:]
