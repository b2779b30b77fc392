"""An open database: its errors are explained, and each change happens as a whole or not at all."""

from __future__ import annotations

import _sqlite3 as sqlite3
import os
from abc import abstractmethod

from twiceshy.core.errors import DamagedStoreError, StoreError
from twiceshy.core.note import new_id
from twiceshy.store import spool
from twiceshy.store.connect import COMMAND, FAILURES, begin, explain, is_damage
from twiceshy.store.place import identity, suspect

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Concatenate, ParamSpec, TypeVar

    from twiceshy.core.history import Fields
    from twiceshy.core.store import Rescued
    from twiceshy.store.connect import Patience
    from twiceshy.store.erase import Gone

    P = ParamSpec("P")
    S = TypeVar("S", bound="SqliteDatabase")
    T = TypeVar("T")


_MUCH = 256 << 10  # bytes; about thirty hooks, and 0.2 ms to read


def explain_errors(
    read: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[S, P], T]:
    """Decorate a method that reads: a failure of SQLite says what to do, and damage is remembered."""

    def explained(self: S, /, *args: P.args, **named: P.kwargs) -> T:
        try:
            return read(self, *args, **named)
        except DamagedStoreError:
            suspect(self.path)
            raise
        except FAILURES as error:
            raise self._explained(error) from error

    explained.__doc__ = read.__doc__
    return explained


class _RehearsedError(Exception):
    """What takes a rehearsal back."""


class StoreChange:
    """The block in which a store may be written; gives the id of what is written together."""

    def __init__(self, store: SqliteDatabase, *, rehearsal: bool) -> None:
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


