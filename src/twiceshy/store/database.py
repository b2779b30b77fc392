"""An open database: explained errors and atomic changes."""

from __future__ import annotations

import os
from abc import abstractmethod

from twiceshy.core.errors import DamagedStoreError, DiskFullError, StoreError
from twiceshy.core.moment import DAY
from twiceshy.core.note import new_id
from twiceshy.store import spool
from twiceshy.store.connect import (
    COMMAND_PATIENCE,
    FAILURES,
    begin_write,
    explain_error,
)
from twiceshy.store.driver import sqlite3
from twiceshy.store.store_file import mark_suspect, read_file_identity

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Concatenate, ParamSpec, TypeVar

    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note
    from twiceshy.core.rescue_report import RescueReport
    from twiceshy.store.connect import LockPatience
    from twiceshy.store.pending_erasure import PendingErasure

    P = ParamSpec("P")
    S = TypeVar("S", bound="Database")
    T = TypeVar("T")


_LABELS = frozenset("why tag files concepts trigger skill".split())
_STATED = _LABELS.union("text title summary requests".split())
_BATCH_SIZE = 500
_LARGE_WAL = 256 << 10  # bytes; about thirty hooks, and 0.2 ms to read


def explain_errors(
    read: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[S, P], T]:
    """Decorate a reading method: SQLite failures get a hint, and damage is remembered."""

    def explained(self: S, /, *args: P.args, **named: P.kwargs) -> T:
        try:
            return read(self, *args, **named)
        except DamagedStoreError:
            mark_suspect(self.path)
            raise
        except FAILURES as error:
            raise self._explain_failure(error) from error

    explained.__doc__ = read.__doc__
    return explained


class _RehearsedError(Exception):
    """Rolls a rehearsal back."""


class StoreChange:
    """The context manager of a write transaction; gives the batch id."""

    def __init__(self, store: Database, *, rehearsal: bool) -> None:
        self._store = store
        self._rehearsal = rehearsal
        self._outermost = False

    def __enter__(self) -> str:
        self._outermost = not self._store.batch_id
        if self._rehearsal and not self._outermost:
            raise StoreError("a change that is going on cannot be rehearsed")
        if self._outermost:
            self._store.start_change()
        return self._store.batch_id

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._outermost:
            self._store.end_change(error or (_RehearsedError() if self._rehearsal else None))


