"""Update the tables from the journal; every step can be repeated at any time."""

from __future__ import annotations

from twiceshy.core.errors import DamagedStoreError, NoteError
from twiceshy.core.history import (
    FORGET,
    WRITE,
    JournalEntry,
    fields_to_write,
    replay_episode,
    replay_note,
)
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store import index_notes, scopes, triggers, vectors
from twiceshy.store.driver import sqlite3
from twiceshy.store.entries import clear_lost_payloads, list_entries, list_objects
from twiceshy.store.rows import COLUMNS, SELECTED, build_note, build_row, dump_list
from twiceshy.store.store_file import REPAIR

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.evidence import Episode
    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note

EPISODE = "e"  # ids of episodes begin with it, as those of notes do with "n"
LINK = "p"  # and those of links; see core.link
# What replaying raises when a byte changed in the name of a field, which SQLite does not notice.
_REPLAY_ERRORS = (KeyError, TypeError, ValueError)
_STORED_COLUMNS = (*COLUMNS, "fingerprint", "redacted_by")
_INSERT = f"INSERT INTO notes (seq, {', '.join(_STORED_COLUMNS)}) VALUES ({', '.join('?' * (len(_STORED_COLUMNS) + 1))})"
_UPDATE = f"UPDATE notes SET {', '.join(f'{name} = ?' for name in _STORED_COLUMNS)} WHERE seq = ?"


def settle_object(db: sqlite3.Connection, object_id: str) -> Note | None:
    """Update the tables to the journal's state of a note, episode or link."""
    entries = list_entries(db, object_id)
    try:
        if object_id.startswith(LINK):
            _settle_link(db, entries)
            return None
        if object_id.startswith(EPISODE):
            _settle_episode(db, object_id, replay_episode(entries))
            return None
        return _settle_note(db, object_id, replay_note(entries))
    except _REPLAY_ERRORS as error:
        raise DamagedStoreError(f"the history of {object_id} is broken", hint=REPAIR) from error


def replay_entries(entries: list[JournalEntry]) -> Note | None:
    """Return the note replayed from its entries; None if the entries make no sense."""
    try:
        return replay_note(entries)
    except _REPLAY_ERRORS:
        return None


def _settle_note(db: sqlite3.Connection, note_id: str, note: Note | None) -> Note | None:
    known = db.execute(
        f"SELECT seq, {', '.join(index_notes.INDEXED_COLUMNS)} FROM notes WHERE id = ?",
        (note_id,),
    ).fetchone()
    if note is None:
        if known:
            _remove_note(db, known[0])
        return None
    values = [*build_row(note), note.fingerprint, RULES_VERSION]
    columns = [values[COLUMNS.index(name)] for name in index_notes.INDEXED_COLUMNS]
    in_place = bool(known) and _is_in_place(db, known[0], note)
    unchanged = in_place and list(known[1:]) == columns
    if known and not unchanged:
        index_notes.remove_note(db, known[0], index_notes.join_lists(known[1:]))
    seq = known[0] if in_place else _place_note(db, note, known[0] if known else None)
    _write_row(db, note, values, seq, is_new=not known)
    triggers.write_trigger(db, note)
    if unchanged:
        return note  # nothing that is indexed changed: leave the index alone
    parts = index_notes.index_note(db, seq, note)
    vectors.write_vector(db, note, parts, changed=known is not None)
    _write_labels(db, seq, note)
    return note


def _is_in_place(db: sqlite3.Connection, row: int, note: Note) -> bool:
    return scopes.is_in_scope(db, row, note.scope.project, note.scope.skill)


def _place_note(db: sqlite3.Connection, note: Note, row: int | None) -> int:
    """Give a note a row in its scope, and move what the old row has; return the new row."""
    placed = scopes.place_row(db, note.scope.project, note.scope.skill)
    if row is not None:
        db.execute("DELETE FROM labels WHERE note = ?", (row,))
        db.execute("UPDATE notes SET seq = ? WHERE seq = ?", (placed, row))
    return placed


def _write_row(
    db: sqlite3.Connection, note: Note, values: list[object], seq: int, *, is_new: bool
) -> None:
    try:
        if is_new:
            db.execute(_INSERT, [seq, *values])
        else:
            db.execute(_UPDATE, [*values, seq])
    except sqlite3.IntegrityError as error:
        if "fingerprint" not in str(error):  # no other rule can be broken where all is sound
            raise DamagedStoreError(f"a note cannot be written: {error}", hint=REPAIR) from error
        raise NoteError(
            f"another note in this scope says exactly what {note.handle} would say",
            hint="retire or edit that one first; see: twiceshy list",
        ) from error


def _settle_episode(db: sqlite3.Connection, episode_id: str, episode: Episode | None) -> None:
    db.execute("DELETE FROM episodes WHERE id = ?", (episode_id,))
    if episode:
        values = [dump_list(v) if isinstance(v, tuple) else v for v in episode.fields().values()]
        marks = ", ".join("?" * len(values))
        db.execute(f"INSERT INTO episodes VALUES ({marks}, ?)", [*values, RULES_VERSION])


