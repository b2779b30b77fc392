"""The full-text index: write notes, and query at any size.

SQLite's own ranking reads every occurrence of every word, which takes 140 ms for four common
words in 100,000 notes. So the index only proposes notes, by the query's rare words and by its
common words together, and the core ranks those few exactly.
"""

from __future__ import annotations

from itertools import combinations

from twiceshy.core.filter import SHARE, QueryFit
from twiceshy.language.rank import (
    PART_WEIGHTS,
    CollectionStats,
    bm25_scorer,
    describe_collection,
)
from twiceshy.language.terms import index_terms
from twiceshy.store import vectors

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import FieldTerms
    from twiceshy.language.vector import QueryVector

    Condition = tuple[str, Sequence[object]]
    Weighed = dict[int, tuple[float, float, int]]  # row → words, covered, number of the passage

# Raise it when the terms of a text change: every note is then indexed anew, once.
VERSION = 2
# A word in more notes than this is common; counting stops there.
_COMMON = 200
# How many occurrences a query that SQLite ranks may read: about 0.6 µs each.
_READ_AT_MOST = 2_000
# How many common words must come together, at first, and how many notes are then enough.
_MAX_COMMON_WORDS = 4
_ENOUGH_ROWS = 8
# So many notes are compared by meaning, 10 µs each: those that share words first, then the newest.
_MAX_COMPARED = 150
# A note that shares no word with the query must be at least this much like it.
_MIN_SIMILARITY = 0.3
# Of a long query, the passages of so many notes are compared by meaning: 0.3 ms each.
_MAX_EMBEDDED = 12
# A shorter word is never taken for a misspelled one; a question of one term may be a single character.
_SHORTEST_DOUBTFUL, _FEW_TERMS = 5, 1
# SQLite ranks exactly, and quickly while the words are rare.
_RANK_ORDER = f"bm25(words, {', '.join(map(str, PART_WEIGHTS))}), words.rowid"


def index_note(db: sqlite3.Connection, seq: int, note: Note) -> FieldTerms:
    """Index a note, replacing its earlier terms; return the terms part by part."""
    parts = (note.text, note.why, note.tag, " ".join(note.concepts), " ".join(note.files))
    found = [index_terms(part) for part in parts]
    indexed = [" ".join(part) for part in found]
    db.execute("DELETE FROM words WHERE rowid = ?", (seq,))
    db.execute(
        "INSERT INTO words (rowid, text, why, tag, concepts, files) VALUES (?, ?, ?, ?, ?, ?)",
        (seq, *indexed),
    )
    return found


def delete_note(db: sqlite3.Connection, seq: int) -> None:
    """Remove a note from the index."""
    db.execute("DELETE FROM words WHERE rowid = ?", (seq,))


def rewrite_index(db: sqlite3.Connection) -> None:
    """Rebuild the index, to remove the words of deleted notes from every segment."""
    db.execute("INSERT INTO words (words) VALUES ('rebuild')")


def fit_notes(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    within: Condition,
    *,
    most: int | None,
    meaning: QueryVector | None,
) -> tuple[dict[int, QueryFit], float]:
    """Return the fit of each likely note by row, and the weight of meaning beside

    ``within`` is a condition on ``notes`` with its values; ``most`` notes are proposed by the
    index, without a number every note is scored.
    """
    terms = _list_distinct(passages)
    parts, collection = _read_likely(db, terms, within, most)
    if doubtful := _list_doubtful(terms, collection.holding):
        from twiceshy.store.spelling import respell_passages

        whole = parts.values() if most is None else None
        if respelled := respell_passages(db, passages, doubtful, whole):
            passages = respelled
            parts, collection = _read_likely(db, _list_distinct(passages), within, most)
    weighed = _weigh_notes(passages, parts, collection)
    near, share = _compare_meaning(db, passages, weighed, meaning)
    fits = {
        seq: QueryFit(words_fit, covered, near.get(seq, 0.0), len(passages))
        for seq, (words_fit, covered, _) in weighed.items()
        if words_fit or near.get(seq, 0.0) >= _MIN_SIMILARITY
    }
    return fits, share


def _list_distinct(passages: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for passage in passages for term in passage))


def _list_doubtful(terms: Sequence[str], holding: Mapping[str, int]) -> list[str]:
    """Return the terms that neither a note nor the word table has: what may be misspelled."""
    shortest = 1 if len(terms) <= _FEW_TERMS else _SHORTEST_DOUBTFUL
    unknown = [term for term in terms if len(term) >= shortest and not holding.get(term)]
    return vectors.shipped.list_unknown(unknown) if unknown else []


def _read_likely(
    db: sqlite3.Connection, terms: Sequence[str], within: Condition, most: int | None
) -> tuple[dict[int, FieldTerms], CollectionStats]:
    """Read the index terms of each note of a condition; of many notes, only the likeliest."""
    where, bound = within
    if most is None:
        parts = read_parts_within(db, where, bound)
        return parts, describe_collection(parts.values(), terms)
    total, length = measure_index(db)
    frequency = count_term_notes(db, terms, total=total)
    rows = propose_notes(db, frequency, within=where, bound=bound, most=most)
    return read_parts(db, rows), CollectionStats(total, length, frequency)


