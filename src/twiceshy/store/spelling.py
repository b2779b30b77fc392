"""Look up what the unknown words of a question may mean among the terms of an area of the index.

The index lists its terms, but not those of one project. So near terms are looked up among all, and
only those count that a note of the area has: what other projects write changes nothing.
"""

from __future__ import annotations

from twiceshy.language.spelling import (
    Meant,
    choose_meant,
    find_parts,
    is_near,
    is_single_character,
    join_parts,
    list_edits,
    list_spellings,
    may_be_misspelled,
    replace_terms,
)
from twiceshy.language.stem import stem_word
from twiceshy.store.rows import quote_term, read_rows

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.store.driver import sqlite3
    from twiceshy.store.rows import SearchArea

# So many words of a question are taken apart, and so many are looked up, in some ms each.
_MOST_WORDS, _MOST_LOOKED_UP = 8, 2
_MOST_COUNTED = 200  # notes of a near term
_BEGINNING = 3  # letters that are taken to be right where two others may be wrong
_BATCH_SIZE = 500


def respell_passages(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    unknown: Sequence[str],
    area: SearchArea,
) -> list[tuple[str, ...]]:
    """Return passages with what their unknown terms mean; empty if none means anything."""
    meant: dict[str, Meant] = {}
    looked_up = 0
    for term in unknown[:_MOST_WORDS]:
        if parts := find_parts(term):
            meant[term] = Meant(parts, guessed=False)
        elif (joined := join_parts(term)) and _count_held(db, [joined], area):
            meant[term] = Meant((joined,), guessed=False)
        elif looked_up < _MOST_LOOKED_UP and may_be_misspelled(term):
            looked_up += 1
            if found := choose_meant(term, _count_near(db, term, area)):
                meant[term] = Meant(found, guessed=not is_single_character(term))
    return replace_terms(passages, meant) if meant else []


def _count_near(db: sqlite3.Connection, term: str, area: SearchArea) -> dict[str, int]:
    """Count the notes of an area that have a term near an unknown one."""
    stems = {stem_word(edit): edit for edit in list_spellings(term)}
    near = [each for each in _list_near(db, term, stems) if is_near(term, stems.get(each, each))]
    return _count_held(db, near, area)


def _count_held(db: sqlite3.Connection, terms: Sequence[str], area: SearchArea) -> dict[str, int]:
    """Count the notes of an area that have each term, without those that none has."""
    counted = {
        each: len(read_rows(db, quote_term(each), area, most=_MOST_COUNTED)) for each in terms
    }
    return {each: notes for each, notes in counted.items() if notes}


def _list_near(db: sqlite3.Connection, term: str, stems: Iterable[str]) -> list[str]:
    """Return terms of the whole index that may be near an unknown one."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
    )
    asked = "SELECT term FROM temp.vocabulary WHERE "
    begin = term[:_BEGINNING]
    found = [
        each
        for (each,) in db.execute(
            f"{asked} term >= ? AND term < ?", (begin, begin[:-1] + chr(ord(begin[-1]) + 1))
        )
    ]
    edits = [] if is_single_character(term) else sorted({*list_edits(term), *stems})
    for at in range(0, len(edits), _BATCH_SIZE):
        some = edits[at : at + _BATCH_SIZE]
        rows = db.execute(f"{asked} term IN ({', '.join('?' * len(some))})", some)
        found += [each for (each,) in rows]
    return list(dict.fromkeys(found))
