"""Find notes by id, by filter and by words, and count their events."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter, SearchHits
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE
from twiceshy.store.database import Database, explain_errors
from twiceshy.store.rows import SELECTED, build_note, find_area, join_marks, read_rows

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.filter import QueryFit
    from twiceshy.core.note import Note
    from twiceshy.language.vector import QueryVector
    from twiceshy.safety.signing import Signature

    Part = tuple[str, Sequence[object]]

_BATCH_SIZE = 500
_LEAST_RANKED = 100
# A word in so many notes does not find the one that quotes an error; as many rare ones do.
_COMMON = 40
_MAX_RARE = 6


class SqliteNotes(Database):
    """Finds notes and their projects, and counts note events."""

    @explain_errors
    def note(self, note_id: str) -> Note | None:
        """Return the note with exactly this id."""
        found = select_notes(self._db, "notes.id = ?", [note_id])
        return found[0] if found else None

    @explain_errors
    def notes(self, which: NoteFilter, *, limit: int | None = 200) -> list[Note]:
        """Return notes, pinned first, then the newest."""
        where, bound = build_condition(self._narrow_filter(which))
        order = "ORDER BY notes.pinned DESC, notes.learned_at DESC, notes.id LIMIT ?"
        found = select_notes(
            self._db, f"{where} {order}", [*bound, -1 if limit is None else limit]
        )
        return self._keep_told(found)

    @explain_errors
    def count_notes(self, which: NoteFilter) -> int:
        """Count the notes matching a filter."""
        return count_notes(self._db, which)

    @explain_errors
    def search_notes(
        self,
        terms: Sequence[str],
        which: NoteFilter,
        *,
        limit: int = 50,
        meaning: QueryVector | None = None,
        passages: Sequence[Sequence[str]] = (),
        exact: bool = False,
    ) -> SearchHits:
        """Return the notes matching a query best.

        With several ``passages`` a note is scored by the passage that it fits best. With ``exact``
        neither meaning nor another spelling counts.
        """
        from twiceshy.store.words import fit_notes

        asked = passages if len(passages) > 1 else (terms,)
        which = self._narrow_filter(which)
        area, within = find_area(self._db, which), build_condition(which)
        most = max(_LEAST_RANKED, limit)
        fits, share = fit_notes(
            self._db, asked, area, within, most=most, meaning=meaning, exact=exact
        )
        return self._load_best(fits, limit=limit, share=share)

    @explain_errors
    def propose_quoting(
        self, projects: Sequence[str], words: Sequence[str], *, limit: int
    ) -> list[Note]:
        """Return shown notes of some projects that hold some of these words, rare words first.

        Words are looked up by their beginning, which no inflection changes.
        """

        area = find_area(self._db, NoteFilter(projects=tuple(projects)))
        found = {
            start: read_rows(self._db, start, area, most=_COMMON, newest=True)
            for start in map(_build_prefix, words)
        }
        rare = [newest for newest in found.values() if 0 < len(newest) < _COMMON]
        rows: dict[int, None] = {}
        for newest in sorted(rare, key=len)[:_MAX_RARE]:
            if len(rows) < limit:
                rows |= dict.fromkeys(newest[:limit])
        where = (
            f"notes.seq IN ({join_marks(rows)}) AND notes.project IN ({join_marks(projects)})"
            f" AND notes.status IN ({join_marks(SHOWN)}) AND notes.superseded_by = ''"
        )
        if not rows:
            return []
        return self._keep_told(select_notes(self._db, where, [*rows, *projects, *SHOWN]))

    @explain_errors
    def fingerprint_notes(self, which: NoteFilter) -> str:
        """Return a fingerprint of these notes: a change to their content changes the value."""
        where, bound = build_condition(self._narrow_filter(which))
        counted = "count(*), max(id), sum(revision), sum(pinned)"
        row = self._db.execute(f"SELECT {counted} FROM notes WHERE {where}", bound).fetchone()
        return "-".join(str(part or 0) for part in row)

    @explain_errors
    def list_signatures(self) -> dict[str, Signature]:
        """Return the approvals by note id; the caller must verify each seal."""
        from twiceshy.safety.signing import Signature

        found = self._db.execute("SELECT note, act, mac, at FROM signatures ORDER BY note")
        return {row[0]: Signature(*row) for row in found}

    def increment_counter(self, name: str, note_ids: Iterable[str]) -> None:
        """Add 1 to a counter of each note; text, recency and indexes stay unchanged."""
        with self.change():
            self._db.executemany(
                """
                INSERT INTO counters (note, name, device, count) VALUES (?, ?, ?, 1)
                ON CONFLICT DO UPDATE SET count = count + 1
                """,
                [(note_id, name, self.device) for note_id in note_ids],
            )

    @explain_errors
    def list_project_ids(self, project: str, *, at_place: bool = False) -> tuple[str, ...]:
        """Return the project's ids, including aliases, the given id first."""
        if at_place:
            asked = "SELECT project FROM places WHERE mark = ?"
            known = self._db.execute(asked, (project,)).fetchone()
            return self.list_project_ids(known[0]) if known else ()
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
    def list_projects(self) -> dict[str, tuple[str, str]]:
        """Return the name and the last known root of every project by id."""
        known = self._db.execute("SELECT id, name, root FROM projects ORDER BY name, id")
        return {project: (name, root) for project, name, root in known}

    def record_project(
        self,
        project: str,
        *,
        name: str,
        root: str,
        aliases: Iterable[str] = (),
        places: Iterable[str] = (),
    ) -> None:
        """Record a project, its aliases, and the marks of a place where the user works on it.

        Names with a secret are left out: the id is found without.
        """
        found = [alias for alias in aliases if alias != project]
        safe = [alias for alias in found if self._redact_text(alias) == alias]
        if safe != found:  # a slug of the same folder tells it in another spelling
            safe = [alias for alias in safe if not alias.startswith("slug:")]
        marks = [mark for mark in places if self._redact_text(mark) == mark]
        with self.change():
            self._db.execute(
                """
                INSERT INTO projects VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET name = excluded.name, root = excluded.root
                """,
                (project, self._redact_text(name), self._redact_text(root), self.now()),
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO aliases VALUES (?, ?)",
                [(alias, project) for alias in safe],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO places VALUES (?, ?)", [(mark, project) for mark in marks]
            )

    def _load_best(self, fits: Mapping[int, QueryFit], *, limit: int, share: float) -> SearchHits:
        """Load the notes with the best scores, up to the limit."""
        from twiceshy.language.rank import blend_relevance

        scores = blend_relevance(fits, share=share)
        best = sorted(
            (seq for seq in scores if scores[seq] > 0), key=lambda seq: (-scores[seq], seq)
        )
        best = sorted(best[:limit])
        notes = select_notes(
            self._db, f"notes.seq IN ({join_marks(best)}) ORDER BY notes.seq", best
        )
        by_id = {note.id: fits[seq] for note, seq in zip(notes, best, strict=True)}
        return SearchHits(self._keep_told(notes), by_id, share)

    def _narrow_filter(self, which: NoteFilter) -> NoteFilter:
        """Return the filter for whoever asks: agents are not told what the gate holds."""
        if not self.for_agents:
            return which
        self._prepare_telling()
        return which.but(held=False)


