"""The store for hooks: one file, safe for many processes, safe to kill at any time."""

from __future__ import annotations

import os

from twiceshy.core.errors import (
    BusyError,
    DamagedStoreError,
    DiskFullError,
    ForeignStoreError,
    NewerStoreError,
    NoteError,
    OlderStoreError,
    StoreError,
)
from twiceshy.core.value import Value
from twiceshy.store.connect import connect, connect_read_only
from twiceshy.store.driver import sqlite3
from twiceshy.store.evidence import SqliteEvidence
from twiceshy.store.known_schema import is_schema_known
from twiceshy.store.sessions import SqliteSessions
from twiceshy.store.store_file import REPAIR, is_writable, read_file_identity
from twiceshy.store.triggers import SqliteTriggers

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note
    from twiceshy.core.store import Derived
    from twiceshy.store.connect import LockPatience


class OpenedFile(Value):
    """An open connection, the identity of its file, and the reason for read-only mode."""

    db: sqlite3.Connection
    file: tuple[int, int] = (0, 0)
    mended: bool = False
    refusal: StoreError | None = None


class SqliteHookStore(SqliteSessions, SqliteEvidence, SqliteTriggers):
    """The store methods for hooks; further methods are in modules not loaded by hooks."""

    def rebuild_derived(self, *, only: Derived = "") -> Iterator[str]:
        """Rebuild derived data, or only missing vectors; yield ids to show progress."""
        from twiceshy.store import settle

        if only == "verdicts":
            from twiceshy.store.judging import has_waiting, judge_waiting

            if has_waiting(self._db):  # else nobody waits for the file
                with self.change():
                    yield from judge_waiting(self._db)
            return
        with self.change():
            if only == "meanings":
                yield from settle.reembed_notes(self._db)
                return
            self._restore_entries(settle.find_lost_histories(self._db))
            yield from settle.rebuild_tables(self._db, retire_duplicate=self._retire_duplicate)

    def _open_database(self) -> None:
        opened = open_file(self.path, self._patience, now=self.now())
        self._use_file(opened)
        if opened.mended:
            for _ in self.rebuild_derived():
                pass

    def _use_file(self, opened: OpenedFile) -> None:
        self._db, self._file, self._refusal = opened.db, opened.file, opened.refusal
        self.read_only = str(opened.refusal or "")
        self.read_only_hint = opened.refusal.hint if opened.refusal else ""
        self.older = isinstance(opened.refusal, OlderStoreError)
        self.is_stand_in = isinstance(opened.refusal, BusyError)

    def _settle_verdicts(self) -> None:
        """Drop the verdicts about what was reworded; the background job judges it, a hook has no time."""
        for object_id in self._touched:
            known = self._db.execute(
                "SELECT content FROM verdicts WHERE object = ?", (object_id,)
            ).fetchone()
            if known and known[0] != self._read_content(object_id):
                self._db.execute("DELETE FROM verdicts WHERE object = ?", (object_id,))

    def _prepare_telling(self) -> None:
        """Judge nothing: what has no verdict is not told by a hook."""

    def _read_content(self, object_id: str) -> str:
        """Return the checksum of a note or an episode as it stands; empty if it is gone."""
        from twiceshy.store.judging import read_object

        found = read_object(self._db, object_id)
        return found.told_content if found else ""

    def _describe_index_rules(self) -> str:
        from twiceshy.store import triggers, vectors, words

        return f"{words.VERSION} {vectors.shipped.identity} {triggers.VERSION}"

    def _restore_entries(self, notes: Iterable[tuple[Note, Fields]]) -> None:
        """Journal the current fields of notes with a lost history."""
        from twiceshy.core.history import WRITE

        with self.change():
            for note, fields in notes:
                self._append_entry(WRITE, note.id, fields)

    def _retire_duplicate(self, note_id: str) -> None:
        """Retire a note in favour of its duplicate: the difference was lost."""
        from twiceshy.store.entries import list_entries
        from twiceshy.store.notes import select_notes
        from twiceshy.store.settle import replay_entries, settle_object

        note = replay_entries(list_entries(self._db, note_id))
        if note is None:
            return
        where = "notes.project = ? AND notes.skill = ? AND notes.fingerprint = ? AND notes.id <> ?"
        key = [note.scope.project, note.scope.skill, note.fingerprint, note.id]
        for other in select_notes(self._db, f"{where} AND notes.superseded_by = '' LIMIT 1", key):
            reason = f"superseded by {other.handle}"
            after = {"status": "retired", "reason": reason, "superseded_by": other.id}
            before = {name: getattr(note, name) for name in after}
            self._append_entry("supersede", note_id, after, before=before)
            try:
                settle_object(self._db, note_id)
            except NoteError as error:  # it says the same as no note that is there
                raise DamagedStoreError(str(error), hint=REPAIR) from error


def open_file(path: str, patience: LockPatience, *, now: int) -> OpenedFile:
    """Open, migrate and mend the file; open read-only if writing is refused or impossible."""
    try:
        return _open_for_writing(path, patience, now=now)
    except NewerStoreError as error:
        return OpenedFile(connect_read_only(path, patience), refusal=error)
    except (DamagedStoreError, ForeignStoreError):
        raise
    except OlderStoreError as error:
        return OpenedFile(_open_empty_database(patience), refusal=error)
    except BusyError as error:
        if patience.retries:
            raise
        # a hook does not wait: it is told nothing, and what it captures goes to the spool
        return OpenedFile(_open_empty_database(patience), refusal=error)
    except StoreError as error:
        readable = isinstance(error, DiskFullError) or not is_writable(path)
        if not (readable and os.path.isfile(path)):
            raise
        return _open_unwritable(path, patience, error)


def is_openable(path: str, patience: LockPatience, *, now: int) -> bool:
    """True if the file can be opened."""
    try:
        open_file(path, patience, now=now).db.close()
    except DamagedStoreError:
        return False
    return True


def _open_for_writing(path: str, patience: LockPatience, *, now: int) -> OpenedFile:
    # from before: taken for another one in doubt, never for the same
    file = read_file_identity(path)
    db = connect(path, patience)
    try:
        # a command compares table by table, and so meets damage before it begins
        known = not patience.retries and is_schema_known(db)
        mended = not known and _migrate(db, path, patience, now=now)
    except BaseException:
        db.close()
        raise
    return OpenedFile(db, file if any(file) else read_file_identity(path), mended)


def _migrate(db: sqlite3.Connection, path: str, patience: LockPatience, *, now: int) -> bool:
    from twiceshy.store.migrate import migrate

    return migrate(db, path, patience, now=now)


def _open_unwritable(path: str, patience: LockPatience, error: StoreError) -> OpenedFile:
    """Open for reading; a command reads a store of an older schema through a converted copy."""
    from twiceshy.store.migrate import needs_migration

    db = connect_read_only(path, patience)
    if not (patience.retries and needs_migration(db)):
        return OpenedFile(db, refusal=error)
    from twiceshy.store.read_older import convert_in_memory

    said = f"{error}; it has the schema of an older twiceshy"
    hint = f"{error.hint}; once it can be written, any command upgrades it: twiceshy status"
    return OpenedFile(convert_in_memory(db), refusal=StoreError(said, hint=hint))


def _open_empty_database(patience: LockPatience) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    _migrate(db, ":memory:", patience, now=0)
    return db