def _settle_link(db: sqlite3.Connection, entries: list[JournalEntry]) -> None:
    """Update the project aliases to the journal's state of a link."""
    from twiceshy.core.project_link import HOLDS, replay_link

    link = replay_link(entries)
    if link is None:
        return
    if link.status == HOLDS and link.alias != link.project:
        db.execute("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (link.alias, link.project))
    else:
        db.execute("DELETE FROM aliases WHERE alias = ?", (link.alias,))


def rebuild_tables(
    db: sqlite3.Connection, *, retire_duplicate: Callable[[str], object]
) -> Iterator[str]:
    """Rebuild notes, episodes and indexes from the journal; yield each object id.

    ``retire_duplicate`` is called for a note that duplicates an earlier one.
    """
    index_notes.clear_index(db)
    for table in ("notes", "labels", "episodes", "scopes"):
        db.execute(f"DELETE FROM {table}")
    for object_id in list_objects(db):
        try:
            settle_object(db, object_id)
        except NoteError:
            retire_duplicate(object_id)
        except DamagedStoreError:
            if replay_entries(list_entries(db, object_id)):
                raise
            # neither its row nor its entries make sense: there is nothing to show of it
        yield object_id


def reindex_notes(db: sqlite3.Connection) -> Iterator[str]:
    """Recompute terms, vector and trigger of each note; yield its id."""
    index_notes.clear_index(db)
    for (seq,) in db.execute("SELECT seq FROM notes ORDER BY seq").fetchall():
        row = db.execute(f"SELECT {SELECTED} FROM notes WHERE seq = ?", (seq,)).fetchone()
        note = build_note(row)
        placed = seq if _is_in_place(db, seq, note) else _place_note(db, note, seq)
        if placed != seq:
            _write_labels(db, placed, note)
        vectors.write_vector(db, note, index_notes.index_note(db, placed, note), changed=False)
        triggers.write_trigger(db, note)
        yield note.id


def reembed_notes(db: sqlite3.Connection) -> Iterator[str]:
    """Compute the missing word-table vectors of notes; yield their ids."""
    for note_id in vectors.list_missing(db, vectors.shipped.identity):
        row = db.execute(f"SELECT seq, {SELECTED} FROM notes WHERE id = ?", (note_id,)).fetchone()
        parts = index_notes.split_parts(index_notes.read_texts(db, row[0]))
        vectors.write_vector(db, build_note(row[1:]), parts, changed=False)
        yield note_id


def list_drifted_notes(db: sqlite3.Connection) -> list[str]:
    """Return the notes whose row differs from the journal."""
    columns = ", ".join(COLUMNS)
    rows = {row[0]: row for row in db.execute(f"SELECT {columns} FROM notes")}
    wrong = set(rows)
    for note_id in list_objects(db):
        if note_id.startswith(EPISODE):
            continue
        note = replay_entries(list_entries(db, note_id))
        row = rows.get(note_id)
        if (note is None and row is None) or (
            note is not None and row is not None and tuple(build_row(note)) == row
        ):
            wrong.discard(note_id)
        else:
            wrong.add(note_id)
    return sorted(wrong)


def find_lost_histories(db: sqlite3.Connection) -> list[tuple[Note, Fields]]:
    """Return notes with lost entries, and the fields of an entry to restore them."""
    cut = set(clear_lost_payloads(db))
    rows = db.execute(f"SELECT {SELECTED} FROM notes").fetchall()
    histories = ((build_note(row), list_entries(db, row[0])) for row in rows)
    return list(
        _compute_lost_fields(
            (note, known)
            for note, known in histories
            if note.id in cut or not replay_entries(known)
        )
    )


def find_cut_histories(db: sqlite3.Connection) -> list[tuple[Note, Fields]]:
    """Return, after a rescue, notes whose row holds more than the readable entries."""
    clear_lost_payloads(db)
    wrong = set(list_drifted_notes(db))
    rows = db.execute(f"SELECT {SELECTED} FROM notes").fetchall()
    legible = [row for row in rows if row[0] in wrong and "\ufffd" not in repr(row)]
    return list(
        _compute_lost_fields((build_note(row), list_entries(db, row[0])) for row in legible)
    )


def _compute_lost_fields(
    histories: Iterable[tuple[Note, list[JournalEntry]]],
) -> Iterator[tuple[Note, Fields]]:
    for note, known in histories:
        if any(entry.op == FORGET for entry in known):
            continue
        fields = fields_to_write(note)
        # the sightings that are still there count by themselves
        last = JournalEntry(2**62, "", "", WRITE, note.id, 0, after=fields | {"sightings": 0})
        counted = replay_entries([*known, last])
        yield note, fields | {"sightings": note.sightings - (counted.sightings if counted else 0)}


def _write_labels(db: sqlite3.Connection, seq: int, note: Note) -> None:
    db.execute("DELETE FROM labels WHERE note = ?", (seq,))
    labels = [("file", file, seq) for file in note.files]
    labels += [("concept", concept, seq) for concept in note.concepts]
    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", labels)


def _remove_note(db: sqlite3.Connection, seq: int) -> None:
    index_notes.remove_note(db, seq, index_notes.read_texts(db, seq))
    db.execute("DELETE FROM vectors WHERE note = (SELECT id FROM notes WHERE seq = ?)", (seq,))
    db.execute("DELETE FROM triggers WHERE note = (SELECT id FROM notes WHERE seq = ?)", (seq,))
    db.execute("DELETE FROM labels WHERE note = ?", (seq,))
    db.execute("DELETE FROM notes WHERE seq = ?", (seq,))