def _build_prefix(word: str) -> str:
    """Return the query for words that begin like a word, whatever its ending."""
    return f'"{word.lower()[: max(4, len(word) - 3)]}"*'


def select_notes(db: sqlite3.Connection, where: str, bound: Sequence[object]) -> list[Note]:
    """Return the notes matching a condition on ``notes``, with their counters."""
    found = db.execute(f"SELECT {SELECTED} FROM notes WHERE {where}", bound).fetchall()
    counters = _read_counters(db, [row[0] for row in found])
    return [build_note(row, counters.get(row[0])) for row in found]


def count_notes(db: sqlite3.Connection, which: NoteFilter, *, most: int = -1) -> int:
    """Count notes, stopping at ``most`` if given."""
    where, bound = build_condition(which)
    counted = f"SELECT count(*) FROM (SELECT 1 FROM notes WHERE {where} LIMIT ?)"
    return int(db.execute(counted, [*bound, most]).fetchone()[0])


def _read_counters(db: sqlite3.Connection, note_ids: list[str]) -> dict[str, dict[str, int]]:
    """Return the counters of these notes, summed over devices."""
    counted: dict[str, dict[str, int]] = {}
    for at in range(0, len(note_ids), _BATCH_SIZE):
        some = note_ids[at : at + _BATCH_SIZE]
        for note_id, name, total in db.execute(
            "SELECT note, name, sum(count) FROM counters "
            f"WHERE note IN ({join_marks(some)}) GROUP BY note, name",
            some,
        ):
            counted.setdefault(note_id, {})[name] = total
    return counted


