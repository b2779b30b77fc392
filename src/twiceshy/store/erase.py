"""Forget a note: remove every trace of its text from the disk, and leave a tombstone."""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.note import fingerprint_note
from twiceshy.core.value import Value
from twiceshy.store import index_notes
from twiceshy.store.copies import list_copy_files
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import erase_payloads, list_entries
from twiceshy.store.store_file import REPORT

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note

_MIN_TEXT_LENGTH = 8  # a shorter text is found in records that have nothing to do with the note
_NOTE_TABLES = (
    *("counters", "exposures", "vectors", "signatures"),
    *("triggers", "trigger_counts", "evidence", "outcomes", "outcome_sums"),
)


class ErasedTrace(Value):
    """An erased note id, and the keys of the checkpoints erased with the note."""

    note: str
    checkpoints: tuple[str, ...]


def add_tombstones(db: sqlite3.Connection, note: Note, *, at: int) -> None:
    """Add a tombstone for every wording and scope in the note's history."""
    tombstones = {(note.scope.project, note.scope.skill, note.fingerprint)}
    project, skill = note.scope.project, note.scope.skill
    tag, text = note.tag, note.text
    for entry in list_entries(db, note.id):
        fields = entry.after or {}
        project = str(fields.get("project", project))
        skill = str(fields.get("skill", skill))
        tag = str(fields.get("tag", tag))
        text = next((str(fields[name]) for name in ("text", "variant") if name in fields), text)
        tombstones.add((project, skill, fingerprint_note(note.kind, tag, text)))
    db.executemany(
        "INSERT OR IGNORE INTO tombstones VALUES (?, ?, ?, ?)",
        [(*tombstone, at) for tombstone in sorted(tombstones)],
    )


def list_wordings(db: sqlite3.Connection, note: Note) -> frozenset[str]:
    """Return every text in the note's history with at least eight characters."""
    entries = list_entries(db, note.id)
    return _collect_texts([note.fields(), *(entry.after or {} for entry in entries)])


def _collect_texts(changes: Iterable[Fields]) -> frozenset[str]:
    texts = (str(each.get(name, "")) for each in changes for name in ("text", "why", "variant"))
    return frozenset(text for text in texts if len(text) >= _MIN_TEXT_LENGTH)


def erase_note(db: sqlite3.Connection, note_id: str) -> ErasedTrace:
    """Delete a note from the tables, inside the caller's transaction.

    The checkpoints that are evidence for the note, or contain its text, are deleted too, even if
    they contain more: other notes learned from them keep their own text.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    gone = ErasedTrace(
        note_id, tuple(_find_checkpoints(db, note_id)) if "evidence" in tables else ()
    )
    erase_payloads(db, note_id)
    _drop_checkpoints(db, gone)
    for table in _NOTE_TABLES:
        if table in tables:  # a backup may be older than the table
            db.execute(f"DELETE FROM {table} WHERE note = ?", (note_id,))
    if "words" in tables:
        index_notes.merge_index(db)
    return gone


def _find_checkpoints(db: sqlite3.Connection, note_id: str) -> Iterator[str]:
    evidence = {
        key for (key,) in db.execute("SELECT signal FROM evidence WHERE note = ?", (note_id,))
    }
    texts = _collect_texts(entry.after or {} for entry in list_entries(db, note_id))
    for key, excerpt in db.execute("SELECT key, excerpt FROM signals WHERE kind = 'checkpoint'"):
        if key in evidence or any(text in excerpt for text in texts):
            yield key


def _drop_checkpoints(db: sqlite3.Connection, gone: ErasedTrace) -> None:
    for key in gone.checkpoints:
        db.execute("DELETE FROM signals WHERE key = ?", (key,))


def scrub_copies(db: sqlite3.Connection, path: str, gone: ErasedTrace) -> list[str]:
    """Erase the note from files beside the database; return the paths not cleaned.

    Damaged copies set aside cannot be cleaned page by page, so they are deleted: the rows that
    could be saved from them are in the database already. Second copies are deleted as well.
    """
    left = [] if _truncate_wal(db) else [path + "-wal"]
    for backup in list(_list_backups(path)):
        copy = sqlite3.connect(backup, isolation_level=None)
        try:
            _scrub_backup(copy, gone)
        except sqlite3.Error:
            os.unlink(backup)
        finally:
            copy.close()
    for bundle in list_copy_files(path):
        os.unlink(bundle)  # the next one is written without the note
    for damaged in list(_list_damaged(path)):
        os.unlink(damaged)
        with suppress(OSError):  # as long as something else is in there
            os.removedirs(os.path.dirname(damaged))
    return left


def _scrub_backup(copy: sqlite3.Connection, gone: ErasedTrace) -> None:
    copy.execute("PRAGMA secure_delete = ON")
    tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
    row = copy.execute("SELECT seq FROM notes WHERE id = ?", (gone.note,)).fetchone()
    if row:
        if "words" in tables:
            _remove_from_index(copy, row[0])
        copy.execute("DELETE FROM labels WHERE note = ?", row)
        copy.execute("DELETE FROM notes WHERE seq = ?", row)
    erase_note(copy, gone.note)
    if "signals" in tables:  # it may be older than the note, and know the checkpoint alone
        _drop_checkpoints(copy, gone)
    copy.execute("VACUUM")
    _truncate_wal(copy)


def _remove_from_index(copy: sqlite3.Connection, row: int) -> None:
    """Take a note out of the index of a backup, whose schema may be an older one."""
    if index_notes.has_copies(copy):
        copy.execute("DELETE FROM words WHERE rowid = ?", (row,))
    else:
        index_notes.remove_note(copy, row, index_notes.read_texts(copy, row))


def _truncate_wal(db: sqlite3.Connection) -> bool:
    """Move the write-ahead file into the database and truncate; False while in use or no room."""
    for _ in range(5):
        try:
            busy, *_rest = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        if not busy:
            return True
    return False


def _list_backups(path: str) -> Iterator[str]:
    """Yield the backups of a store; a user may have files of other names there."""
    for name, entry in _list_folder(os.path.join(os.path.dirname(path), "backups")):
        if name.startswith("schema-") and name.endswith(".db"):
            yield entry


def _list_damaged(path: str) -> Iterator[str]:
    """Yield the files of damaged stores that were set aside, which kept the name of the store."""
    own = os.path.basename(path)
    for _, folder in _list_folder(os.path.join(os.path.dirname(path), "rescued")):
        if os.path.exists(os.path.join(folder, own)):
            for name, entry in _list_folder(folder):
                if name.startswith(own) or name == REPORT:
                    yield entry


def _list_folder(folder: str) -> list[tuple[str, str]]:
    """Return the names and paths of what lies in a folder; nothing if there is none."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [(name, os.path.join(folder, name)) for name in names]
