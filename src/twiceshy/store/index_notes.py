"""Write notes into the full-text index, and take them out of it.

The index keeps which rows hold a term, and nothing else. How often a note has a term, and its
length, stand in the row of the note; most terms occur once in a text and need no entry there.
"""

from __future__ import annotations

from twiceshy.language.rank import PART_WEIGHTS
from twiceshy.language.terms import index_terms
from twiceshy.store import scopes
from twiceshy.store.words import COUNT_STEPS, LENGTH_BYTES, MAX_COUNT, hash_term

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import FieldTerms

INDEXED_COLUMNS = ("text", "why", "tag", "concepts", "files")


def index_note(db: sqlite3.Connection, row: int, note: Note) -> FieldTerms:
    """Index a note that is not in the index; return its terms part by part."""
    parts = split_parts(
        (note.text, note.why, note.tag, " ".join(note.concepts), " ".join(note.files))
    )
    db.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (row, _join_terms(parts)))
    db.execute("UPDATE notes SET counts = ? WHERE seq = ?", (_pack_counts(parts), row))
    scopes.count_row(db, row, notes=1, terms=sum(map(len, parts)))
    return parts


def remove_note(db: sqlite3.Connection, row: int, texts: Sequence[str]) -> None:
    """Take a note out of the index; ``texts`` are its indexed columns as they were stored.

    The index has no copy of the terms: it is told which ones to delete.
    """
    parts = split_parts(texts)
    statement = "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)"
    db.execute(statement, (row, _join_terms(parts)))
    scopes.count_row(db, row, notes=-1, terms=-sum(map(len, parts)))


def read_texts(db: sqlite3.Connection, row: int) -> tuple[str, ...]:
    """Return the indexed texts of a note's row, lists as their items."""
    columns = ", ".join(INDEXED_COLUMNS)
    found = db.execute(f"SELECT {columns} FROM notes WHERE seq = ?", (row,)).fetchone()
    return join_lists(found)


def join_lists(columns: Sequence[str]) -> tuple[str, ...]:
    """Return indexed columns as texts: what is stored as a list becomes its items."""
    from twiceshy.store.rows import load_list

    text, why, tag, concepts, files = columns
    return text, why, tag, " ".join(load_list(concepts)), " ".join(load_list(files))


def split_parts(texts: Sequence[str]) -> FieldTerms:
    """Return the index terms of each part of a note."""
    return [index_terms(text) for text in texts]


def clear_index(db: sqlite3.Connection) -> None:
    """Empty the index; the scopes keep their numbers."""
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    db.execute("UPDATE scopes SET notes = 0, terms = 0")


def merge_index(db: sqlite3.Connection) -> None:
    """Merge the segments of the index: only then are the words of deleted notes gone."""
    db.execute("INSERT INTO words (words) VALUES ('optimize')")


def has_copies(db: sqlite3.Connection) -> bool:
    """True for the index of an older schema, which has a copy of every term."""
    found = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'words_content'")
    return found.fetchone() is not None


def _join_terms(parts: FieldTerms) -> str:
    return " ".join(dict.fromkeys(term for part in parts for term in part))


def _pack_counts(parts: FieldTerms) -> bytes:
    """Return the length of a note, and each term that does not occur just once in its text."""
    counts: dict[str, float] = {}
    for weight, part in zip(PART_WEIGHTS, parts, strict=True):
        for term in part:
            counts[term] = counts.get(term, 0.0) + weight
    length = min(sum(map(len, parts)), (1 << 8 * LENGTH_BYTES) - 1)
    return length.to_bytes(LENGTH_BYTES, "big") + b"".join(_pack_unusual(counts))


def _pack_unusual(counts: dict[str, float]) -> Iterator[bytes]:
    for term, count in counts.items():
        steps = min(round(count * COUNT_STEPS), MAX_COUNT)
        if steps != COUNT_STEPS:
            yield hash_term(term) + bytes((steps,))
