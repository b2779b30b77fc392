"""Notes as hooks and commands find them: by id, by filter, by words; and what is counted for them."""

from __future__ import annotations

from twiceshy.core.filter import SHARE, Fit, Found
from twiceshy.core.scope import EVERYWHERE
from twiceshy.store.database import SqliteDatabase, explain_errors
from twiceshy.store.rows import SELECTED, marks, note_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.filter import Filter
    from twiceshy.core.note import Note
    from twiceshy.language.vector import Meaning
    from twiceshy.safety.signing import Signature

    Part = tuple[str, Sequence[object]]

# Up to this many notes are read and ranked one by one: exact, and the rest of the store costs nothing.
FEW = 500
_AT_ONCE = 500
# So many notes are compared by meaning, 10 µs each: those that share words first, then the newest.
_COMPARED = 150
# A note that shares no word with the query must be at least this much like it.
_ALIKE = 0.3


class SqliteNotes(SqliteDatabase):
    """Finds notes and their projects; counts what is shown."""

    few = FEW

    @explain_errors
    def note(self, note_id: str) -> Note | None:
        """Return the note with exactly this id."""
        found = select_notes(self._db, "notes.id = ?", [note_id])
        return found[0] if found else None

    @explain_errors
    def notes(self, which: Filter, *, limit: int | None = 200) -> list[Note]:
        """Return notes, pinned first, then the ones learned last."""
        where, bound = condition(which)
        order = "ORDER BY notes.pinned DESC, notes.learned_at DESC, notes.id LIMIT ?"
        return select_notes(self._db, f"{where} {order}", [*bound, -1 if limit is None else limit])

    @explain_errors
    def count(self, which: Filter) -> int:
        """Return how many notes there are."""
        return count_notes(self._db, which)

    @explain_errors
    def matching(
        self,
        terms: Sequence[str],
        which: Filter,
        *,
        limit: int = 50,
        meaning: Meaning | None = None,
    ) -> Found:
        """Return notes that fit a query: the best of all in a small scope, else of the likeliest."""
        from twiceshy.store import vectors

        weighed = self._weighed(terms, which, limit)
        asked = meaning or vectors.shipped.meaning(terms)
        near: dict[int, float] = {}
        if asked:
            likely = sorted(weighed, key=lambda seq: (-weighed[seq][0], -seq))[:_COMPARED]
            near = vectors.alike(self._db, asked, likely)
        fits = {
            seq: Fit(*pair, near.get(seq, 0.0))
            for seq, pair in weighed.items()
            if pair[0] or near.get(seq, 0.0) >= _ALIKE
        }
        return self._best(fits, limit=limit, share=asked.share if asked else SHARE)

    @explain_errors
    def state(self, which: Filter) -> str:
        """Sum up these notes, so that a change to what they say changes the sum."""
        where, bound = condition(which)
        counted = "count(*), max(id), sum(revision), sum(pinned)"
        row = self._db.execute(f"SELECT {counted} FROM notes WHERE {where}", bound).fetchone()
        return "-".join(str(part or 0) for part in row)

    @explain_errors
    def signatures(self) -> dict[str, Signature]:
        """Return every approval by the note it is for; whether its seal fits is for others to say."""
        from twiceshy.safety.signing import Signature

        found = self._db.execute("SELECT note, act, mac, at FROM signatures ORDER BY note")
        return {row[0]: Signature(*row) for row in found}

    def tally(self, name: str, note_ids: Iterable[str]) -> None:
        """Count once for each note; never touches its text, its recency or the indexes."""
        with self.change():
            self._db.executemany(
                """
                INSERT INTO tallies (note, name, device, count) VALUES (?, ?, ?, 1)
                ON CONFLICT DO UPDATE SET count = count + 1
                """,
                [(note_id, name, self.device) for note_id in note_ids],
            )

    @explain_errors
    def same_project(self, project: str) -> tuple[str, ...]:
        """Return all ids under which this project's notes may stand, this one first."""
        if project == EVERYWHERE:
            return (EVERYWHERE,)
        # a folder becomes a repository, then gets a remote: follow the names both ways, to the end
        known = self._db.execute(
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

    @explain_errors
    def projects(self) -> dict[str, tuple[str, str]]:
        """Return the name and the last known root of every project by id."""
        known = self._db.execute("SELECT id, name, root FROM projects ORDER BY name, id")
        return {project: (name, root) for project, name, root in known}

    def know_project(
        self, project: str, *, name: str, root: str, aliases: Iterable[str] = ()
    ) -> None:
        """Remember a project and by which other names it goes."""
        with self.change():
            self._db.execute(
                """
                INSERT INTO projects VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET name = excluded.name, root = excluded.root
                """,
                (project, self._gate(name), self._gate(root), self.now()),
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO aliases VALUES (?, ?)",
                [(alias, project) for alias in aliases if alias != project],
            )

    def _weighed(
        self, query: Sequence[str], which: Filter, limit: int
    ) -> dict[int, tuple[float, float]]:
        """Weigh by its words each note that a filter means, or where these are many, the likeliest."""
        from twiceshy.language.rank import Collection, bm25, describe
        from twiceshy.store import words

        where, bound = condition(which)
        if count_notes(self._db, which, most=self.few + 1) <= self.few:
            parts = words.parts_within(self._db, where, bound)
            collection = describe(parts.values(), query)
        else:
            total, length = words.extent(self._db)
            frequency = words.holding(self._db, query, total=total)
            most = max(100, limit)
            rows = words.propose(self._db, frequency, within=where, bound=bound, most=most)
            parts = words.parts_in(self._db, rows)
            collection = Collection(total, length, frequency)
        score = bm25(query, collection)
        return {seq: score(each) for seq, each in parts.items()}

    def _best(self, fits: Mapping[int, Fit], *, limit: int, share: float) -> Found:
        """Load the best of what was weighed; the others would not be shown anyway."""
        from twiceshy.language.rank import blended

        scores = blended(fits, share=share)
        best = sorted(
            (seq for seq in scores if scores[seq] > 0), key=lambda seq: (-scores[seq], seq)
        )
        best = sorted(best[:limit])
        notes = select_notes(self._db, f"notes.seq IN ({marks(best)}) ORDER BY notes.seq", best)
        by_id = {note.id: fits[seq] for note, seq in zip(notes, best, strict=True)}
        return Found(notes, by_id, share)


def select_notes(db: sqlite3.Connection, where: str, bound: Sequence[object]) -> list[Note]:
    """Return the notes that a condition on ``notes`` means, with what was counted for them."""
    found = db.execute(f"SELECT {SELECTED} FROM notes WHERE {where}", bound).fetchall()
    counters = _counters(db, [row[0] for row in found])
    return [note_of(row, counters.get(row[0])) for row in found]


def count_notes(db: sqlite3.Connection, which: Filter, *, most: int = -1) -> int:
    """Count notes, stopping at ``most`` if that is given."""
    where, bound = condition(which)
    counted = f"SELECT count(*) FROM (SELECT 1 FROM notes WHERE {where} LIMIT ?)"
    return int(db.execute(counted, [*bound, most]).fetchone()[0])


def _counters(db: sqlite3.Connection, note_ids: list[str]) -> dict[str, dict[str, int]]:
    """Return what the devices counted for these notes, added up."""
    counted: dict[str, dict[str, int]] = {}
    for at in range(0, len(note_ids), _AT_ONCE):
        some = note_ids[at : at + _AT_ONCE]
        for note_id, name, total in db.execute(
            "SELECT note, name, sum(count) FROM tallies "
            f"WHERE note IN ({marks(some)}) GROUP BY note, name",
            some,
        ):
            counted.setdefault(note_id, {})[name] = total
    return counted


def condition(which: Filter) -> tuple[str, list[object]]:
    """Return SQL over ``notes``; never empty, so that it can follow an AND."""
    parts = [*_lists(which), *_equals(which), *_labels(which), *_elsewhere(which)]
    if which.since:
        parts.append(("notes.learned_at >= ?", [which.since]))
    if which.until:
        parts.append(("notes.learned_at < ?", [which.until]))
    if which.reason:
        parts.append(("instr(notes.reason, ?) = 1", [which.reason]))
    clauses = [clause for clause, _ in parts] or ["1"]
    return " AND ".join(clauses), [value for _, values in parts for value in values]


def _lists(which: Filter) -> Iterator[Part]:
    for column, values in (
        ("project", which.projects),
        ("life", which.lives or None),
        ("kind", which.kinds or None),
    ):
        if values is not None:
            yield f"notes.{column} IN ({marks(values)})", values


def _equals(which: Filter) -> Iterator[Part]:
    for column, value in (
        ("skill", which.skill),
        ("subtype", which.subtype or None),
        ("state", which.state or None),
        ("tag", which.tag or None),
        ("pinned", which.pinned),
    ):
        if value is not None:
            yield f"notes.{column} = ?", [value]


def _elsewhere(which: Filter) -> Iterator[Part]:
    """Yield conditions that other tables, or the form of the id, must fulfil."""
    if which.ending:
        if len(which.ending) >= 4:  # as long as a handle: the index knows them
            yield "substr(notes.id, -4) = ?", [which.ending[-4:]]
        yield "substr(notes.id, -length(?)) = ?", [which.ending, which.ending]
    if which.devices:
        changed = "SELECT object FROM journal WHERE before IS NOT NULL AND after IS NOT NULL"
        many = f"{changed} GROUP BY object HAVING COUNT(DISTINCT device) >= ?"
        yield f"notes.id IN ({many})", [which.devices]
    if which.taught_by:
        taught = "SELECT note FROM evidence WHERE session = ?"
        yield f"notes.origin_session = ? AND notes.id IN ({taught})", [which.taught_by] * 2


def _labels(which: Filter) -> Iterator[Part]:
    labelled = "notes.seq IN (SELECT note FROM labels WHERE kind = '{}' AND {})"
    if which.concept:
        yield labelled.format("concept", "label = ?"), [which.concept.casefold()]
    if which.file:
        yield labelled.format("file", "instr(label, ?) > 0"), [which.file]
