"""Export the records of a store, and import the records of a different store."""

from __future__ import annotations

from contextlib import suppress

from twiceshy.core.clock import is_from_future, observe_clock
from twiceshy.core.erasure import ErasedRecord
from twiceshy.core.evidence import STOP, Exposure, NoteEvidence, Signal
from twiceshy.core.history import FORGET, REBASE, JournalEntry
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.outcome_sum import OutcomeSum
from twiceshy.core.project_link import link_id
from twiceshy.core.store import Alias, KnownProject, NoteCounter, Tombstone
from twiceshy.store import settle as settling
from twiceshy.store import spool
from twiceshy.store.arriving import ArrivalGate
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import SELECT_ENTRIES, append_entry, list_entries
from twiceshy.store.erasing import SqliteErasing
from twiceshy.store.evidence import SqliteEvidence
from twiceshy.store.outcome_sums import is_summed, take_foreign_sum
from twiceshy.store.outcomes import add_outcome
from twiceshy.store.rows import join_marks, load_payload, redact_fields
from twiceshy.store.sweep import REWRITTEN, SIGNAL, is_erased
from twiceshy.store.twins import find_referred, place_entry

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.core.store import Record

    Condition = tuple[str, list[object]]

_PROJECTS = "SELECT id, name, root, seen_at FROM projects WHERE {} ORDER BY id"
_ALIASES = "SELECT alias, project FROM aliases WHERE {} ORDER BY alias"
_ENTRIES = f"{SELECT_ENTRIES} WHERE {{}} ORDER BY j.clock, j.device"
_SIGNALS = f"SELECT {', '.join(Signal.__fields__)} FROM signals WHERE {{}} ORDER BY at, key"
_EXPOSURES = f"SELECT {', '.join(Exposure.__fields__)} FROM exposures WHERE {{}} ORDER BY at, key"
_EVIDENCE = "SELECT note, signal, session, at FROM evidence WHERE {} ORDER BY at, note, signal"
_OUTCOMES = f"SELECT {', '.join(Outcome.__fields__)} FROM outcomes WHERE {{}} ORDER BY at, key"
_OUTCOME_SUMS = f"""
    SELECT {", ".join(OutcomeSum.__fields__)} FROM outcome_sums
    WHERE {{}} ORDER BY week, note, device, withheld, lot, came
"""
_FLAGGED = ("withheld", *FLAGS)
_COUNTERS = "SELECT note, name, device, count FROM counters WHERE {} ORDER BY note, name, device"
_TOMBSTONES = """
    SELECT project, skill, fingerprint, at FROM tombstones
    WHERE {} ORDER BY project, skill, fingerprint
"""
_ERASED = "SELECT what, key, at FROM erasures WHERE {} ORDER BY what, key"


# What tells of every change of a record.
_DIGESTED = (
    *(
        each.format("1")
        for each in (
            _PROJECTS,
            _ALIASES,
            _EVIDENCE,
            _OUTCOMES,
            _COUNTERS,
            _OUTCOME_SUMS,
            _TOMBSTONES,
        )
    ),
    "SELECT clock, device, op FROM journal ORDER BY clock, device",
    "SELECT key, kind FROM signals ORDER BY key",
    "SELECT key FROM exposures ORDER BY key",
    "SELECT * FROM notes ORDER BY id",
)

_ABOUT_NOTES = (Exposure, NoteEvidence, Outcome, OutcomeSum, NoteCounter)


