"""Changes to a store: each happens as a whole or not at all, and a change inside one is part of it."""

from __future__ import annotations

import _sqlite3 as sqlite3
import os
from abc import abstractmethod

from twiceshy.core.errors import DamagedStoreError, StoreError
from twiceshy.core.note import new_id
from twiceshy.store import spool
from twiceshy.store.connect import begin, explain
from twiceshy.store.place import identity, suspect
from twiceshy.store.reading import Reader

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from twiceshy.core.history import Fields
    from twiceshy.store.connect import Patience
    from twiceshy.store.erase import Gone


_MUCH = 256 << 10  # bytes; about thirty hooks, and 0.2 ms to read


class Change:
    """The block in which a store may be written; gives the id of what is written together."""

    def __init__(self, store: Changing) -> None:
        self._store = store
        self._outermost = False

    def __enter__(self) -> str:
        self._outermost = not self._store.batch_id
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
            self._store.end_change(error)


class Changing(Reader):
    """An open database that can be changed."""

    batch_id: str  # of the change that is going on, if one is
    author: str = ""  # the session that writes, if one does
    runtime: str = ""  # in which that session takes place, if whoever opened the store knows it
    _patience: Patience
    _file: tuple[int, int]
    _refusal: StoreError | None
    _given_gate: Callable[[str], str] | None
    _last: int
    _taken: spool.Taken
    _erased: list[Gone]  # notes to wipe from beside the database after the commit

    def change(self) -> Change:
        """See ``Store.change``."""
        return Change(self)

    def new_id(self) -> str:
        """See ``Store.new_id``."""
        return new_id(self.now(), os.urandom(5))

    def close(self) -> None:
        """See ``Store.close``."""
        self._db.close()

    def worth_closing(self) -> bool:
        """Tell whether so much waits in the write-ahead file that tidying up, as closing does, pays.

        Whoever opens the store next reads all of that file, so it must not grow; but to close costs
        a hook as much as all of its writing.
        """
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

    def _rules(self) -> str:
        """Return by which rules notes are indexed today."""
        from twiceshy.store import triggers, vectors, words

        return f"{words.VERSION} {vectors.shipped.identity} {triggers.VERSION}"

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
        self, op: str, note: str, after: Fields | None, *, before: Fields | None, refers: str
    ) -> None:
        from twiceshy.core.clock import tick
        from twiceshy.core.history import Entry
        from twiceshy.store import journal

        now = self.now()
        self._last = tick(self._last, now=now)
        entry = Entry(
            clock=self._last,
            device=self.device,
            batch=self._batch_or_refuse(),
            op=op,
            object=note,
            at=now,
            before=self._gated(before),
            after=self._gated(self._from_runtime(op, after)),
            refers=refers,
        )
        journal.append(self._db, entry)
        if self.author:
            from twiceshy.store import sessions

            sessions.sign(self._db, entry.batch, self.author, at=now)

    def _from_runtime(self, op: str, after: Fields | None) -> Fields | None:
        """Add in which runtime a new note was written; its session, which tells, is soon pruned."""
        from twiceshy.core.history import RUNTIME, WRITE

        if op != WRITE or not after or "origin_session" not in after:
            return after
        session = str(after["origin_session"])
        runtime = self.runtime if session == self.author else ""
        if not runtime and session:
            from twiceshy.store import sessions

            known = sessions.by_id(self._db, session)
            runtime = known.runtime if known else ""
        return {**after, RUNTIME: runtime} if runtime and after["source"] != "import" else after

    def _batch_or_refuse(self) -> str:
        if not self.batch_id:
            raise StoreError("nothing can be recorded outside of a change")
        return self.batch_id

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
        if fields is None:
            return None
        from twiceshy.store import observe

        return observe.gated(fields, self._gate)

    def _scrub(self) -> None:
        from twiceshy.store import erase

        while self._erased:
            erase.scrub(self._db, self.path, self._erased.pop())

    def _take_in_spool(self) -> spool.Taken:
        try:
            return spool.drain(self._spool, self._take, unique=f"{os.getpid()}-{self.batch_id}")
        except OSError as error:
            raise explain(error, self._spool) from error
