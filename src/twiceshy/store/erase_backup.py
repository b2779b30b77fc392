"""Take what was erased out of a backup, whose schema may be an older one."""

from __future__ import annotations

from twiceshy.store import index_notes
from twiceshy.store.clean_fields import WORDS, clean_body
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import erase_payloads
from twiceshy.store.text_columns import CODE, TEXT_COLUMNS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.language.quoted_words import QuoteFinder
    from twiceshy.store.pending_erasure import PendingErasure

_TRIES, _WAIT_MS = 4, 500  # for whoever reads at this moment
_CLEANED = ("payloads", "projects", "aliases", "sessions", "scopes", "meta")
_NOTE_TABLES = (
    *("counters", "exposures", "vectors", "signatures"),
    *("triggers", "trigger_counts", "evidence", "outcomes", "outcome_sums"),
)


def erase_note(db: sqlite3.Connection, note_id: str) -> None:
    """Delete a note or episode from the tables, inside the caller's transaction.

    Its words leave the pages of the full-text index when that is merged.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    erase_payloads(db, note_id)
    for table in _NOTE_TABLES:
        if table in tables:  # a backup may be older than the table
            db.execute(f"DELETE FROM {table} WHERE note = ?", (note_id,))
    if "verdicts" in tables:
        db.execute("DELETE FROM verdicts WHERE object = ?", (note_id,))


def clean_backup(copy: sqlite3.Connection, gone: PendingErasure, finder: QuoteFinder) -> int:
    """Erase from a backup, whose schema may be an older one; return how many rows went."""
    copy.execute("PRAGMA secure_delete = ON")
    copy.execute("BEGIN IMMEDIATE")
    before = copy.total_changes
    columns = _list_text_columns(copy)
    for note_id in (*gone.objects, *_find_quoting_notes(copy, columns, finder)):
        _remove_note(copy, note_id, is_indexed="words" in columns)
    for object_id in gone.objects:
        erase_note(copy, object_id)
        if "episodes" in columns:
            copy.execute("DELETE FROM episodes WHERE id = ?", (object_id,))
    if "signals" in columns:  # it may be older than the note, and know the checkpoint alone
        copy.executemany("DELETE FROM signals WHERE key = ?", [(key,) for key in gone.checkpoints])
    for table, names in columns.items():
        if table != "words":
            _sweep_backup_table(copy, table, names, finder)
    if "words" in columns:
        index_notes.merge_index(copy)
    count = copy.total_changes - before
    copy.execute("COMMIT")
    copy.execute("VACUUM")
    truncate_wal(copy)
    return count


def _remove_note(copy: sqlite3.Connection, note_id: str, *, is_indexed: bool) -> None:
    row = copy.execute("SELECT seq FROM notes WHERE id = ?", (note_id,)).fetchone()
    if row:
        if is_indexed:
            _remove_from_index(copy, row[0])
        copy.execute("DELETE FROM labels WHERE note = ?", row)
        copy.execute("DELETE FROM notes WHERE seq = ?", row)


def _list_text_columns(copy: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the text columns of each table; a table of the full-text index is made of others."""
    names = [
        name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {
        name: [row[1] for row in copy.execute(f"PRAGMA table_info ({name})") if row[2] == "TEXT"]
        for name in names
        if not name.startswith(("words_", "sqlite_"))
    }


def _find_quoting_notes(
    copy: sqlite3.Connection, columns: dict[str, list[str]], finder: QuoteFinder
) -> list[str]:
    words = [name for name in columns.get("notes", ()) if name in WORDS]
    asked = f"SELECT id, {', '.join(words or ['id'])} FROM notes"
    return [
        row[0]
        for row in copy.execute(asked).fetchall()
        if any(isinstance(value, str) and finder.holds(value) for value in row[1:])
    ]


def _sweep_backup_table(
    copy: sqlite3.Connection, table: str, names: list[str], finder: QuoteFinder
) -> None:
    """Clean the payloads and names of a backup; any other row that quotes goes."""
    info = copy.execute(f"PRAGMA table_info ({table})").fetchall()
    keys = [name for _, name in sorted((row[5], row[1]) for row in info if row[5])] or ["rowid"]
    where = " AND ".join(f'"{name}" = ?' for name in keys)
    known = TEXT_COLUMNS.get(table, {})
    quoted = [f'"{name}"' for name in names if known.get(name) != CODE]
    if not quoted:
        return
    keyed = ", ".join(f'"{name}"' for name in keys)
    for row in copy.execute(f"SELECT {keyed}, {', '.join(quoted)} FROM {table}").fetchall():
        key, values = row[: len(keys)], row[len(keys) :]
        held = [isinstance(value, str) and finder.holds(value) for value in values]
        if not any(held):
            continue
        if table in _CLEANED:
            cleaned = [
                _clean_name(table, each, finder) if bad else each
                for each, bad in zip(values, held, strict=True)
            ]
            settings = ", ".join(f"{name} = ?" for name in quoted)
            copy.execute(
                f"UPDATE OR REPLACE {table} SET {settings} WHERE {where}", (*cleaned, *key)
            )
        else:
            copy.execute(f"DELETE FROM {table} WHERE {where}", key)


def _remove_from_index(copy: sqlite3.Connection, row: int) -> None:
    """Take a note out of the index of a backup, whose schema may be an older one."""
    if index_notes.has_copies(copy):
        copy.execute("DELETE FROM words WHERE rowid = ?", (row,))
    else:
        index_notes.remove_note(copy, row, index_notes.read_texts(copy, row))


def truncate_wal(db: sqlite3.Connection) -> bool:
    """Move the write-ahead file into the database and truncate; False while in use or no room."""
    patience: int = db.execute("PRAGMA busy_timeout").fetchone()[0]
    db.execute(f"PRAGMA busy_timeout = {min(patience, _WAIT_MS)}")
    try:
        for _ in range(_TRIES):
            busy, *_rest = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return True
    except sqlite3.OperationalError:
        return False
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience}")
    return False


def _clean_name(table: str, value: object, finder: QuoteFinder) -> str:
    if table == "payloads":
        return clean_body(str(value), finder)
    return finder.replace_exact(str(value))