def _weigh_notes(
    passages: Sequence[Sequence[str]], parts: dict[int, FieldTerms], collection: CollectionStats
) -> Weighed:
    """Weigh each note by the words of the query, or of the passage that it fits best."""
    if len(passages) == 1:
        score = bm25_scorer(passages[0], collection)
        return {seq: (*score(each), 0) for seq, each in parts.items()}
    from twiceshy.language.passages import passage_scorer

    best = passage_scorer(passages, collection)
    return {seq: fit for seq, each in parts.items() if (fit := best(each))[0]}


def _compare_meaning(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    weighed: Weighed,
    meaning: QueryVector | None,
) -> tuple[dict[int, float], float]:
    """Return the similarity of the likeliest notes to the query or their passage."""
    likely = sorted(weighed, key=lambda seq: (-weighed[seq][0], -seq))[:_MAX_COMPARED]
    near: dict[int, float] = {}
    share = SHARE
    for at in dict.fromkeys(weighed[seq][2] for seq in likely[:_MAX_EMBEDDED]):
        if asked := meaning or vectors.shipped.embed_query(passages[at]):
            rows = [seq for seq in likely if weighed[seq][2] == at]
            near |= vectors.compare_notes(db, asked, rows)
            share = asked.share
    return near, share


def read_parts_within(
    db: sqlite3.Connection, where: str, bound: Sequence[object]
) -> dict[int, FieldTerms]:
    """Return the index terms of notes matching a condition on ``notes``, part by part."""
    return _select_parts(db, f"rowid IN (SELECT seq FROM notes WHERE {where})", bound)


def read_parts(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, FieldTerms]:
    """Return the index terms of these notes, part by part."""
    return _select_parts(db, f"rowid IN ({', '.join('?' * len(rows))})", rows)


def _select_parts(
    db: sqlite3.Connection, where: str, bound: Sequence[object]
) -> dict[int, FieldTerms]:
    found = db.execute(
        f"SELECT rowid, text, why, tag, concepts, files FROM words WHERE {where}", bound
    )
    return {row: [part.split(" ") if part else [] for part in parts] for row, *parts in found}


def measure_index(db: sqlite3.Connection) -> tuple[int, float]:
    """Return the number of indexed notes and their mean length in terms.

    FTS5 keeps both for its own ranking, in one record of variable-length numbers: the number of
    rows, then the number of terms of each column.
    """
    row = db.execute("SELECT block FROM words_data WHERE id = 1").fetchone()
    numbers, value = [], 0
    for byte in row[0] if row else b"":
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            value = 0
    notes, *lengths = numbers or [0]
    return notes, sum(lengths) / max(1, notes)


def count_term_notes(
    db: sqlite3.Connection, query: Sequence[str], *, total: int
) -> dict[str, int]:
    """Return the number of notes with each term: counted if rare, estimated if common."""
    return {term: _estimate_term_notes(db, term, total=total) for term in query}


def propose_notes(
    db: sqlite3.Connection,
    frequency: dict[str, int],
    *,
    within: str,
    bound: Sequence[object],
    most: int = 100,
) -> list[int]:
    """Return the rows worth ranking; ``within`` is a condition on ``notes`` with its values."""
    rarest = sorted((term for term in frequency if frequency[term]), key=frequency.__getitem__)
    rare, read = 0, 0
    while rare < len(rarest) and read + frequency[rarest[rare]] <= _READ_AT_MOST:
        read += frequency[rarest[rare]]
        rare += 1
    telling, common = rarest[:rare], rarest[rare : rare + _MAX_COMMON_WORDS]

    def ask(asked: str, order: str) -> list[int]:
        found = db.execute(
            "SELECT words.rowid FROM words JOIN notes ON notes.seq = words.rowid "
            f"WHERE words MATCH ? AND {within} ORDER BY {order} LIMIT ?",
            (asked, *bound, most),
        )
        return [row for (row,) in found]

    rows: dict[int, None] = {}
    if telling:
        rows |= dict.fromkeys(ask(_match_any(telling), _RANK_ORDER))
    for asked in _build_joint_queries(telling, common):
        rows |= dict.fromkeys(ask(asked, "words.rowid DESC"))
        if telling or len(rows) >= _ENOUGH_ROWS:
            break
    return list(rows)


def _build_joint_queries(telling: Sequence[str], common: Sequence[str]) -> Iterator[str]:
    """Yield queries for notes with many common words, each looser than the last.

    Beside rare words, common ones only decide between notes that hold a rare one.
    """
    narrowed = f"({_match_any(telling)}) AND " if telling else ""
    for size in range(len(common), 0, -1):
        groups = (" AND ".join(map(_quote_term, group)) for group in combinations(common, size))
        yield narrowed + "(" + " OR ".join(f"({group})" for group in groups) + ")"


def _estimate_term_notes(db: sqlite3.Connection, term: str, *, total: int) -> int:
    count, oldest, newest = db.execute(
        """
        SELECT count(*), min(rowid), max(rowid) FROM
            (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?)
        """,
        (_quote_term(term), _COMMON),
    ).fetchone()
    if count < _COMMON:
        return int(count)
    # the newest notes hold it this densely; take it that the older ones do too
    estimate: int = count * total // (newest - oldest + 1)
    return min(total, estimate)


def _match_any(query: Sequence[str]) -> str:
    return " OR ".join(map(_quote_term, query))


def _quote_term(term: str) -> str:
    escaped = term.replace('"', '""')
    return f'"{escaped}"'
