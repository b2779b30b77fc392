"""Find notes: by id, by filter, by words, and by sameness. Nothing here decides or writes."""

from __future__ import annotations

from twiceshy.core.filter import SHARE, Filter, Fit, Found
from twiceshy.core.scope import EVERYWHERE
from twiceshy.store.condition import condition
from twiceshy.store.rows import SELECTED, note_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.language.vector import Meaning

# Up to this many notes are read and ranked one by one: exact, and the rest of the store costs nothing.
_FEW = 500
_AT_ONCE = 500
# So many notes are compared by meaning, 10 µs each: those that share words first, then the newest.
_COMPARED = 150
# A note that shares no word with the query must be at least this much like it.
_ALIKE = 0.3


def by_id(db: sqlite3.Connection, note_id: str) -> Note | None:
    """Return the note with exactly this id."""
    found = _notes(db, "notes.id = ?", [note_id])
    return found[0] if found else None


def by_name(db: sqlite3.Connection, name: str) -> list[Note]:
    """Return the notes whose id is, or whose random part ends with, what was typed."""
    exact = by_id(db, name)
    if exact:
        return [exact]
    # "n0w" is the end of an id, or "0w" with the letter that ids begin with
    for ending in dict.fromkeys((name.lower().removeprefix("n"), name.lower())):
        if len(ending) >= 3 and (found := _ending_in(db, ending)):
            return found
    return []


def _ending_in(db: sqlite3.Connection, ending: str) -> list[Note]:
    like, known = "notes.id LIKE ? ESCAPE '\\'", [f"%{_literal(ending)}"]
    if len(ending) >= 4:  # as long as a handle: the index knows them
        like, known = f"substr(notes.id, -4) = ? AND {like}", [ending[-4:], *known]
    return _notes(db, f"{like} ORDER BY notes.id LIMIT 20", known)


def listed(db: sqlite3.Connection, which: Filter, *, limit: int) -> list[Note]:
    """Return notes, pinned first, then the ones learned last."""
    where, bound = condition(which)
    order = "ORDER BY notes.pinned DESC, notes.learned_at DESC, notes.id LIMIT ?"
    return _notes(db, f"{where} {order}", [*bound, limit])


def count(db: sqlite3.Connection, which: Filter, *, most: int = -1) -> int:
    """Count notes, stopping at ``most`` if that is given."""
    where, bound = condition(which)
    row = db.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM notes WHERE {where} LIMIT ?)",
        [*bound, most],
    ).fetchone()
    return int(row[0])


def matching(
    db: sqlite3.Connection,
    query: Sequence[str],
    which: Filter,
    *,
    limit: int,
    few: int = _FEW,
    meaning: Meaning | None = None,
) -> Found:
    """Return notes that fit a query: the best of all in a small scope, else of the likeliest.

    ``meaning`` is what the query means to a better model than the table of words.
    """
    from twiceshy.language.rank import Collection, bm25, describe
    from twiceshy.store import vectors, words

    where, bound = condition(which)
    if count(db, which, most=few + 1) <= few:
        parts = words.parts_within(db, where, bound)
        collection = describe(parts.values(), query)
    else:
        total, length = words.extent(db)
        frequency = words.holding(db, query, total=total)
        proposed = words.propose(db, frequency, within=where, bound=bound, most=max(100, limit))
        parts = words.parts_in(db, proposed)
        collection = Collection(total, length, frequency)
    score = bm25(query, collection)
    weighed = {seq: score(each) for seq, each in parts.items()}
    asked = meaning or vectors.shipped.meaning(query)
    near: dict[int, float] = {}
    if asked:
        likely = sorted(weighed, key=lambda seq: (-weighed[seq][0], -seq))[:_COMPARED]
        near = vectors.alike(db, asked, likely)
    fits = {
        seq: Fit(*pair, near.get(seq, 0.0))
        for seq, pair in weighed.items()
        if pair[0] or near.get(seq, 0.0) >= _ALIKE
    }
    return _found(db, fits, limit=limit, share=asked.share if asked else SHARE)


def twin(db: sqlite3.Connection, draft: Draft) -> Note | None:
    """Return the note in the same scope that says the same, or what took its place."""
    if draft.kind == "task":
        return None
    found = _notes(
        db,
        "notes.project = ? AND notes.skill = ? AND notes.fingerprint = ? "
        "ORDER BY notes.superseded_by <> '', notes.id LIMIT 1",
        [draft.scope.project, draft.scope.skill, draft.fingerprint],
    )
    note = found[0] if found else None
    steps = 0
    while (
        note and note.superseded_by and steps < 100
    ):  # a merge of two histories could make a ring
        note, steps = by_id(db, note.superseded_by), steps + 1
    return note


def same(db: sqlite3.Connection, note: Note) -> Note | None:
    """Return the other note in its scope that says the same and was not superseded."""
    where = "notes.project = ? AND notes.skill = ? AND notes.fingerprint = ? AND notes.id <> ?"
    key = [note.scope.project, note.scope.skill, note.fingerprint, note.id]
    found = _notes(db, f"{where} AND notes.superseded_by = '' LIMIT 1", key)
    return found[0] if found else None


