"""Write into the tables what the journal adds up to; everything here can be done again at any time."""

from __future__ import annotations

import sqlite3

from twiceshy.core.errors import DamagedStoreError, NoteError
from twiceshy.core.history import FORGET, WRITE, Entry, fields_of, replay, replay_episode
from twiceshy.safety.redact import RULES_VERSION
from twiceshy.store import triggers, vectors, words
from twiceshy.store.entries import cut_loose, entries_about, objects
from twiceshy.store.place import REPAIR
from twiceshy.store.rows import COLUMNS, SELECTED, dump_list, note_of, row_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.evidence import Episode
    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note

EPISODE = "e"  # ids of episodes begin with it, as those of notes do with "n"
LINK = "p"  # and those of links; see core.link
# What replaying raises when a byte changed in the name of a field, which SQLite does not notice.
_NONSENSE = (KeyError, TypeError, ValueError)
_STORED = (*COLUMNS, "fingerprint", "redacted_by")
_INDEXED = ("text", "why", "tag", "concepts", "files")
_INSERT = f"INSERT INTO notes ({', '.join(_STORED)}) VALUES ({', '.join('?' * len(_STORED))})"
_UPDATE = f"UPDATE notes SET {', '.join(f'{name} = ?' for name in _STORED)} WHERE seq = ?"


def settle(db: sqlite3.Connection, object_id: str) -> Note | None:
    """Bring the tables to what the entries about one note or episode add up to."""
    entries = entries_about(db, object_id)
    try:
        if object_id.startswith(LINK):
            _settle_link(db, entries)
            return None
        if object_id.startswith(EPISODE):
            _settle_episode(db, object_id, replay_episode(entries))
            return None
        return _settle_note(db, object_id, replay(entries))
    except _NONSENSE as error:
        raise DamagedStoreError(f"the history of {object_id} is broken", hint=REPAIR) from error


def added_up(entries: list[Entry]) -> Note | None:
    """Return what the entries of a note add up to; nothing when they make no sense any more."""
    try:
        return replay(entries)
    except _NONSENSE:
        return None


def _settle_note(db: sqlite3.Connection, note_id: str, note: Note | None) -> Note | None:
    known = db.execute(
        f"SELECT seq, {', '.join(_INDEXED)} FROM notes WHERE id = ?",
        (note_id,),
    ).fetchone()
    if note is None:
        if known:
            _remove(db, known[0])
        return None
    values = [*row_of(note), note.fingerprint, RULES_VERSION]
    seq = _put(db, note, values, known[0] if known else None)
    triggers.write(db, note)
    if known and list(known[1:]) == [values[COLUMNS.index(name)] for name in _INDEXED]:
        return note  # nothing that is indexed changed: leave the index alone
    vectors.write(db, note, words.write(db, seq, note), changed=known is not None)
    _label(db, seq, note)
    return note


def _put(db: sqlite3.Connection, note: Note, values: list[object], seq: int | None) -> int:
    try:
        if seq is None:
            return db.execute(_INSERT, values).lastrowid or 0
        db.execute(_UPDATE, [*values, seq])
    except sqlite3.IntegrityError as error:
        if "fingerprint" not in str(error):  # no other rule can be broken where all is sound
            raise DamagedStoreError(f"a note cannot be written: {error}", hint=REPAIR) from error
        raise NoteError(
            f"another note in this scope says exactly what {note.handle} would say",
            hint="retire or edit that one first; see: twiceshy list",
        ) from error
    return seq


def _settle_episode(db: sqlite3.Connection, episode_id: str, episode: Episode | None) -> None:
    db.execute("DELETE FROM episodes WHERE id = ?", (episode_id,))
    if episode:
        values = [dump_list(v) if isinstance(v, tuple) else v for v in episode.fields().values()]
        marks = ", ".join("?" * len(values))
        db.execute(f"INSERT INTO episodes VALUES ({marks}, ?)", [*values, RULES_VERSION])


