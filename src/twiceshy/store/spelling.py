"""Look up what the unknown words of a question may mean among the terms of the index."""

from __future__ import annotations

from collections import Counter

from twiceshy.language.spelling import (
    Meant,
    choose_meant,
    find_parts,
    is_single_character,
    list_beginnings,
    replace_terms,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import _sqlite3 as sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.language.rank import FieldTerms

# So many words of a question are looked at, and so many terms of the index for each beginning.
_MOST_WORDS = 8
_MOST_TERMS = 3_000


def respell_passages(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    unknown: Sequence[str],
    notes: Iterable[FieldTerms] | None,
) -> list[tuple[str, ...]]:
    """Return passages with what their unknown terms mean; empty if none means anything.

    Of a small scope ``notes`` are all its terms; else the terms of the whole index are read.
    """
    meant = _find_meant(db, unknown, notes)
    return replace_terms(passages, meant) if meant else []


def _find_meant(
    db: sqlite3.Connection, unknown: Sequence[str], notes: Iterable[FieldTerms] | None
) -> dict[str, Meant]:
    meant: dict[str, Meant] = {}
    doubtful: dict[str, tuple[str, ...]] = {}
    for term in unknown[:_MOST_WORDS]:
        if parts := find_parts(term):
            meant[term] = Meant(parts, guessed=False)
        elif beginnings := list_beginnings(term):
            doubtful[term] = beginnings
    if doubtful:
        wanted = {begin for beginnings in doubtful.values() for begin in beginnings}
        known = _count_in(notes, wanted) if notes is not None else _read_vocabulary(db, wanted)
        for term, beginnings in doubtful.items():
            near = {each: n for begin in beginnings for each, n in known[begin].items()}
            if found := choose_meant(term, near):
                meant[term] = Meant(found, guessed=not is_single_character(term))
    return meant


def _count_in(notes: Iterable[FieldTerms], beginnings: Iterable[str]) -> dict[str, dict[str, int]]:
    """Count the notes of the terms with one of these beginnings."""
    wanted = tuple(beginnings)
    counted: Counter[str] = Counter()
    for parts in notes:
        counted.update({term for part in parts for term in part if term.startswith(wanted)})
    return {
        begin: {term: n for term, n in counted.items() if term.startswith(begin)}
        for begin in wanted
    }


def _read_vocabulary(
    db: sqlite3.Connection, beginnings: Iterable[str]
) -> Mapping[str, dict[str, int]]:
    """Read the terms of the whole index with these beginnings, and in how many notes each is."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
    )
    asked = "SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?"
    return {
        begin: dict(db.execute(asked, (begin, begin[:-1] + chr(ord(begin[-1]) + 1), _MOST_TERMS)))
        for begin in beginnings
    }
