"""The complete store for commands; rescues a damaged file when opened."""

from __future__ import annotations

import os
from contextlib import closing, suppress

from twiceshy.core.errors import BusyError, DamagedStoreError, StoreError
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.maintenance import MaintenanceRun
from twiceshy.core.model_ledger import ModelCall
from twiceshy.core.outcome import Outcome
from twiceshy.core.rescue_report import RescueReport
from twiceshy.core.session import ContextFill
from twiceshy.core.transcript import TranscriptProgress
from twiceshy.core.verdict import GateVerdict
from twiceshy.core.view import ViewRecord
from twiceshy.files.lock import FileLock
from twiceshy.language.vector import NoteMeaning
from twiceshy.safety.gate_rules import GATE_RULES
from twiceshy.safety.signing import Signature
from twiceshy.store import (
    copies,
    device,
    entries,
    header,
    judging,
    rescue,
    schema_repair,
    settle,
    vectors,
)
from twiceshy.store.connect import FAILURES, explain_error
from twiceshy.store.duplicates import SqliteDuplicates
from twiceshy.store.exchange import SqliteExchange
from twiceshy.store.health import SqliteHealth
from twiceshy.store.hook_store import SqliteHookStore, is_openable, open_file
from twiceshy.store.journal import SqliteJournal
from twiceshy.store.learning import SqliteLearning
from twiceshy.store.outcomes import SqliteOutcomes
from twiceshy.store.pending_erasure import is_pending
from twiceshy.store.prune import SqlitePruning
from twiceshy.store.records import SqliteRecords
from twiceshy.store.store_file import clear_suspicion, is_suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from twiceshy.core.store import Kept


_JUDGED = "judged"  # by which rules of the gate everything was judged once