def _settle_link(db: sqlite3.Connection, entries: list[Entry]) -> None:
    """Bring the names of a project to what the journal says about one of them."""
    from twiceshy.core.project_link import HOLDS, replay_link

    link = replay_link(entries)
    if link is None:
        return
    if link.life == HOLDS and link.alias != link.project:
        db.execute("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (link.alias, link.project))
    else:
        db.execute("DELETE FROM aliases WHERE alias = ?", (link.alias,))


def rebuild(db: sqlite3.Connection, *, give_way: Callable[[str], object]) -> Iterator[str]:
    """Make notes, episodes and indexes anew from the journal, one at a time; yield its id.

    ``give_way`` is called for a note that says the same as one before it.
    """
    for table in ("notes", "labels", "words", "episodes"):
        db.execute(f"DELETE FROM {table}")
    for object_id in objects(db):
        try:
            settle(db, object_id)
        except NoteError:
            give_way(object_id)
        except DamagedStoreError:
            if added_up(entries_about(db, object_id)):
                raise
            # neither its row nor its entries make sense: there is nothing to show of it
        yield object_id


def reindex(db: sqlite3.Connection) -> Iterator[str]:
    """Find out anew which terms each note has and what it means, one at a time; yield its id."""
    for (seq,) in db.execute("SELECT seq FROM notes ORDER BY seq").fetchall():
        row = db.execute(f"SELECT {SELECTED} FROM notes WHERE seq = ?", (seq,)).fetchone()
        note = note_of(row)
        vectors.write(db, note, words.write(db, seq, note), changed=False)
        triggers.write(db, note)
        yield note.id


def reembed(db: sqlite3.Connection) -> Iterator[str]:
    """Look up what notes mean that the table of words was not asked about; yield their ids."""
    for note_id in vectors.missing(db, vectors.shipped.identity):
        row = db.execute(f"SELECT seq, {SELECTED} FROM notes WHERE id = ?", (note_id,)).fetchone()
        parts = words.parts_in(db, [row[0]])[row[0]]
        vectors.write(db, note_of(row[1:]), parts, changed=False)
        yield note_id


def drifted(db: sqlite3.Connection) -> list[str]:
    """Return the notes whose row is not what the journal says."""
    columns = ", ".join(COLUMNS)
    rows = {row[0]: row for row in db.execute(f"SELECT {columns} FROM notes")}
    wrong = set(rows)
    for note_id in objects(db):
        if note_id.startswith(EPISODE):
            continue
        note = added_up(entries_about(db, note_id))
        row = rows.get(note_id)
        if (note is None and row is None) or (
            note is not None and row is not None and tuple(row_of(note)) == row
        ):
            wrong.discard(note_id)
        else:
            wrong.add(note_id)
    return sorted(wrong)


def without_history(db: sqlite3.Connection) -> list[tuple[Note, Fields]]:
    """Return the notes whose entries were lost, and what one more must say to add up to the row."""
    cut = set(cut_loose(db))
    rows = db.execute(f"SELECT {SELECTED} FROM notes").fetchall()
    histories = ((note_of(row), entries_about(db, row[0])) for row in rows)
    return list(
        _restated(
            (note, known) for note, known in histories if note.id in cut or not added_up(known)
        )
    )


def beyond_history(db: sqlite3.Connection) -> list[tuple[Note, Fields]]:
    """Return, after a rescue, the notes whose row knows more than the entries that could be read."""
    cut_loose(db)
    wrong = set(drifted(db))
    rows = db.execute(f"SELECT {SELECTED} FROM notes").fetchall()
    legible = [row for row in rows if row[0] in wrong and "\ufffd" not in repr(row)]
    return list(_restated((note_of(row), entries_about(db, row[0])) for row in legible))


def _restated(histories: Iterable[tuple[Note, list[Entry]]]) -> Iterator[tuple[Note, Fields]]:
    for note, known in histories:
        if any(entry.op == FORGET for entry in known):
            continue
        fields = fields_of(note)
        # the sightings that are still there count by themselves
        last = Entry(2**62, "", "", WRITE, note.id, 0, after=fields | {"sightings": 0})
        counted = added_up([*known, last])
        yield note, fields | {"sightings": note.sightings - (counted.sightings if counted else 0)}


def _label(db: sqlite3.Connection, seq: int, note: Note) -> None:
    db.execute("DELETE FROM labels WHERE note = ?", (seq,))
    labels = [("file", file, seq) for file in note.files]
    labels += [("concept", concept, seq) for concept in note.concepts]
    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?)", labels)


def _remove(db: sqlite3.Connection, seq: int) -> None:
    words.delete(db, seq)
    db.execute("DELETE FROM vectors WHERE note = (SELECT id FROM notes WHERE seq = ?)", (seq,))
    db.execute("DELETE FROM triggers WHERE note = (SELECT id FROM notes WHERE seq = ?)", (seq,))
    db.execute("DELETE FROM labels WHERE note = ?", (seq,))
    db.execute("DELETE FROM notes WHERE seq = ?", (seq,))
