"""Vectors of notes and queries by the shipped word table: look up, add up, compare.

The table is a separate, read-only database with two numbers in a byte. The vector of a text is
the sum of the vectors of its terms; where too few terms are known, search uses words alone.
"""

from __future__ import annotations

import os
from math import log

from twiceshy.language.vector import QueryVector, build_comparer, cosine_similarity, pool_vectors
from twiceshy.store.connect import FAILURES, build_uri
from twiceshy.store.driver import sqlite3

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.core.note import Note

SHIPPED = os.path.join(os.path.dirname(__file__), "..", "lexicon", "words.db")
_MIN_KNOWN_SHARE = 0.5  # the share of a query's terms that must be known
# A byte of the table to the number in its upper or lower half, as a signed byte.
_UPPER = bytes((byte >> 4) - (byte >> 7 << 4) & 0xFF for byte in range(256))
_LOWER = bytes((byte & 15) - ((byte & 8) << 1) & 0xFF for byte in range(256))


class Lexicon:
    """A word table; a missing or damaged table knows no word."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        self._identity: str | None = None

    @property
    def identity(self) -> str:
        """Return the name of the table's vector space; empty without a table."""
        if self._identity is None:
            rows = self._run_query("SELECT value FROM meta WHERE key = 'identity'", ())
            self._identity = str(rows[0][0]) if rows else ""
        return self._identity

    def embed_query(self, query: Collection[str]) -> QueryVector | None:
        """Return the vector of a query; None if fewer than half of its terms are known."""
        known = self._look_up_terms(query)
        if not known or len(known) < _MIN_KNOWN_SHARE * len(query):
            return None
        vector = pool_vectors((weight, word) for _, weight, word in known)
        return QueryVector(self.identity, vector) if vector else None

    def embed_text(self, terms: Sequence[str]) -> bytes:
        """Return the vector of a text; repeated terms weigh more, by the logarithm."""
        counted = {term: terms.count(term) for term in terms}
        return pool_vectors(
            (weight * (1 + log(counted[term])), vector)
            for term, weight, vector in self._look_up_terms(counted)
        )

    def list_unknown(self, terms: Collection[str]) -> list[str]:
        """Return the terms that are not in the table: names, other languages, misspelled words."""
        known = {term for term, _, _ in self._look_up_terms(terms)}
        return [term for term in terms if term not in known]

    def _look_up_terms(self, terms: Collection[str]) -> list[tuple[str, float, bytes]]:
        asked = list(terms)
        found: list[tuple[str, float, bytes]] = []
        for at in range(0, len(asked), _BATCH_SIZE):
            some = asked[at : at + _BATCH_SIZE]
            marks = ", ".join("?" * len(some))
            statement = f"SELECT * FROM words WHERE term IN ({marks}) ORDER BY term"
            found += [
                (term, weight, unpack_vector(packed))
                for term, weight, packed in self._run_query(statement, some)
            ]
        return found

    def _run_query(self, statement: str, values: Sequence[str]) -> list[tuple[str, float, bytes]]:
        try:
            if self._db is None:
                self._db = sqlite3.connect(
                    build_uri(self._path, "mode=ro&immutable=1"), uri=True, check_same_thread=False
                )
            return self._db.execute(statement, values).fetchall()
        except FAILURES:
            return []


def unpack_vector(packed: bytes) -> bytes:
    """Return the signed bytes of a word; the first half of them stands in the upper bits."""
    return packed.translate(_UPPER) + packed.translate(_LOWER)


_BATCH_SIZE = 500
_ANY_TABLE = "twiceshy-words-*"
shipped = Lexicon(SHIPPED)


def compare_terms(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how alike two lists of index terms are by meaning: 1 equal, 0 unrelated or unknown."""
    vectors = shipped.embed_text(one), shipped.embed_text(other)
    return cosine_similarity(*vectors) if all(vectors) else 0.0


def write_vector(
    db: sqlite3.Connection, note: Note, parts: Sequence[Sequence[str]], *, changed: bool
) -> None:
    """Replace the stored vector of a note; ``parts`` are its index terms.

    Vectors of an earlier word table are deleted; if the note ``changed``, those of other models too.
    """
    known = "note = ?" if changed else "note = ? AND (model = ? OR model GLOB ?)"
    values = (note.id,) if changed else (note.id, shipped.identity, _ANY_TABLE)
    db.execute(f"DELETE FROM vectors WHERE {known}", values)
    text, why, tag, concepts, _ = parts
    # what means nothing to the table is kept as such, or it would be looked up for ever
    vector = shipped.embed_text([*text, *why, *tag, *concepts])
    if shipped.identity:
        save_vector(db, note.id, "note", QueryVector(shipped.identity, vector))


def save_vector(db: sqlite3.Connection, note_id: str, field: str, meaning: QueryVector) -> None:
    """Save the vector of a note field for a model."""
    values = (note_id, field, meaning.model, meaning.vector)
    db.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", values)


def compare_notes(
    db: sqlite3.Connection, asked: QueryVector, rows: Sequence[int]
) -> dict[int, float]:
    """Return the similarity of each note to the query vector, by its most similar field."""
    found: dict[int, float] = {}
    compared = build_comparer(asked.vector)
    marks = ", ".join("?" * len(rows))
    for seq, vector in db.execute(
        f"SELECT notes.seq, vectors.vector FROM notes JOIN vectors ON vectors.note = notes.id "
        f"WHERE notes.seq IN ({marks}) AND vectors.model = ?",
        (*rows, asked.model),
    ):
        found[seq] = max(compared(vector), found.get(seq, -1.0))
    return found


def list_missing(db: sqlite3.Connection, model: str, *, limit: int = -1) -> list[str]:
    """Return the notes without a vector of a model."""
    found = db.execute(
        """
        SELECT id FROM notes
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE note = notes.id AND model = ?)
        ORDER BY id LIMIT ?
        """,
        (model, limit),
    )
    return [note_id for (note_id,) in found]
