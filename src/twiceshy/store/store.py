"""The Store port over one file; safe to open from many processes at once, and to kill at any time."""

from __future__ import annotations

from twiceshy.core.errors import BusyError, DamagedStoreError, NoteError, StoreError
from twiceshy.store import spool
from twiceshy.store.connect import COMMAND, FAILURES, explain
from twiceshy.store.learning import Learning
from twiceshy.store.opening import open_file, opens
from twiceshy.store.place import REPAIR, suspected

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.history import Entry, Fields
    from twiceshy.core.model_ledger import Spending
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.session import Session, Use
    from twiceshy.core.store import Acknowledged, Observed, Record
    from twiceshy.language.vector import Meaning
    from twiceshy.store.connect import Patience
    from twiceshy.store.rescue import Rescued


class SqliteStore(Learning):
    """One open database. ``clock`` gives milliseconds; ``gate`` redacts all that is written."""

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
        self.read_only = ""  # why nothing can be written, if that is so
        self.rescued: Rescued | None = None  # what was saved from a damaged file, if it was
        self._patience = patience
        self._given_gate = gate
        self.batch_id = ""
        self._last = 0
        self._device = ""
        self._erased = []
        self._taken = spool.Taken((), ())
        self._pending: list[Observed] = []
        self._refusal = None
        self._open()

    # writing

    def record(
        self,
        op: str,
        note: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> Note | None:
        """See ``Store.record``."""
        from twiceshy.store import find, settle

        self._append(op, note, after, before=before, refers=refers)
        settled = settle.settle(self._db, note)
        return settled and find.by_id(self._db, note)  # with what was counted for it

    def forget(self, note: Note) -> list[str]:
        """See ``Store.forget``."""
        from twiceshy.core.history import FORGET
        from twiceshy.store import erase, find

        inside = bool(self.batch_id)
        with self.change():
            same = [note, *find.merged_into(self._db, note)]
            texts = {text for one in same for text in erase.wordings(self._db, one)}
            gone = []
            for one in same:
                erase.bury(self._db, one, at=self.now())
                self.record(FORGET, one.id, None)
                gone.append(erase.erase(self._db, one.id))
            if inside:  # the change around this one wipes the rest once it is committed
                self._erased += gone
        if inside:
            return []
        spool.sift(self._spool, lambda record: any(text in record for text in texts))
        return list(
            dict.fromkeys(left for one in gone for left in erase.scrub(self._db, self.path, one))
        )

    def capture(self, *records: Observed) -> Acknowledged:
        """See ``Store.capture``."""
        from twiceshy.store import observe

        self._pending = [observe.redacted(record, self._gate) for record in records]
        try:
            with self.change():
                for record in self._pending:
                    self._keep(record)
        except BusyError:
            self.set_down()
            return "spooled"
        self._pending = []
        return "stored"

    def set_down(self) -> None:
        """Leave what is being captured in the spool, because there is no time to wait."""
        from twiceshy.store import observe

        try:
            while self._pending:
                spool.append(self._spool, observe.to_line(self._pending[0]))
                del self._pending[0]
        except OSError as error:
            raise explain(error, self._spool) from error

    def tally(self, name: str, note_ids: Iterable[str]) -> None:
        """See ``Store.tally``."""
        from twiceshy.store import observe

        with self.change():
            observe.tally(self._db, name, note_ids, device=self.device)

    def sign(self, note_id: str, act: str, mac: str) -> None:
        """See ``Store.sign``."""
        from twiceshy.safety.signing import Signature
        from twiceshy.store import signatures

        with self.change():
            signatures.keep(self._db, Signature(note_id, act, mac, self.now()))

    def unsign(self, note_id: str) -> None:
        """See ``Store.unsign``."""
        from twiceshy.store import signatures

        with self.change():
            signatures.remove(self._db, note_id)

    def know_project(
        self, project: str, *, name: str, root: str, aliases: Iterable[str] = ()
    ) -> None:
        """See ``Store.know_project``."""
        with self.change():
            self._db.execute(
                """
                INSERT INTO projects VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET name = excluded.name, root = excluded.root
                """,
                (project, self._gate(name), self._gate(root), self.now()),
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO aliases VALUES (?, ?)",
                [(alias, project) for alias in aliases if alias != project],
            )

    def keep_session(self, session: Session) -> None:
        """See ``Store.keep_session``."""
        from twiceshy.store import sessions

        before = self.session(session.id)
        if not before or (before.root, before.transcript) != (session.root, session.transcript):
            root, transcript = self._gate(session.root), self._gate(session.transcript)
            session = session.but(root=root, transcript=transcript)
        with self.change():
            sessions.keep(self._db, session)

    def stash(self, session: str, intent: str, *, call: str = "") -> None:
        """See ``Store.stash``."""
        from twiceshy.core.session import LONGEST_INTENT
        from twiceshy.store import sessions

        # more than is kept, because the gate may shorten it; no word is cut before that
        intent = intent[: 4 * LONGEST_INTENT].encode("utf-8", "replace").decode()
        if len(intent) == 4 * LONGEST_INTENT:
            intent = intent.rpartition(" ")[0]
        safe = self._gate(intent)[:LONGEST_INTENT]
        with self.change():
            sessions.stash(self._db, session, call, safe, at=self.now())

    def keep_use(self, use: Use) -> None:
        """See ``Store.keep_use``."""
        from twiceshy.store import sessions

        with self.change():
            sessions.keep_use(self._db, use)

    def spend(self, spending: Spending) -> None:
        """See ``Store.spend``."""
        from twiceshy.store import ledger

        with self.change():
            ledger.keep(self._db, spending, gate=self._gate)

    def keep_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """See ``Store.keep_outcomes``."""
        from twiceshy.store import outcomes as kept

        with self.change():
            kept.keep(self._db, outcomes, device=self.device)

    def take_in(self, records: Iterable[Record]) -> list[str]:
        """See ``Store.take_in``."""
        from twiceshy.store import exchange

        with self.change():
            concerned = exchange.take_in(
                self._db, records, gate=self._gate, received=self._received
            )
            return list(dict.fromkeys(concerned))

    def settle(self, objects: Iterable[str]) -> None:
        """See ``Store.settle``."""
        from twiceshy.store import exchange

        with self.change():
            self._erased += exchange.settle(self._db, objects)

    def rebuild(self) -> Iterator[str]:
        """See ``Store.rebuild``."""
        from twiceshy.store import settle

        with self.change():
            self._restate(settle.without_history(self._db))
            yield from settle.rebuild(self._db, give_way=self._give_way)

    def reembed(self) -> Iterator[str]:
        """See ``Store.reembed``."""
        from twiceshy.store import settle

        with self.change():
            yield from settle.reembed(self._db)

    def keep_meanings(self, meanings: Mapping[str, Mapping[str, Meaning]]) -> None:
        """See ``Store.keep_meanings``."""
        from twiceshy.store import vectors

        with self.change():
            for note_id, fields in meanings.items():
                for field, meaning in fields.items():
                    vectors.keep(self._db, note_id, field, meaning)

    # finding

    def everything(
        self,
        *,
        only: Sequence[type[Record]] = (),
        projects: Sequence[str] | None = None,
        skill: str | None = None,
    ) -> Iterator[Record]:
        """See ``Store.everything``."""
        from twiceshy.store import exchange

        if not self.read_only and spool.waiting(self._spool):
            with self.change():  # what waits is part of it
                pass
        return exchange.everything(self._db, only=only, projects=projects, skill=skill)

    # inside

    def _open(self) -> None:
        mistrusted = bool(self._patience.retries) and suspected(self.path)
        if mistrusted:
            self.rescued = self._rescue()
        try:
            opened = open_file(self.path, self._patience, now=self.now())
        except DamagedStoreError:
            if self._patience.retries == 0:  # a hook has no time for this; the next command has
                raise
            self.rescued = self._rescue(trusted=False)
            opened = open_file(self.path, self._patience, now=self.now())
        self._db, self._file, self._refusal = opened.db, opened.file, opened.refusal
        self.read_only = str(opened.refusal or "")
        if mistrusted and not self.rescued and not opened.refusal:
            self._renew_index()  # every page is sound, so what failed was made of them
        if opened.mended:
            for _ in self.rebuild():
                pass
        if self._patience.retries and not opened.refusal:
            self._renew_derived()

    def _renew_derived(self) -> None:
        """Index all notes anew if that was done by other rules; a hook has no time for it."""
        from twiceshy.store import settle

        rules = self._rules()
        try:
            known = self._db.execute("SELECT value FROM meta WHERE key = 'derived'").fetchone()
            notes = self._db.execute("SELECT 1 FROM notes LIMIT 1").fetchone()
            if not notes or (known and known[0] == rules):
                return
            with self.change():
                for _ in settle.reindex(self._db):
                    pass
                self._set_meta("derived", rules)
        except StoreError:
            return  # what is indexed still answers; the next command tries again
        except FAILURES as error:
            self._explained(
                error
            )  # whoever asks for something will be told; the next one mends it

    def _rescue(self, *, trusted: bool = True) -> Rescued | None:
        """Save what can be read into a new file, and put that in the damaged one's place."""
        from contextlib import closing

        from twiceshy.store import rescue

        def sound() -> bool:
            return rescue.sound(self.path) and (
                trusted or opens(self.path, self._patience, now=self.now())
            )

        def save(target: str, folder: str) -> Mapping[str, int]:
            with closing(SqliteStore(target, clock=self.now, gate=self._gate)) as saved:
                return saved.recover(self.path, folder)

        try:
            return rescue.rescue(self.path, now=self.now(), sound=sound, save=save)
        except (OSError, *FAILURES) as error:
            raise explain(error, self.path) from error

    def recover(self, damaged: str, folder: str) -> Mapping[str, int]:
        """Take in what can be read of a damaged file; ``folder`` is where we may work."""
        from twiceshy.store import rescue, settle

        rows = rescue.recover(self._db, damaged, folder)
        self._restate(settle.beyond_history(self._db))
        for _ in self.rebuild():
            pass
        return rows

    def _restate(self, notes: Iterable[tuple[Note, Fields]]) -> None:
        """Write down what notes say whose history no longer tells."""
        from twiceshy.core.history import WRITE

        with self.change():
            for note, fields in notes:
                self._append(WRITE, note.id, fields, before=None, refers="")

    def _give_way(self, note_id: str) -> None:
        """Retire a note for the one that says the same: what told them apart was lost."""
        from twiceshy.store import find, journal, settle

        note = settle.added_up(journal.about(self._db, note_id))
        other = find.same(self._db, note) if note else None
        if note and other:
            reason = f"superseded by {other.handle}"
            after = {"life": "retired", "reason": reason, "superseded_by": other.id}
            before = {name: getattr(note, name) for name in after}
            try:
                self.record("supersede", note_id, after, before=before)
            except NoteError as error:  # it says the same as no note that is there
                raise DamagedStoreError(str(error), hint=REPAIR) from error

    def _renew_index(self) -> None:
        from twiceshy.store import mend

        with self.change():
            mend.renew_index(self._db)
        for _ in self.rebuild():
            pass

    def _received(self, entry: Entry) -> None:
        """Move the clock past another device's entry; one from the future counts from now."""
        from twiceshy.core.clock import witness
        from twiceshy.core.history import REBASE
        from twiceshy.store import exchange, sessions

        now = self.now()
        sessions.arrived(self._db, entry.clock, entry.device, mark=self._last + 1, at=now)
        self._last = witness(self._last + 1, entry.clock, now=now)
        if exchange.ahead(self._db, entry, now=now):
            self._append(REBASE, entry.object, None, before=None, refers=entry.id)

    def _keep(self, record: Observed) -> None:
        from twiceshy.core.evidence import Episode

        if not isinstance(record, Episode):
            from twiceshy.store import observe

            observe.keep(self._db, record)
            return
        from twiceshy.core.history import WRITE
        from twiceshy.store import journal

        if not journal.about(self._db, record.id):
            fields = record.fields()
            self.record(WRITE, str(fields.pop("id")), fields)

    def _take(self, line: dict[str, object]) -> bool:
        from twiceshy.store import observe

        record = observe.from_line(line)
        return record is not None and observe.fits(self._db, lambda: self._keep(record))
