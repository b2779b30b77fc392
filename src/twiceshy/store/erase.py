"""Forget a note: remove every trace of its text from the disk, and leave a tombstone."""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.erasure import ErasureReport
from twiceshy.core.note import fingerprint_note
from twiceshy.language.quoted_words import QuoteFinder
from twiceshy.store.copies import list_copy_files
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import list_entries
from twiceshy.store.erase_backup import clean_backup, truncate_wal
from twiceshy.store.rows import join_marks
from twiceshy.store.store_file import REPORT

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.store.pending_erasure import PendingErasure

_CLEANED = (
    "payloads",
    "projects",
    "aliases",
    "sessions",
    "scopes",
    "meta",
    "journal",
)  # in backups


def add_tombstones(db: sqlite3.Connection, note: Note, *, at: int, history: bool = True) -> None:
    """Add a tombstone for every wording and scope in the note's history, or for the last one alone."""
    tombstones = {(note.scope.project, note.scope.skill, note.fingerprint)}
    project, skill = note.scope.project, note.scope.skill
    tag, text = note.tag, note.text
    for entry in list_entries(db, note.id) if history else ():
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


def find_checkpoints(db: sqlite3.Connection, objects: Sequence[str]) -> list[str]:
    """Return the checkpoints that became these notes, even if they contain more."""
    asked = f"""
        SELECT DISTINCT s.key FROM evidence e JOIN signals s ON s.key = e.signal
        WHERE s.kind = 'checkpoint' AND e.note IN ({join_marks(objects)}) ORDER BY s.key
    """
    return [key for (key,) in db.execute(asked, tuple(objects))]


def scrub_copies(db: sqlite3.Connection, path: str, gone: PendingErasure) -> ErasureReport:
    """Erase from the files beside the database: write-ahead file, backups, copies, damaged files.

    Damaged copies set aside cannot be cleaned page by page, so they are deleted: the rows that
    could be saved from them are in the database already. Second copies are deleted as well.
    """
    left = [] if _vacuum(db) else [path + "-wal"]
    places: dict[str, int] = {}
    finder = QuoteFinder(gone.words)
    for backup in list(_list_backups(path)):
        copy = sqlite3.connect(backup, isolation_level=None)
        try:
            places["backups/"] = places.get("backups/", 0) + clean_backup(copy, gone, finder)
        except sqlite3.Error:
            os.unlink(backup)
        finally:
            copy.close()
        for end in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(backup + end)
    for bundle in list_copy_files(path):
        os.unlink(bundle)  # the next one is written without the words
        places["copies/"] = places.get("copies/", 0) + 1
    for damaged in list(_list_damaged(path)):
        os.unlink(damaged)
        places["rescued/"] = places.get("rescued/", 0) + 1
        with suppress(OSError):  # as long as something else is in there
            os.removedirs(os.path.dirname(damaged))
    return ErasureReport(
        {place: count for place, count in places.items() if count}, left=tuple(left)
    )


def count_beside(path: str) -> dict[str, int]:
    """Return how many files beside the database an erasure would clean or delete."""
    found = {
        "backups/": len(list(_list_backups(path))),
        "copies/": len(list_copy_files(path)),
        "rescued/": len(list(_list_damaged(path))),
    }
    return {place: count for place, count in found.items() if count}


def _vacuum(db: sqlite3.Connection) -> bool:
    """Leave no free page and nothing in the write-ahead file; False while in use or no room."""
    with suppress(sqlite3.OperationalError):  # deleted rows are blanked in any case
        db.execute("VACUUM")
    return truncate_wal(db)


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