class SqliteExchange(SqliteErasing, SqliteEvidence):
    """Exports the records of the store, and imports foreign records."""

    def export_records(
        self,
        *,
        only: Sequence[type[Record]] = (),
        projects: Sequence[str] | None = None,
        skill: str | None = None,
    ) -> Iterator[Record]:
        """Return the records needed to replicate this store, always in the same order."""
        if not self.read_only and spool.count_waiting(self._spool_path):
            with self.change():  # what waits is part of it
                pass
        return self._select_records(only, projects, skill)

    def import_records(self, records: Iterable[Record]) -> list[str]:
        """Import foreign records; return the affected notes and episodes, unsettled."""
        with self.change():
            return list(dict.fromkeys(self._import_each(records)))

    def settle_objects(self, objects: Iterable[str]) -> None:
        """Update these objects to the journal's state, and erase the forgotten objects."""
        objects = list(dict.fromkeys(objects))
        with self.change():
            together: dict[str, list[str]] = {}  # one request to forget may name several
            for each in filter(self._is_to_erase, objects):
                together.setdefault(self._find_forget_batch(each), []).append(each)
            for erased in together.values():
                self._erase_objects(erased)
            # Two notes may have exchanged their words; on the way there both would say the same.
            self._db.executemany(
                "UPDATE notes SET fingerprint = 'settling ' || id WHERE id = ?",
                [(object_id,) for object_id in objects],
            )
            for object_id in objects:
                settling.settle_object(self._db, object_id)

    def _select_records(
        self, only: Sequence[type[Record]], projects: Sequence[str] | None, skill: str | None
    ) -> Iterator[Record]:
        """Yield the records of a scope, or of the store, from a single snapshot."""
        alone = not self._db.in_transaction
        if alone:
            self._db.execute("BEGIN")  # what others write meanwhile is not seen
        try:
            for cls, sql, (where, bound) in _build_selections(projects, skill):
                if cls in only if only else cls is not ErasedRecord:  # which stays here
                    rows = self._db.execute(sql.format(where), bound)
                    yield from (_build_record(cls, row) for row in rows)
        finally:
            # who read may have stopped early, and closed the store before this generator ends
            with suppress(sqlite3.ProgrammingError):
                if alone and self._db.in_transaction:
                    self._db.execute("COMMIT")

    def _import_each(self, records: Iterable[Record]) -> Iterator[str]:
        """Store each new record; yield the affected notes and episodes."""
        forgets = self._db.execute(f"SELECT object FROM journal WHERE op = '{FORGET}'")
        gone = {row[0] for row in forgets}
        gate = ArrivalGate(self._db)
        for record in records:
            if isinstance(record, JournalEntry):
                if record.op == FORGET:
                    gone.add(record.object)
                # what was forgotten is not even written to be erased again
                safe = gate.clean_entry(record)
                yield from self._append_foreign_entry(safe, erased=record.object in gone)
                if safe is not record:
                    self._mark_erased(REWRITTEN, record.object)
            elif isinstance(record, Tombstone):
                yield from self._add_tombstone(record)
            elif isinstance(record, Signal) and gate.holds(record):
                self._mark_erased(SIGNAL, record.key)
            elif not (isinstance(record, _ABOUT_NOTES) and record.note in gone):
                self._save_record(record)

    def _mark_erased(self, what: str, key: str) -> None:
        """Remember what arrived with erased words: what a remote shows of it is rewritten."""
        self._db.execute(
            "INSERT OR REPLACE INTO erasures VALUES (?, ?, ?)", (what, key, self.now())
        )

    def _append_foreign_entry(self, entry: JournalEntry, *, erased: bool) -> Iterator[str]:
        """Append a new foreign entry, and advance the clock past it; yield the affected objects.

        An entry from the future counts from now.
        """
        before, after = (
            None if erased else self._redact_fields(fields)
            for fields in (entry.before, entry.after)
        )
        placed = place_entry(self._db, entry.but(before=before, after=after))
        if placed.moved:
            yield placed.moved
        if placed.entry is None:
            return
        entry = placed.entry.but(refers=find_referred(self._db, placed.entry))
        append_entry(self._db, entry)
        self._touched[entry.object] = True
        now = self.now()
        self._db.execute(
            "INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)",
            (entry.clock, entry.device, self._last + 1, now),
        )
        self._last = observe_clock(self._last + 1, entry.clock, now=now)
        if self._is_from_future(entry, now=now):
            self._append_entry(REBASE, entry.object, None, refers=entry.id)
        yield entry.object

    def _is_from_future(self, entry: JournalEntry, *, now: int) -> bool:
        """True if an entry still counts from the future, after known rebases."""
        known = self._db.execute(
            f"SELECT clock FROM journal WHERE object = ? AND op = '{REBASE}' AND refers = ?",
            (entry.object, entry.id),
        )
        return is_from_future(min([entry.clock, *(clock for (clock,) in known)]), now=now)

    def _save_record(self, record: Record) -> None:
        match record:
            case Outcome() | OutcomeSum() | Exposure():
                self._save_showing(record)
            case NoteEvidence(note, signal, session, at):
                self._db.execute(
                    "INSERT INTO evidence VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET at = min(at, excluded.at)",
                    (note, signal, self._redact_text(session), at),
                )
            case Signal():
                self._save_signal(record)
            case NoteCounter(note, name, device, count):
                # take over what a device counted; it only ever counts up
                self._db.execute(
                    """
                    INSERT INTO counters (note, name, device, count) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = max(count, excluded.count)
                    """,
                    (note, name, device, count),
                )
            case KnownProject(project, name, root, seen_at):
                self._insert_row(
                    "projects",
                    (project, self._redact_text(name), self._redact_text(root), seen_at),
                )
            case Alias(alias, project):
                self._save_alias(self._redact_text(alias), project)
            case JournalEntry() | Tombstone() | ErasedRecord():
                raise TypeError(f"{type(record).__name__} is stored in another way")

    def _save_signal(self, signal: Signal) -> None:
        """Store a signal, unless an erasure deleted it: a remote may still have it."""
        if not is_erased(self._db, SIGNAL, signal.key):
            self._store_observation(
                signal.but(**redact_fields(signal.fields(), self._redact_text))
            )

    def _save_alias(self, alias: str, project: str) -> None:
        """Store a name, unless entries tell: whoever sends it has not heard of them yet."""
        about = "SELECT 1 FROM journal WHERE object = ? LIMIT 1"
        if not self._db.execute(about, (link_id(alias),)).fetchone():
            self._insert_row("aliases", (alias, project))

    def _save_showing(self, record: Outcome | OutcomeSum | Exposure) -> None:
        """Store what another device showed, and what came of it, unless that is summed already."""
        if isinstance(record, OutcomeSum):
            take_foreign_sum(self._db, record)
            return
        summed = is_summed(self._db, record.note, record.at)
        if isinstance(record, Exposure):
            if not (summed and record.channel == STOP):
                safe = redact_fields(record.fields(), self._redact_text)
                self._store_observation(record.but(**safe))
        elif not summed:  # what it counted, its device has counted
            add_outcome(self._db, record, own=False)

    def _add_tombstone(self, tombstone: Tombstone) -> list[str]:
        """Add a tombstone, or set a later date; return the notes with its fingerprint."""
        place = (tombstone.project, tombstone.skill, tombstone.fingerprint)
        self._db.execute(
            """
            INSERT INTO tombstones VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET at = max(at, excluded.at)
            """,
            (*place, tombstone.at),
        )
        same = "SELECT id FROM notes WHERE project = ? AND skill = ? AND fingerprint = ?"
        return [note_id for (note_id,) in self._db.execute(same, place)]

    def _find_forget_batch(self, object_id: str) -> str:
        entries = list_entries(self._db, object_id)
        return next((entry.batch for entry in entries if entry.op == FORGET), "")

    def _is_to_erase(self, object_id: str) -> bool:
        """True for a forgotten object of which something is left, and for a note that lost all words."""
        entries = list_entries(self._db, object_id)
        note = (
            settling.replay_entries(entries) if is_erased(self._db, REWRITTEN, object_id) else None
        )
        if note and not note.text.strip():
            return True
        is_forgotten = any(entry.op == FORGET for entry in entries)
        return is_forgotten and any(entry.before or entry.after for entry in entries)