class SqliteDatabase:
    """One open database. ``clock`` gives milliseconds; ``gate`` redacts all that is written."""

    _db: sqlite3.Connection
    _file: tuple[int, int]  # which file that is, so that another one in its place is noticed

    def __init__(
        self,
        path: str,
        *,
        clock: Callable[[], int],
        patience: Patience = COMMAND,
        gate: Callable[[str], str] | None = None,
    ) -> None:
        self.path = path
        self.now = clock
        self.author = ""  # the session that writes, if one does
        self.runtime = ""  # of that session, if whoever opened the store knows it
        self.read_only = ""  # why nothing can be written, if that is so
        self.rescued: Rescued | None = None  # what was saved from a damaged file, if it was
        self.batch_id = ""  # of the change that is going on, if one is
        self._patience = patience
        self._given_gate = gate
        self._last = 0
        self._device = ""
        self._erased: list[Gone] = []  # notes to wipe from beside the database after the commit
        self._taken = spool.Taken((), ())
        self._refusal: StoreError | None = None
        self._open()

    @property
    def device(self) -> str:
        """Return the id of this store among those that exchange journals."""
        if not self._device:
            row = self._db.execute("SELECT value FROM meta WHERE key = 'device'").fetchone()
            self._device = row[0] if row else ""
        return self._device

    def change(self, *, rehearsal: bool = False) -> StoreChange:
        """Begin one change: all of it becomes visible and durable, or none; gives its batch id."""
        return StoreChange(self, rehearsal=rehearsal)

    def new_id(self) -> str:
        """Return an id that no note had or will have."""
        return new_id(self.now(), os.urandom(5))

    def close(self, *, in_haste: bool = False) -> bool:
        """Let go of files and connections; in haste only if much waits in the write-ahead file.

        Whoever opens the store next reads all of that file, so it must not grow; but to close costs
        a hook as much as all of its writing.
        """
        if in_haste and not self._much_waits():
            return False
        self._db.close()
        return True

    def _much_waits(self) -> bool:
        try:
            return os.stat(self.path + "-wal").st_size > _MUCH
        except FileNotFoundError:
            return False

    def start_change(self) -> None:
        """Begin to write; what waits in the spool comes first."""
        self._begin()
        try:
            self._name_change()
            self._taken = self._take_in_spool()
        except BaseException as error:
            self.end_change(error)
            raise

    def end_change(self, error: BaseException | None) -> None:
        """Make all of it durable, or none of it when there was an error."""
        try:
            if error is None:
                self._commit()
            else:
                self._roll_back(error)
        finally:
            self.batch_id = ""
        spool.drained(self._spool, self._taken)
        if self._erased:
            self._scrub()

    @abstractmethod
    def _open(self) -> None:
        """Open the file at ``path``, whichever file that is now."""

    @abstractmethod
    def _take(self, line: dict[str, object]) -> bool:
        """Keep a record of the spool; False if nobody understands it."""

    @abstractmethod
    def _rules(self) -> str:
        """Return by which rules notes are indexed today."""

    def _begin(self) -> None:
        if self._refusal:
            raise type(self._refusal)(str(self._refusal), hint=self._refusal.hint)
        try:
            begin(self._db, self._patience)
            if identity(self.path) != self._file:  # another file took its place: write to that
                self.close()
                self._open()
                begin(self._db, self._patience)
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def _name_change(self) -> None:
        """Give the change its name, and find out what time it is for this device."""
        self.batch_id = "b" + self.new_id()[1:]
        known = (
            "SELECT value FROM meta WHERE key = 'clock' UNION ALL SELECT max(clock) FROM journal"
        )
        self._last = int(self._db.execute(known).fetchone()[0] or 0)
        if not self.device:
            self._device = os.urandom(4).hex()
            self._set_meta("device", self._device)
            self._set_meta("derived", self._rules())

    def _commit(self) -> None:
        try:
            self._set_meta("clock", str(self._last))
            self._db.execute("COMMIT")
        except BaseException as error:
            self._roll_back(error)
            raise

    def _roll_back(self, error: BaseException) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._device = ""  # what was given a name just now has none again
        self._erased = []
        self._taken = spool.Taken((), ())
        if isinstance(error, DamagedStoreError):
            suspect(self.path)
        if isinstance(error, sqlite3.Error):
            raise self._explained(error) from error

    def _append(
        self,
        op: str,
        object_id: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> None:
        """Write an entry of the journal, redacted; the tables are not brought to it yet."""
        from twiceshy.core.clock import tick
        from twiceshy.core.history import Entry
        from twiceshy.store.entries import append_entry

        if not self.batch_id:
            raise StoreError("nothing can be recorded outside of a change")
        now = self.now()
        self._last = tick(self._last, now=now)
        entry = Entry(
            clock=self._last,
            device=self.device,
            batch=self.batch_id,
            op=op,
            object=object_id,
            at=now,
            before=self._gated(before),
            after=self._gated(self._from_runtime(op, after)),
            refers=refers,
        )
        append_entry(self._db, entry)
        if self.author:
            signed = (entry.batch, self.author, now)
            self._db.execute("INSERT OR IGNORE INTO authors VALUES (?, ?, ?)", signed)

    def _from_runtime(self, op: str, after: Fields | None) -> Fields | None:
        """Add in which runtime a new note was written; its session, which tells, is soon pruned."""
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

    def _gate(self, text: str) -> str:
        """Redact a text, by default with the rules alone; those who only read never load them."""
        if self._given_gate is None:
            from twiceshy.safety.redact import redact

            self._given_gate = redact
        return self._given_gate(text)

    def _gated(self, fields: Fields | None) -> Fields | None:
        """Redact once more at the last door: nothing reaches the journal but through here."""
        from twiceshy.store.rows import gated

        return None if fields is None else gated(fields, self._gate)

    def _scrub(self) -> None:
        from twiceshy.store import erase

        while self._erased:
            erase.scrub(self._db, self.path, self._erased.pop())

    def _take_in_spool(self) -> spool.Taken:
        try:
            return spool.drain(self._spool, self._take, unique=f"{os.getpid()}-{self.batch_id}")
        except OSError as error:
            raise explain(error, self._spool) from error

    @property
    def _spool(self) -> str:
        return os.path.join(os.path.dirname(self.path), spool.NAME)

    def _explained(self, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
        if is_damage(error):
            suspect(self.path)
        return explain(error, self.path)
