"""Score notes by the words and the meaning of a query, or of its best passage."""

from __future__ import annotations

from twiceshy.core.filter import SHARE, QueryFit
from twiceshy.language.rank import CollectionStats, bm25_scorer, describe_collection
from twiceshy.store import vectors, words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.language.rank import FieldTerms
    from twiceshy.language.vector import QueryVector

    Condition = tuple[str, Sequence[object]]
    Weighed = dict[int, tuple[float, float, int]]  # row → words, covered, number of the passage

# So many notes are compared by meaning, 10 µs each: those that share words first, then the newest.
_MAX_COMPARED = 150
# A note that shares no word with the query must be at least this much like it.
_MIN_SIMILARITY = 0.3
# Of a long query, the passages of so many notes are compared by meaning: 0.3 ms each.
_MAX_EMBEDDED = 12


def fit_notes(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    within: Condition,
    *,
    most: int | None,
    meaning: QueryVector | None,
) -> tuple[dict[int, QueryFit], float]:
    """Return the fit of each likely note by row, and the weight of meaning beside words.

    ``within`` is a condition on ``notes`` with its values; ``most`` notes are proposed by the
    index, without a number every note is scored.
    """
    terms = tuple(dict.fromkeys(term for passage in passages for term in passage))
    parts, collection = _read_likely(db, terms, within, most)
    weighed = _weigh_notes(passages, parts, collection)
    near, share = _compare_meaning(db, passages, weighed, meaning)
    fits = {
        seq: QueryFit(words_fit, covered, near.get(seq, 0.0), len(passages))
        for seq, (words_fit, covered, _) in weighed.items()
        if words_fit or near.get(seq, 0.0) >= _MIN_SIMILARITY
    }
    return fits, share


def _read_likely(
    db: sqlite3.Connection, terms: Sequence[str], within: Condition, most: int | None
) -> tuple[dict[int, FieldTerms], CollectionStats]:
    """Read the index terms of each note of a condition; of many notes, only the likeliest."""
    where, bound = within
    if most is None:
        parts = words.read_parts_within(db, where, bound)
        return parts, describe_collection(parts.values(), terms)
    total, length = words.measure_index(db)
    frequency = words.count_term_notes(db, terms, total=total)
    rows = words.propose_notes(db, frequency, within=where, bound=bound, most=most)
    return words.read_parts(db, rows), CollectionStats(total, length, frequency)


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