def digest_records(db: sqlite3.Connection) -> str:
    """Return a digest of what is exported, and of the notes, without building records.

    Entries never change but for the content of forgotten notes, which has an entry of its own.
    """
    import hashlib  # it loads a library, and most processes compare no stores

    found = hashlib.blake2b(digest_size=16)
    for sql in _DIGESTED:
        for row in db.execute(sql):
            found.update(repr(row).encode("utf-8", "surrogatepass"))
        found.update(b";")
    return found.hexdigest()


def _build_selections(
    projects: Sequence[str] | None, skill: str | None
) -> Iterator[tuple[type[Record], str, Condition]]:
    """Yield the condition for each kind of record, in export order."""
    within = where, bound = _build_scope_condition(projects, skill)
    everywhere = where == "1"

    def among(column: str, found: str) -> Condition:
        return within if everywhere else (f"{column} IN ({found} WHERE {where})", bound)

    yield KnownProject, _PROJECTS, among("id", "SELECT project FROM notes")
    yield Alias, _ALIASES, among("project", "SELECT project FROM notes")
    yield (
        JournalEntry,
        _ENTRIES,
        within if everywhere else _build_object_condition(within, projects, skill),
    )
    yield Signal, _SIGNALS, within
    yield Exposure, _EXPOSURES, among("note", "SELECT id FROM notes")
    yield NoteEvidence, _EVIDENCE, among("note", "SELECT id FROM notes")
    yield Outcome, _OUTCOMES, among("note", "SELECT id FROM notes")
    yield OutcomeSum, _OUTCOME_SUMS, among("note", "SELECT id FROM notes")
    yield NoteCounter, _COUNTERS, among("note", "SELECT id FROM notes")
    yield Tombstone, _TOMBSTONES, within
    yield ErasedRecord, _ERASED, ("1", [])


def _build_scope_condition(projects: Sequence[str] | None, skill: str | None) -> Condition:
    """Return a condition on the columns of a scope."""
    parts: list[str] = []
    bound: list[object] = []
    if projects is not None:
        parts.append(f"project IN ({join_marks(projects)})")
        bound += projects
    if skill is not None:
        parts.append("skill = ?")
        bound.append(skill)
    return " AND ".join(parts) or "1", bound


def _build_object_condition(
    within: Condition, projects: Sequence[str] | None, skill: str | None
) -> Condition:
    """Return a condition on the journal objects of a scope.

    The scope of a forgotten note is unknown, so forgotten objects are always included.
    """
    where, bound = within
    objects = f"SELECT id FROM notes WHERE {where}"
    objects += f" UNION SELECT object FROM journal WHERE op = '{FORGET}'"
    if skill is None:  # episodes belong to no skill
        where, values = _build_scope_condition(projects, None)
        objects, bound = f"{objects} UNION SELECT id FROM episodes WHERE {where}", bound + values
    return f"j.object IN ({objects})", bound


def _build_record(cls: type[Record], row: Sequence[object]) -> Record:
    fields = dict(zip(cls.__fields__, row, strict=True))
    for name in ("before", "after"):
        if isinstance(body := fields.get(name), str):
            fields[name] = load_payload(body)
    return cls.of(fields | {name: bool(fields[name]) for name in _FLAGGED if name in fields})
