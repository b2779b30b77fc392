"""Query the full-text index: propose notes by the rare words of a query, and rank them exactly.

Rare words are read first, and so many of their rows as a search may read, which grows with the
logarithm of the scope. A word that is too common for that is only looked up beside the others.
"""

from __future__ import annotations

from itertools import combinations
from math import log2

from twiceshy.core.filter import SHARE, QueryFit
from twiceshy.core.value import Value
from twiceshy.language.rank import CollectionStats, bm25_scorer, weigh_terms
from twiceshy.store import vectors
from twiceshy.store.rows import quote_term, read_rows

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from twiceshy.language.rank import TermCounts
    from twiceshy.language.vector import QueryVector
    from twiceshy.store.rows import SearchArea

    Condition = tuple[str, Sequence[object]]
    Weighed = dict[int, tuple[float, float, int]]  # row → words, covered, number of the passage

# Raise it when the terms of a text change: every note is then indexed anew, once.
VERSION = 3
# How a note's length and the unusual counts of its terms are packed.
LENGTH_BYTES, HASH_BYTES = 3, 2
COUNT_STEPS, MAX_COUNT = 10, 255
_HASHES = 65_521
_ENTRY = HASH_BYTES + 1
# How many rows of words a search may read, 0.3 µs each: in a scope of this size, and for each doubling.
_BASE_NOTES, BASE_READS, _MORE_READS = 500, 4_000, 1_200
# So many rows of a word are read to find out how common it is.
_SAMPLE = 400
# So many notes are ranked exactly, 5 µs each.
BASE_RANKED, _MORE_RANKED = 300, 25
# How many common words must come together, at first, and how many are looked up beside rare ones.
_MAX_JOINED = 4
_MAX_BESIDE = 8
# So many notes are compared by meaning, 7 µs each: those that share words first, then the newest.
# Where few share a word, as with a question in another language, more of the newest.
_MAX_COMPARED, _FEW_SHARING, _MAX_UNSHARED = 150, 20, 500
# A note that shares no word with the query must be at least this much like it.
_MIN_SIMILARITY = 0.3
# So many of the newest notes are looked at for those that match a condition.
_MAX_SCANNED = 1_000
# Of a long query, the passages of so many notes are compared by meaning: 0.3 ms each.
_MAX_EMBEDDED = 12
# A note that covers more of the query is put first: its words count by this power of the share.
_COVERAGE = 0.4
_WHOLE = 0.6  # of a long query, beside the passage that fits best
_OF_PASSAGES = 0.4  # of a long query: a sentence that fits by chance is easily alike
_LONG = 300  # terms; of longer notes both coverage and meaning say less
_BATCH = 500
# A shorter word is never taken for a misspelled one; a question of one term may be a single character.
_SHORTEST_DOUBTFUL, _FEW_TERMS = 5, 1


class TermRows(Value):
    """The rows of a query's terms in an area, and how many notes hold each term."""

    holding: dict[str, int]  # estimated for a common term
    rows: dict[str, list[int]]  # of the rare terms, each complete
    common: tuple[str, ...]  # the others, rarest first


