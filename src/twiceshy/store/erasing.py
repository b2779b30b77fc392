"""Erase notes, episodes and exact strings: in the tables at once, in files when the change is committed."""

from __future__ import annotations

import os
from functools import partial

from twiceshy.core.clock import millisecond_of
from twiceshy.core.erasure import ErasureReport
from twiceshy.core.errors import StoreError
from twiceshy.core.history import FORGET, sort_entries
from twiceshy.files.lock import FileLock
from twiceshy.language.quoted_words import QuotedWords, QuoteFinder
from twiceshy.store import erase, judging
from twiceshy.store.arriving import keep_digests
from twiceshy.store.connect import explain_error
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import list_entries
from twiceshy.store.erase_backup import erase_note
from twiceshy.store.finish_erasure import count_files, finish_erasure
from twiceshy.store.forgotten_words import collect_words
from twiceshy.store.notes import SqliteNotes
from twiceshy.store.pending_erasure import (
    PendingErasure,
    delete_pending,
    join_erasures,
    read_pending,
    write_pending,
)
from twiceshy.store.settle import replay_entries, settle_object
from twiceshy.store.sweep import TableSweep, find_taught

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note

LEARN_LOCK = "learn.lock"  # in the memory home: who learns holds it


class SqliteErasing(SqliteNotes):
    """Erases from the tables, and finishes in files what a change erased."""

    _swept = ErasureReport()  # in files, by the last change

    def _erase_objects(
        self, objects: Sequence[str], words: QuotedWords | None = None
    ) -> ErasureReport:
        """Erase notes and episodes with what quotes them, and further words, inside a change."""
        again = self._list_written_again(objects)
        words = collect_words(self._db, objects, again=again).combine_with(words or QuotedWords())
        checkpoints = erase.find_checkpoints(self._db, objects)
        taught = find_taught(self._db, objects)
        sweep = TableSweep(
            self._db,
            QuoteFinder(words),
            at=self.now(),
            record_forget=partial(self._erase_object, named=False),
        )
        for each in objects:
            sweep.count_object(each)
            self._erase_object(each)
        sweep.drop_signals([*checkpoints, *taught])
        sweep.sweep_tables(objects)
        judging.judge_rewritten(self._db, sweep.objects)
        keep_digests(self._db, words, at=millisecond_of(self._find_erasure(objects) or self._last))
        pending = PendingErasure(
            tuple(objects), tuple(checkpoints), words, tuple(self.homes), tuple(self.logs)
        )
        self._erased.append(pending)
        return sweep.build_report()

    def _find_erasure(self, objects: Sequence[str]) -> int:
        """Return the clock of the last entry that forgets one of these; 0 if one is not forgotten yet."""
        clocks = [
            max((one.clock for one in list_entries(self._db, each) if one.op == FORGET), default=0)
            for each in objects
        ]
        return max(clocks) if clocks and all(clocks) else 0

    def _list_written_again(self, objects: Sequence[str]) -> list[Note]:
        """Return notes of other devices worded after these were forgotten; what is ours had not heard of it."""
        erased_at = self._find_erasure(objects)
        if not erased_at:
            return []
        asked = "SELECT DISTINCT object FROM journal WHERE clock > ? AND device <> ?"
        found = self._db.execute(asked, (erased_at, self.device)).fetchall()
        notes = []
        for (each,) in found:
            entries = sort_entries(list_entries(self._db, each))
            worded = [one for one in entries if "text" in (one.after or {})]
            is_later = bool(worded) and worded[-1].clock > erased_at
            if is_later and worded[-1].device != self.device and (note := replay_entries(entries)):
                notes.append(note)
        return notes

    def _erase_object(self, object_id: str, *, named: bool = True) -> None:
        """Journal that an object is forgotten, once, and erase its history.

        Of one that nobody named, earlier wordings may be written again: they quoted nothing.
        """
        entries = list_entries(self._db, object_id)
        forgets = [entry.at for entry in entries if entry.op == FORGET]
        if note := self.note(object_id):
            erase.add_tombstones(
                self._db, note, at=min(forgets, default=self.now()), history=named
            )
        if not forgets:
            self._append_entry(FORGET, object_id, None)
        settle_object(self._db, object_id)
        erase_note(self._db, object_id)

    def _finish_pending(self) -> None:
        """Finish what an earlier process began to erase; what cannot be finished waits again."""
        with FileLock(os.path.join(os.path.dirname(self.path), LEARN_LOCK), 0) as free:
            if free:
                self._finish_each_pending()

    def _finish_each_pending(self) -> None:
        for path, pending in read_pending(self.path).items():
            try:
                with self.change():
                    known = [each for each in pending.objects if list_entries(self._db, each)]
                    self._erase_objects(known, pending.words)
                    self._erased[-1] = self._erased[-1].combine_with(pending)
            except (StoreError, sqlite3.Error):
                return  # busy or full: the next command tries again
            delete_pending([path])  # another one has its words if something is left

    def _keep_pending(self) -> None:
        try:
            self._pending_path = write_pending(self.path, join_erasures(self._erased))
        except OSError as error:  # nothing is committed then
            raise explain_error(error, self.path) from error

    def _drop_pending(self) -> None:
        if self._pending_path:
            delete_pending([self._pending_path])
        self._pending_path = ""

    def _scrub_erased(self) -> None:
        """Finish in files what the change erased; what is left waits for the next command."""
        pending, self._erased = join_erasures(self._erased), []
        path, self._pending_path = self._pending_path, ""
        self._swept = finish_erasure(self._db, self.path, pending)
        if self._swept.left == (f"{self.path}-wal",):  # no words are needed to empty it
            write_pending(self.path, PendingErasure())
        if self.is_learning:
            self._swept = self._swept.combine_with(ErasureReport(left=(path,)))
        if self._swept.left in ((), (f"{self.path}-wal",)):
            delete_pending([path])

    def _plan_erasure(self, objects: Sequence[str], words: QuotedWords) -> ErasureReport:
        with self.change(rehearsal=True):
            found = self._erase_objects(objects, words)
            pending = join_erasures(self._erased)
        return found.combine_with(count_files(self._db, self.path, pending))