def merged_into(db: sqlite3.Connection, note: Note) -> list[Note]:
    """Return the notes that said the same elsewhere, until they became one with this one."""
    found, known = [note], {note.id}
    for one in found:  # grows while we walk: those that were merged into the merged ones
        same = "notes.superseded_by = ? AND notes.fingerprint = ? ORDER BY notes.id"
        merged = _notes(db, same, [one.id, note.fingerprint])
        found += [other for other in merged if other.id not in known]
        known |= {other.id for other in merged}
    return found[1:]


def near(db: sqlite3.Connection, draft: Draft, *, threshold: float) -> Note | None:
    """Return the note of the same kind and scope that says nearly the same."""
    from twiceshy.language.similar import nearest, words_of

    own = words_of(draft.text)
    same = Filter(
        projects=(draft.scope.project,),
        skill=draft.scope.skill,
        kinds=(draft.kind,),
        lives=("active", "candidate", "retired"),
    )
    where, bound = condition(same)
    if count(db, same, most=_FEW + 1) > _FEW:
        rows = _possibly_near(db, sorted(own), threshold, where, bound)
        where, bound = f"{where} AND notes.seq IN ({_marks(rows)})", [*bound, *rows]
    candidates = (
        (note_id, text.split(" "))
        for note_id, text in db.execute(
            "SELECT notes.id, words.text FROM notes JOIN words ON words.rowid = notes.seq "
            f"WHERE {where} AND notes.superseded_by = ''",
            bound,
        )
    )
    best = nearest(own, candidates, threshold=threshold)
    return by_id(db, best) if best else None


def forgotten(db: sqlite3.Connection, scope: Scope, mark: str) -> bool:
    """Tell whether a tombstone stands for this text in this scope."""
    row = db.execute(
        "SELECT 1 FROM tombstones WHERE project = ? AND skill = ? AND fingerprint = ?",
        (scope.project, scope.skill, mark),
    ).fetchone()
    return row is not None


def same_project(db: sqlite3.Connection, project: str) -> tuple[str, ...]:
    """Return all ids under which a project's notes may stand, the one asked for first."""
    if project == EVERYWHERE:
        return (EVERYWHERE,)
    # a folder becomes a repository, then gets a remote: follow the names both ways, to the end
    known = db.execute(
        """
        WITH RECURSIVE same (id) AS (
            SELECT ?
            UNION SELECT project FROM aliases JOIN same ON alias = id WHERE project <> '*'
            UNION SELECT alias FROM aliases JOIN same ON project = id WHERE alias <> '*'
        )
        SELECT id FROM same ORDER BY id
        """,
        (project,),
    )
    return tuple(dict.fromkeys((project, *(other for (other,) in known))))


def _possibly_near(
    db: sqlite3.Connection, own: list[str], threshold: float, where: str, bound: list[object]
) -> list[int]:
    from twiceshy.language.similar import rarest_needed
    from twiceshy.store import words

    frequency = words.holding(db, own, total=words.extent(db)[0])
    rarest = sorted(own, key=lambda term: (frequency[term], term))
    needed = rarest[: rarest_needed(len(own), threshold=threshold)]
    return words.propose(db, {term: frequency[term] for term in needed}, within=where, bound=bound)


def _found(db: sqlite3.Connection, fits: Mapping[int, Fit], *, limit: int, share: float) -> Found:
    """Load the best of what was weighed; the others would not be shown anyway."""
    from twiceshy.language.rank import blended

    scores = blended(fits, share=share)
    best = sorted((seq for seq in scores if scores[seq] > 0), key=lambda seq: (-scores[seq], seq))
    best = sorted(best[:limit])
    notes = _notes(db, f"notes.seq IN ({_marks(best)}) ORDER BY notes.seq", best)
    by_id = {note.id: fits[seq] for note, seq in zip(notes, best, strict=True)}
    return Found(notes, by_id, share)


def _notes(db: sqlite3.Connection, where: str, bound: Sequence[object]) -> list[Note]:
    found = db.execute(f"SELECT {SELECTED} FROM notes WHERE {where}", bound).fetchall()
    counters = _counters(db, [row[0] for row in found])
    return [note_of(row, counters.get(row[0])) for row in found]


def _counters(db: sqlite3.Connection, note_ids: list[str]) -> dict[str, dict[str, int]]:
    """Return what the devices counted for these notes, added up."""
    counted: dict[str, dict[str, int]] = {}
    for at in range(0, len(note_ids), _AT_ONCE):
        some = note_ids[at : at + _AT_ONCE]
        for note_id, name, total in db.execute(
            "SELECT note, name, sum(count) FROM tallies "
            f"WHERE note IN ({_marks(some)}) GROUP BY note, name",
            some,
        ):
            counted.setdefault(note_id, {})[name] = total
    return counted


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