def fit_notes(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    area: SearchArea,
    within: Condition,
    *,
    most: int,
    meaning: QueryVector | None,
    exact: bool = False,
) -> tuple[dict[int, QueryFit], float]:
    """Return the fit of the likeliest notes by row, and the weight of meaning beside words.

    ``within`` is a condition on ``notes`` with its values; the notes are in ``area``. With ``exact``
    only notes with a term of the query are read, and terms are what they are.
    """
    terms = _list_distinct(passages)
    found = read_term_rows(db, terms, area)
    # among many words one that is misspelled decides nothing
    looked_up = len(passages) == 1 and not exact
    doubtful = _list_doubtful(terms, found.holding) if looked_up else []
    if doubtful:
        from twiceshy.store.spelling import respell_passages

        if respelled := respell_passages(db, passages, doubtful, area):
            passages = respelled
            found = read_term_rows(db, _list_distinct(passages), area)
    collection = CollectionStats(area.notes, area.mean_length, found.holding)
    counted = _count_likely(db, found, area, within, collection, most=most, exact=exact)
    weighed = _weigh_notes(passages, counted, collection)
    beside = _weigh_whole(passages, counted, collection) if len(passages) > 1 else {}
    compared = 0 if exact else _plan_compared(sum([fit[0] > 0 for fit in weighed.values()]))
    best = _sort_by_words(weighed, beside)[: max(most, compared)]
    near, share = _compare_meaning(db, passages, weighed, best[:compared], meaning)
    short = _measure_shortness([counted[seq][1] for seq in best])
    emphasis = _COVERAGE * short if len(passages) == 1 else 0.0  # passages are weighed so already
    fits = {
        seq: QueryFit(
            *weighed[seq][:2], near.get(seq, 0.0), len(passages), emphasis, beside.get(seq, 0.0)
        )
        for seq in best
        if weighed[seq][0] or near.get(seq, 0.0) >= _MIN_SIMILARITY
    }
    return fits, share * short * (_OF_PASSAGES if len(passages) > 1 else 1.0)


def _list_distinct(passages: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for passage in passages for term in passage))


def _list_doubtful(terms: Sequence[str], holding: Mapping[str, int]) -> list[str]:
    """Return the terms that neither a note nor the word table has: what may be misspelled."""
    shortest = 1 if len(terms) <= _FEW_TERMS else _SHORTEST_DOUBTFUL
    unknown = [term for term in terms if len(term) >= shortest and not holding.get(term)]
    return vectors.shipped.list_unknown(unknown) if unknown else []


def _plan_compared(sharing: int) -> int:
    """Return how many notes are compared by meaning, where so many share a word with the query."""
    return _MAX_UNSHARED if sharing < _FEW_SHARING else _MAX_COMPARED


def _sort_by_words(weighed: Weighed, beside: Mapping[int, float]) -> list[int]:
    """Return the rows by how well their words fit, of equal ones the newest first."""
    rank = {
        seq: words * covered**_COVERAGE + beside.get(seq, 0.0)
        for seq, (words, covered, _) in weighed.items()
    }
    return sorted(weighed, key=lambda seq: (-rank[seq], -seq))


def _measure_shortness(lengths: Sequence[int]) -> float:
    """Return 1 for notes of usual length, and less the longer they are.

    A long text has some word of any question by chance, and its vector says a little of everything.
    """
    return min(1.0, _LONG * len(lengths) / max(1, sum(lengths)))