def build_condition(which: NoteFilter) -> tuple[str, list[object]]:
    """Return an SQL condition on ``notes``, never empty, fit to follow an AND."""
    parts = [
        *_match_lists(which),
        *_match_values(which),
        *_match_labels(which),
        *_match_other_tables(which),
    ]
    if which.since:
        parts.append(("notes.learned_at >= ?", [which.since]))
    if which.until:
        parts.append(("notes.learned_at < ?", [which.until]))
    if which.reason:
        parts.append(("instr(notes.reason, ?) = 1", [which.reason]))
    clauses = [clause for clause, _ in parts] or ["1"]
    return " AND ".join(clauses), [value for _, values in parts for value in values]


def _match_lists(which: NoteFilter) -> Iterator[Part]:
    for column, values in (
        ("project", which.projects),
        ("status", which.statuses or None),
        ("kind", which.kinds or None),
    ):
        if values is not None:
            yield f"notes.{column} IN ({join_marks(values)})", values


def _match_values(which: NoteFilter) -> Iterator[Part]:
    for column, value in (
        ("skill", which.skill),
        ("subtype", which.subtype or None),
        ("state", which.state or None),
        ("tag", which.tag or None),
        ("pinned", which.pinned),
    ):
        if value is not None:
            yield f"notes.{column} = ?", [value]


def _match_other_tables(which: NoteFilter) -> Iterator[Part]:
    """Yield conditions on other tables or on the form of the id."""
    if which.ending:
        if len(which.ending) >= 4:  # as long as a handle: the index knows them
            yield "substr(notes.id, -4) = ?", [which.ending[-4:]]
        yield "substr(notes.id, -length(?)) = ?", [which.ending, which.ending]
    if which.devices:
        changed = "SELECT object FROM journal WHERE before IS NOT NULL AND after IS NOT NULL"
        many = f"{changed} GROUP BY object HAVING COUNT(DISTINCT device) >= ?"
        yield f"notes.id IN ({many})", [which.devices]
    if which.held is not None:
        sign = "<>" if which.held else "="
        judged = f"SELECT 1 FROM verdicts v WHERE v.object = notes.id AND v.reason {sign} ''"
        yield f"EXISTS ({judged})", []
    if which.taught_by:
        taught = "SELECT note FROM evidence WHERE session = ?"
        yield f"notes.origin_session = ? AND notes.id IN ({taught})", [which.taught_by] * 2


def _match_labels(which: NoteFilter) -> Iterator[Part]:
    labelled = "notes.seq IN (SELECT note FROM labels WHERE kind = '{}' AND {})"
    if which.concept:
        yield labelled.format("concept", "label = ?"), [which.concept.casefold()]
    if which.file:
        yield labelled.format("file", "instr(label, ?) > 0"), [which.file]
