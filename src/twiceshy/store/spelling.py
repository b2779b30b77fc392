"""Look up what the unknown words of a question may mean among the terms of the index."""

from __future__ import annotations

from collections import Counter

from twiceshy.language.spelling import (
    Meant,
    choose_meant,
    find_parts,
    is_single_character,
    list_beginnings,
    list_edits,
    replace_terms,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import _sqlite3 as sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.language.rank import FieldTerms

# So many words of a question are looked at; in a large scope each takes some ms.
_MOST_WORDS, _MOST_WORDS_OF_MANY = 8, 2
_MOST_PAIRS = 50
_BATCH_SIZE = 500


def respell_passages(
    db: sqlite3.Connection,
    passages: Sequence[Sequence[str]],
    unknown: Sequence[str],
    notes: Iterable[FieldTerms] | None,
) -> list[tuple[str, ...]]:
    """Return passages with what their unknown terms mean; empty if none means anything.

    Of a small scope ``notes`` are all its terms. Else the whole index is asked for each spelling
    that is one edit away: to read all terms that begin alike takes the longer the larger it is.
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
    if notes is None:
        near = {term: _look_up_near(db, term) for term in list(doubtful)[:_MOST_WORDS_OF_MANY]}
    else:
        near = _count_near(notes, doubtful) if doubtful else {}
    for term, known in near.items():
        if found := choose_meant(term, known):
            meant[term] = Meant(found, guessed=not is_single_character(term))
    return meant


def _count_near(
    notes: Iterable[FieldTerms], doubtful: Mapping[str, tuple[str, ...]]
) -> dict[str, dict[str, int]]:
    """Count the notes of the terms that begin as each doubtful one may."""
    wanted = tuple({begin for beginnings in doubtful.values() for begin in beginnings})
    counted: Counter[str] = Counter()
    for parts in notes:
        counted.update({term for part in parts for term in part if term.startswith(wanted)})
    return {
        doubted: {term: n for term, n in counted.items() if term.startswith(beginnings)}
        for doubted, beginnings in doubtful.items()
    }


def _look_up_near(db: sqlite3.Connection, term: str) -> dict[str, int]:
    """Return the terms of the whole index near a doubtful one, and in how many notes each is."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
    )
    asked = "SELECT term, doc FROM temp.vocabulary WHERE "
    if is_single_character(term):
        within = (term, chr(ord(term) + 1), _MOST_PAIRS)
        return dict(db.execute(f"{asked} term >= ? AND term < ? LIMIT ?", within))
    edits, found = list_edits(term), dict[str, int]()
    for at in range(0, len(edits), _BATCH_SIZE):
        some = edits[at : at + _BATCH_SIZE]
        found |= dict(db.execute(f"{asked} term IN ({', '.join('?' * len(some))})", some))
    return found