def read_term_rows(
    db: sqlite3.Connection, terms: Sequence[str], area: SearchArea, *, reads: int | None = None
) -> TermRows:
    """Read the rows of each term, rare terms first, as far as the budget goes."""
    left = plan_reads(area.notes) if reads is None else reads
    sample = max(_SAMPLE, left // max(1, len(terms)))
    rows: dict[str, list[int]] = {}
    holding: dict[str, int] = {}
    for term in terms:
        found = read_rows(db, quote_term(term), area, most=sample + 1)
        if len(found) <= sample:
            rows[term], holding[term] = found, len(found)
            left -= len(found)
        else:
            holding[term] = _estimate_holding(found, area)
    common = sorted(holding.keys() - rows.keys(), key=lambda term: (holding[term], term))
    while common and holding[common[0]] <= left:
        term = common.pop(0)
        rows[term] = read_rows(db, quote_term(term), area)
        holding[term] = len(rows[term])
        left -= len(rows[term])
    return TermRows(holding, rows, tuple(common))


def plan_reads(notes: int) -> int:
    """Return how many rows a search in so many notes may read."""
    return BASE_READS + round(_MORE_READS * _count_doublings(notes))


def _count_doublings(notes: int) -> float:
    return log2(max(notes, _BASE_NOTES) / _BASE_NOTES)


def _estimate_holding(sample: Sequence[int], area: SearchArea) -> int:
    """Estimate how many notes hold a term: the others as densely as the first ones."""
    begin = next(first for first, last in area.stretches if first <= sample[0] <= last)
    dense = len(sample) / max(1, sample[-1] - begin + 1)
    return max(len(sample), min(area.notes, round(area.notes * dense)))


def _count_likely(
    db: sqlite3.Connection,
    found: TermRows,
    area: SearchArea,
    within: Condition,
    collection: CollectionStats,
    *,
    most: int,
    exact: bool,
) -> dict[int, TermCounts]:
    """Count the query terms of the likeliest notes, and of the newest if few share a word."""
    ranked = max(most, BASE_RANKED + round(_MORE_RANKED * _count_doublings(area.notes)))
    held = {**found.rows, **_read_frequent_rows(db, found, area, ranked)}
    scores = _sum_rarity(held, weigh_terms(held, collection))
    packed: dict[int, bytes] = {}
    for some in _split_by_score(scores, ranked):
        packed |= _read_packed(db, some, within)
        if len(packed) >= most:
            break
    compared = 0 if exact else _plan_compared(len(packed))
    if len(packed) < compared:
        packed |= _read_newest(db, area, within, most=compared - len(packed))
    terms: dict[int, list[str]] = {row: [] for row in packed}
    for term, rows in held.items():
        for row in terms.keys() & rows:
            terms[row].append(term)
    hashes = {term: hash_term(term) for term in held}
    return {row: unpack_counts(packed[row], terms[row], hashes) for row in packed}


def _read_frequent_rows(
    db: sqlite3.Connection, found: TermRows, area: SearchArea, ranked: int
) -> dict[str, Collection[int]]:
    """Return rows of the common terms: beside a rare term, and where several come together."""
    held: dict[str, set[int]] = {term: set() for term in found.common}
    telling = [term for term, rows in found.rows.items() if rows]
    known = {row for rows in found.rows.values() for row in rows}
    if telling and len(telling) <= _MAX_BESIDE:
        for term in found.common[:_MAX_BESIDE]:
            beside = f"({_match_any(telling)}) AND {quote_term(term)}"
            held[term].update(read_rows(db, beside, area))
    for group in _group_frequent_terms(found.common[:_MAX_JOINED], least=2 if telling else 1):
        if len(known) >= ranked:
            break
        together = " AND ".join(map(quote_term, group))
        rows = read_rows(db, together, area, most=ranked, newest=True)
        known.update(rows)
        for term in group:
            held[term].update(rows)
    return dict(held)


def _group_frequent_terms(common: Sequence[str], *, least: int) -> Iterator[tuple[str, ...]]:
    """Yield groups of common terms, the largest first."""
    for size in range(len(common), least - 1, -1):
        yield from combinations(common, size)


def _sum_rarity(
    held: Mapping[str, Collection[int]], rarity: Mapping[str, float]
) -> dict[int, float]:
    """Sum up the rarity of the terms of each row."""
    scores: dict[int, float] = {}
    for term, rows in held.items():
        weight = rarity[term]
        for row in rows:
            scores[row] = scores.get(row, 0.0) + weight
    return scores


def _split_by_score(scores: Mapping[int, float], size: int) -> Iterator[list[int]]:
    """Yield the rows with the best scores, then the others; of equal scores the newest first."""
    if len(scores) <= size:
        yield list(scores)
        return
    tally: dict[float, int] = {}
    for score in scores.values():
        tally[score] = tally.get(score, 0) + 1
    seen, floor = 0, 0.0
    for floor in sorted(tally, reverse=True):
        seen += tally[floor]
        if seen >= size:
            break
    best = [row for row, score in scores.items() if score > floor]
    tied = sorted([row for row, score in scores.items() if score == floor], reverse=True)
    yield best + tied[: size - len(best)]
    rest = sorted([row for row, score in scores.items() if score < floor], key=scores.__getitem__)
    left = [*rest, *reversed(tied[size - len(best) :])]
    while left:
        yield left[: -size - 1 : -1]
        del left[-size:]


def _read_packed(
    db: sqlite3.Connection, rows: Sequence[int], within: Condition
) -> dict[int, bytes]:
    """Read the packed counts of those rows that match a condition."""
    where, bound = within
    found: dict[int, bytes] = {}
    for at in range(0, len(rows), _BATCH):
        some = rows[at : at + _BATCH]
        marks = ", ".join("?" * len(some))
        found |= db.execute(
            f"SELECT seq, counts FROM notes NOT INDEXED WHERE seq IN ({marks}) AND {where}",
            (*some, *bound),
        ).fetchall()
    return found


def _read_newest(
    db: sqlite3.Connection, area: SearchArea, within: Condition, *, most: int
) -> dict[int, bytes]:
    """Read the packed counts of the newest notes of an area that match a condition."""
    where, bound = within
    found: dict[int, bytes] = {}
    for begin, end in area.stretches:
        newest = "SELECT seq FROM notes WHERE seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT ?"
        found |= db.execute(
            f"SELECT seq, counts FROM notes NOT INDEXED WHERE seq IN ({newest}) AND {where} "
            "ORDER BY seq DESC LIMIT ?",
            (begin, end, _MAX_SCANNED, *bound, most),
        ).fetchall()
    return found


def unpack_counts(packed: bytes, terms: Sequence[str], hashes: Mapping[str, bytes]) -> TermCounts:
    """Return how often a note has these terms of its own, and its length."""
    counts = dict.fromkeys(terms, 1.0)
    if len(packed) > LENGTH_BYTES:
        for term in terms:
            at = packed.find(hashes[term], LENGTH_BYTES)
            while at >= 0 and (at - LENGTH_BYTES) % _ENTRY:
                at = packed.find(hashes[term], at + 1)
            if at >= 0:
                counts[term] = packed[at + HASH_BYTES] / COUNT_STEPS
    return counts, int.from_bytes(packed[:LENGTH_BYTES], "big")


def hash_term(term: str) -> bytes:
    """Return the short name of a term beside its count."""
    return (int.from_bytes(term.encode(), "big") % _HASHES).to_bytes(HASH_BYTES, "big")


def _weigh_notes(
    passages: Sequence[Sequence[str]],
    counted: Mapping[int, TermCounts],
    collection: CollectionStats,
) -> Weighed:
    """Weigh each note by the words of the query, or of the passage that it fits best."""
    if len(passages) == 1:
        score = bm25_scorer(passages[0], collection)
        return {seq: (*score(each), 0) for seq, each in counted.items()}
    from twiceshy.language.passages import passage_scorer

    best = passage_scorer(passages, collection)
    return {seq: fit for seq, each in counted.items() if (fit := best(each))[0]}


def _weigh_whole(
    passages: Sequence[Sequence[str]],
    counted: Mapping[int, TermCounts],
    collection: CollectionStats,
) -> dict[int, float]:
    """Weigh each note by the words of a whole long query, which may be about one thing throughout."""
    score = bm25_scorer(_list_distinct(passages), collection)
    return {
        seq: _WHOLE * words * covered**0.5
        for seq, each in counted.items()
        for words, covered in [score(each)]
    }


def _compare_meaning(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    weighed: Weighed,
    likely: Sequence[int],
    meaning: QueryVector | None,
) -> tuple[dict[int, float], float]:
    """Return the similarity of the likeliest notes to the query or their passage."""
    near: dict[int, float] = {}
    share = SHARE
    for at in dict.fromkeys(weighed[seq][2] for seq in likely[:_MAX_EMBEDDED]):
        if asked := meaning or vectors.shipped.embed_query(passages[at]):
            rows = [seq for seq in likely if weighed[seq][2] == at]
            near |= vectors.compare_notes(db, asked, rows)
            share = asked.share
    return near, share


def _match_any(query: Iterable[str]) -> str:
    return " OR ".join(map(quote_term, query))