class WholeStore(
    SqliteHookStore,
    SqliteJournal,
    SqlitePruning,
    SqliteDuplicates,
    SqliteExchange,
    SqliteLearning,
    SqliteOutcomes,
    SqliteHealth,
    SqliteRecords,
):
    """The complete store port over an SQLite file."""

    _place = ""  # where the store is, once that was asked for
    _is_rescue = False  # True for a store that replaces a damaged one somewhere else

    _is_judged = False  # True once nothing waits for a verdict that was there when it was opened

    def list_signals(self, project: str = "", kind: str = "", **asked: Any) -> list[Signal]:
        """See ``HookStore.list_signals``; agents are not told what would instruct them."""
        found = super().list_signals(project, kind, **asked)
        if not self.for_agents:
            return found
        from twiceshy.safety.gate import withhold_dangers

        return [
            one.but(excerpt=withhold_dangers(one.excerpt), target=withhold_dangers(one.target))
            for one in found
        ]

    def _settle_verdicts(self) -> None:
        judging.judge_touched(self._db, self._touched, self._vouched)

    def _prepare_telling(self) -> None:
        if self._touched:
            self._settle_verdicts()
        if self._is_judged:
            return
        self._is_judged = True
        if not judging.has_waiting(self._db):
            return
        if self.read_only:
            judging.judge_in_memory(self._db)
            return
        with suppress(BusyError), self.change():
            list(judging.judge_waiting(self._db))

    def import_damaged(self, damaged: str, folder: str) -> RescueReport:
        """Import what can be read of a damaged file, and the rest from its newest good copy.

        ``folder`` is the work folder. The entries of both are one journal before notes whose entries
        are lost begin a new history.
        """
        self._is_rescue = True
        rows = rescue.copy_readable_rows(self._db, damaged, folder)
        copy, lines, _ = copies.find_good_copy(damaged)
        completed = self._complete_from_copy(lines) if copy else 0
        self._restore_entries(settle.find_cut_histories(self._db))
        for _ in self.rebuild_derived():
            pass
        notes = self.count_notes(NoteFilter(statuses=()))
        at = copy.at if copy else 0
        return RescueReport("", rows, notes=notes, copy_at=at, completed=completed)

    def _complete_from_copy(self, lines: Sequence[bytes]) -> int:
        """Add the records of a copy to those that were read; return how many notes got entries."""
        with self.change():
            lost = entries.set_aside_lost_entries(self._db)
            met = self.import_records(copies.parse_copy(lines))
            entries.put_back_entries(self._db, lost)
            self._db.execute("DELETE FROM arrivals")  # they were here before
            known = self.list_signatures()
            signed = copies.parse_signatures(lines)
            self.save_records(*(one for one in signed if one.note not in known))
        return sum(not each.startswith((settle.EPISODE, settle.LINK)) for each in met)

    def _write_record(self, record: Kept) -> None:  # noqa: C901 - one line for each kind of record
        match record:
            case GateVerdict():
                judging.write_verdict(self._db, record)
            case TranscriptProgress():
                self._write_progress(record)
            case Signal():
                self._write_signal(record)
            case Outcome():
                self._write_outcome(record)
            case ModelCall():
                self._write_model_call(record)
            case ViewRecord():
                self._write_view(record)
            case MaintenanceRun():
                self._write_run(record)
            case NoteMeaning():
                vectors.save_vector(self._db, record.note, record.field, record.meaning)
            case Signature():
                self._replace_row("signatures", list(record.fields().values()))
            case ContextFill():
                filled = "UPDATE sessions SET context_percent = ? WHERE id = ?"
                self._db.execute(filled, (record.percent, record.session))
            case _:
                super()._write_record(record)

    def _open_database(self) -> None:
        if not self._patience.retries:  # no time to save or to renew anything; the next one has
            super()._open_database()
            return
        mistrusted = is_suspect(self.path)
        if mistrusted:
            self.rescued = self._rescue_file()
        try:
            opened = open_file(self.path, self._patience, now=self.now())
        except DamagedStoreError:
            self.rescued = self._rescue_file(trusted=False)
            opened = open_file(self.path, self._patience, now=self.now())
        self._use_file(opened)
        if mistrusted and not self.rescued and not opened.refusal:
            self._recreate_index()  # every page is sound, so what failed was made of them
        if opened.mended:
            for _ in self.rebuild_derived():
                pass
        if not opened.refusal:
            self._catch_up()
            self._judge_everything()

    def _judge_everything(self) -> None:
        """Judge what was written before there was a gate, or by other rules."""
        with suppress(*FAILURES):  # whoever reads what is damaged says so, and it is saved then
            asked = self._db.execute("SELECT value FROM meta WHERE key = ?", (_JUDGED,))
            if asked.fetchone() == (str(GATE_RULES),) or not judging.has_waiting(self._db):
                return
            with suppress(BusyError), self.change():
                list(judging.judge_waiting(self._db))
                self._set_meta(_JUDGED, str(GATE_RULES))

    def _start_batch(self) -> None:
        """Assign the batch id, and the device id of this machine and folder.

        Hooks do not ask where they are: a command or the background job does so soon enough.
        """
        super()._start_batch()
        if not self._patience.retries or self._is_rescue:
            return
        self._place = self._place or device.identify_place(self.path)
        self._device = device.choose_device(self._db, self.device, self._place)

    def _rescue_file(self, *, trusted: bool = True) -> RescueReport | None:
        """Save readable rows into a new file, and swap the damaged file for the new file."""
        path, now = self.path, self.now()
        try:
            with FileLock(os.path.dirname(path)):
                sound = rescue.is_sound(path) and not header.is_header_wrong(path)
                if sound and (trusted or is_openable(path, self._patience, now=now)):
                    clear_suspicion(path)  # a sibling was quicker, or it was a false alarm
                    return None
                with rescue.hold_write_lock(path), rescue.make_rescue_folder(path, now) as folder:
                    target = os.path.join(folder, "saved.db")
                    if rescue.copy_with_sound_header(path, target):
                        notes = rescue.count_notes(target)
                        saved = RescueReport("", {"notes": notes}, notes=notes, whole=True)
                    else:
                        saved = self._save_rows(target, folder)
                    saved = saved.but(path=rescue.swap_files(path, target, folder))
                rescue.write_reports(path, saved)
                clear_suspicion(path)
                return saved
        except (OSError, *FAILURES) as error:
            raise explain_error(error, path) from error

    def _save_rows(self, target: str, folder: str) -> RescueReport:
        with closing(WholeStore(target, clock=self.now, gate=self._redact_text)) as new:
            return new.import_damaged(self.path, folder)

    def _begin_write(self) -> None:
        """Begin a write transaction; a file that turns out to be damaged is rescued before."""
        try:
            super()._begin_write()
            self._try_to_write()
        except DamagedStoreError:
            if not self._patience.retries:
                raise
            self.close()
            self._open_database()
            super()._begin_write()

    def _try_to_write(self) -> None:
        """Fail before anything is written if the header forbids it: BEGIN does not look."""
        try:
            self._db.execute("DELETE FROM meta WHERE key = ''")
        except FAILURES as error:
            self._db.execute("ROLLBACK")
            raise self._explain_failure(error) from error

    def _recreate_index(self) -> None:
        with self.change():
            schema_repair.recreate_index(self._db)
        for _ in self.rebuild_derived():
            pass

    def _catch_up(self) -> None:
        """Do what an earlier version or process left to do."""
        self._refresh_derived()
        if is_pending(self.path):
            self._finish_pending()

    def _refresh_derived(self) -> None:
        """Reindex every note if the index rules changed."""
        rules = self._describe_index_rules()
        try:
            known = self._db.execute("SELECT value FROM meta WHERE key = 'derived'").fetchone()
            notes = self._db.execute("SELECT 1 FROM notes LIMIT 1").fetchone()
            if not notes or (known and known[0] == rules):
                return
            with self.change():
                for _ in settle.reindex_notes(self._db):
                    pass
                self._set_meta("derived", rules)
        except StoreError:
            return  # what is indexed still answers; the next command tries again
        except FAILURES as error:
            self._explain_failure(error)  # whoever asks is told; the next one mends it