class Database:
    """An open database file.

    ``clock`` gives milliseconds; ``gate`` redacts every text before writing.
    """

    _db: sqlite3.Connection
    _file: tuple[int, int]  # which file that is, so that another one in its place is noticed

    def __init__(
        self,
        path: str,
        *,
        clock: Callable[[], int],
        patience: LockPatience = COMMAND_PATIENCE,
        gate: Callable[[str], str] | None = None,
    ) -> None:
        self.path = path
        self.clock = clock
        self.author = ""  # the session that writes, if one does
        self.runtime = ""  # of that session, if whoever opened the store knows it
        self.read_only = ""  # why nothing can be written, if that is so
        self.read_only_hint = ""  # what to do about that
        self.older = False  # True for a store that waits to be converted
        self.is_stand_in = False  # True for an empty one in its place
        self.rescued: RescueReport | None = None  # what was saved from a damaged file, if it was
        self.batch_id = ""  # of the change that is going on, if one is
        self.for_agents = False  # True if whoever asks is an agent
        self.vouching = False  # True while a person makes the changes
        self._touched: dict[
            str, bool
        ] = {}  # objects of the change → whether they came from elsewhere
        self._vouched: dict[str, bool] = {}  # what a person wrote; True: more than its labels
        self._patience = patience
        self._given_gate = gate
        self._last = 0
        self._device = ""
        self.homes: tuple[str, ...] = ()  # memory homes to sweep, if the store lies elsewhere
        self.logs: tuple[str, ...] = ()  # and logs outside of them
        self.is_learning = False  # True if a job holds what it read while an erasure is made
        # what was erased from the tables, and is to be swept from files after the commit
        self._erased: list[PendingErasure] = []
        self._pending_path = ""
        self._taken = spool.SpoolBatch((), ())
        self._refusal: StoreError | None = None
        self._open_database()

    @property
    def device(self) -> str:
        """Return the id of this store among the stores exchanging journals."""
        if not self._device:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'device'").fetchone()
            self._device = row[0] if row else ""
        return self._device

    def now(self, *, believed: bool = False) -> int:
        """Return the time by the clock; with ``believed``, as far as days of use attest it."""
        if not believed:
            return self.clock()
        from twiceshy.core.clock import believe_time
        from twiceshy.store.days import list_newest_days

        return believe_time(self.clock(), list_newest_days(self._db))

    def change(self, *, rehearsal: bool = False) -> StoreChange:
        """Begin an atomic change, and give its batch id.

        The changes become visible and durable together, or not at all.
        """
        return StoreChange(self, rehearsal=rehearsal)

    def new_id(self) -> str:
        """Return a new, unique note id."""
        return new_id(self.now(), os.urandom(5))

    def close(self, *, in_haste: bool = False) -> bool:
        """Close files and connections; in haste only if the write-ahead file is large.

        The next process to open the store reads the whole write-ahead file, so the file must not grow;
        but closing costs a hook as much time as its writes.
        """
        if in_haste and not self._is_wal_large():
            return False
        self._db.close()
        return True

    def _is_wal_large(self) -> bool:
        try:
            return os.stat(self.path + "-wal").st_size > _LARGE_WAL
        except FileNotFoundError:
            return False

    def start_change(self) -> None:
        """Begin a write transaction, and take in the spool first."""
        self._begin_write()
        try:
            self._start_batch()
            self._taken = self._drain_spool()
        except BaseException as error:
            self.end_change(error)
            raise

    def end_change(self, error: BaseException | None) -> None:
        """Commit the change, or roll back after an error."""
        try:
            if error is None:
                self._commit()
            else:
                self._roll_back(error)
        finally:
            self.batch_id = ""
        spool.delete_drained(self._spool_path, self._taken)
        if self._erased:
            self._scrub_erased()

    @abstractmethod
    def _open_database(self) -> None:
        """Open the file now found at ``path``."""

    @abstractmethod
    def _take_spooled(self, line: dict[str, object]) -> bool:
        """Store a spooled record; False if its format is unknown."""

    @abstractmethod
    def _settle_verdicts(self) -> None:
        """Let no verdict stand about what this change has made of a text."""

    @abstractmethod
    def _prepare_telling(self) -> None:
        """Judge what waits for it, if this store can, before an agent is told anything."""

    def _keep_told(self, notes: list[Note]) -> list[Note]:
        """Return what whoever asks may see: for agents, notes as the gate has seen them."""
        if not (self.for_agents and notes):
            return notes
        from twiceshy.store.rows import join_marks

        self._prepare_telling()
        told: dict[str, str] = {}
        for at in range(0, len(notes), _BATCH_SIZE):
            some = [note.id for note in notes[at : at + _BATCH_SIZE]]
            judged = "SELECT object, content FROM verdicts WHERE reason = '' AND object IN"
            told |= dict(self._db.execute(f"{judged} ({join_marks(some)})", some))
        return [note for note in notes if told.get(note.id) == note.told_content]

    def _clear_touched(self) -> None:
        self._touched, self._vouched = {}, {}

    @abstractmethod
    def _describe_index_rules(self) -> str:
        """Return the versions of today's index rules."""

    def _begin_write(self) -> None:
        if isinstance(self._refusal, DiskFullError):  # there may be room again
            self.close()
            self._open_database()
        if self._refusal:
            raise type(self._refusal)(str(self._refusal), hint=self._refusal.hint)
        try:
            begin_write(self._db, self._patience)
            # another file took its place: write to that
            if read_file_identity(self.path) != self._file:
                self.close()
                self._open_database()
                begin_write(self._db, self._patience)
        except sqlite3.Error as error:
            raise self._explain_failure(error) from error

    def _start_batch(self) -> None:
        """Assign the batch id, and read the last clock of this device."""
        self.batch_id = "b" + self.new_id()[1:]
        known = (
            "SELECT value FROM meta WHERE key = 'clock' UNION ALL SELECT max(clock) FROM journal"
        )
        self._last = int(self._db.execute(known).fetchone()[0] or 0)
        if not self.device:
            self._device = os.urandom(16).hex()
            self._set_meta("device", self._device)
            self._set_meta("derived", self._describe_index_rules())
        self._db.execute("INSERT OR IGNORE INTO days VALUES (?)", (self.now() // DAY,))

    def _commit(self) -> None:
        try:
            self._settle_verdicts()
            self._set_meta("clock", str(self._last))
            if self._erased:
                self._keep_pending()
            self._db.execute("COMMIT")
            self._clear_touched()
        except BaseException as error:
            self._roll_back(error)
            raise

    def _roll_back(self, error: BaseException) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._device = ""  # what was given a name just now has none again
        self._erased = []
        self._drop_pending()
        self._clear_touched()
        self._taken = spool.SpoolBatch((), ())
        if isinstance(error, DamagedStoreError):
            mark_suspect(self.path)
        if isinstance(error, sqlite3.Error):
            raise self._explain_failure(error) from error

    def _append_entry(
        self,
        op: str,
        object_id: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> None:
        """Append a redacted journal entry; the tables are not updated yet."""
        from twiceshy.core.clock import next_clock
        from twiceshy.core.history import JournalEntry
        from twiceshy.store.entries import append_entry

        if not self.batch_id:
            raise StoreError("nothing can be recorded outside of a change")
        now = self.now()
        self._last = next_clock(self._last, now=now)
        entry = JournalEntry(
            clock=self._last,
            device=self.device,
            batch=self.batch_id,
            op=op,
            object=object_id,
            at=now,
            before=self._redact_fields(before),
            after=self._redact_fields(self._add_runtime(op, after)),
            refers=refers,
        )
        append_entry(self._db, entry)
        self._touched.setdefault(object_id, False)
        if self.vouching and (stated := _STATED.intersection(after or ())):
            whole = self._vouched.get(object_id, False)
            self._vouched[object_id] = whole or not stated <= _LABELS
        if self.author:
            signed = (entry.batch, self.author, now)
            self._db.execute("INSERT OR IGNORE INTO authors VALUES (?, ?, ?)", signed)

    def _add_runtime(self, op: str, after: Fields | None) -> Fields | None:
        """Add the runtime to a new note's fields; its session is soon pruned."""
        from twiceshy.core.history import RUNTIME, WRITE

        if op != WRITE or not after or "origin_session" not in after:
            return after
        session = str(after["origin_session"])
        runtime = self.runtime if session == self.author else ""
        if not runtime and session:
            known = "SELECT runtime FROM sessions WHERE id = ?"
            row = self._db.execute(known, (session,)).fetchone()
            runtime = row[0] if row else ""
        return {**after, RUNTIME: runtime} if runtime and after["source"] != "import" else after

    def _set_meta(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _redact_text(self, text: str) -> str:
        """Redact a text, by default with the rules alone, loaded at the first write."""
        if self._given_gate is None:
            from twiceshy.safety.redact import redact

            self._given_gate = redact
        return self._given_gate(text)

    def _redact_fields(self, fields: Fields | None) -> Fields | None:
        """Redact fields before writing: every journal entry passes here."""
        from twiceshy.store.rows import redact_fields

        return None if fields is None else redact_fields(fields, self._redact_text)

    def _keep_pending(self) -> None:
        """Write down what is erased, before the commit."""

    def _drop_pending(self) -> None:
        """Delete what was written down of an erasure that was rolled back."""

    def _scrub_erased(self) -> None:
        """Sweep what was erased from files, after the commit."""

    def _drain_spool(self) -> spool.SpoolBatch:
        try:
            return spool.drain_records(
                self._spool_path, self._take_spooled, unique=f"{os.getpid()}-{self.batch_id}"
            )
        except OSError as error:
            raise explain_error(error, self._spool_path) from error

    @property
    def _spool_path(self) -> str:
        return os.path.join(os.path.dirname(self.path), spool.NAME)

    def _explain_failure(self, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
        explained = explain_error(error, self.path)
        if isinstance(explained, DamagedStoreError):
            mark_suspect(self.path)
        return explained
