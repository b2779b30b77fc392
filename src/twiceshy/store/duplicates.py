"""Find duplicates of a draft, forgotten texts, and notes without a vector."""

from __future__ import annotations

from functools import partial

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.similar import count_rarest_needed, find_nearest, telling_terms_of
from twiceshy.store import vectors, words
from twiceshy.store.database import explain_errors
from twiceshy.store.notes import (
    EXACT_LIMIT,
    SqliteNotes,
    build_condition,
    count_notes,
    select_notes,
)
from twiceshy.store.rows import join_marks


class SqliteDuplicates(SqliteNotes):
    """Finds known notes before a draft is written, and notes without a vector."""

    @explain_errors
    def find_duplicate(self, draft: Draft) -> Note | None:
        """Return the duplicate of a draft in the same scope, or its replacement."""
        if draft.kind == "task":
            return None
        found = select_notes(
            self._db,
            "notes.project = ? AND notes.skill = ? AND notes.fingerprint = ? "
            "ORDER BY notes.superseded_by <> '', notes.id LIMIT 1",
            [draft.scope.project, draft.scope.skill, draft.fingerprint],
        )
        note = found[0] if found else None
        steps = 0
        # a merge of two histories could make a ring
        while note and note.superseded_by and steps < 100:
            note, steps = self.note(note.superseded_by), steps + 1
        return note

    @explain_errors
    def find_near_duplicate(self, draft: Draft, *, threshold: float) -> Note | None:
        """Return the nearest near-duplicate of a draft in the same scope."""
        own = telling_terms_of(draft.text)
        same = NoteFilter(
            projects=(draft.scope.project,),
            skill=draft.scope.skill,
            kinds=(draft.kind,),
            statuses=("active", "candidate", "retired"),
        )
        where, bound = build_condition(same)
        if count_notes(self._db, same, most=EXACT_LIMIT + 1) > EXACT_LIMIT:
            rows = self._propose_near(sorted(own), threshold, where, bound)
            where, bound = f"{where} AND notes.seq IN ({join_marks(rows)})", [*bound, *rows]
        candidates = (
            (note_id, text.split(" "))
            for note_id, text in self._db.execute(
                "SELECT notes.id, words.text FROM notes JOIN words ON words.rowid = notes.seq "
                f"WHERE {where} AND notes.superseded_by = ''",
                bound,
            )
        )
        best = find_nearest(
            own, candidates, threshold=threshold, is_same=partial(self._says_the_same, draft.text)
        )
        return self.note(best) if best else None

    @explain_errors
    def is_forgotten(self, scope: Scope, fingerprint: str) -> bool:
        """True if a text with this fingerprint was forgotten on request."""
        row = self._db.execute(
            "SELECT 1 FROM tombstones WHERE project = ? AND skill = ? AND fingerprint = ?",
            (scope.project, scope.skill, fingerprint),
        ).fetchone()
        return row is not None

    @explain_errors
    def list_unembedded_notes(self, model: str = "", *, limit: int | None = 100) -> list[Note]:
        """Return notes without a vector of a model (by default of the word table)."""
        model = model or vectors.shipped.identity
        most = -1 if limit is None else limit
        missing = vectors.list_missing(self._db, model, limit=most) if model else []
        return [note for each in missing if (note := self.note(each))]

    def _says_the_same(self, text: str, note_id: str) -> bool:
        """True if the words of a note are those of a text in the same sense."""
        from twiceshy.language.near_duplicates import (
            say_different_things,
        )

        known = self.note(note_id)
        return known is not None and not say_different_things(text, known.text)

    def _propose_near(
        self, own: list[str], threshold: float, where: str, bound: list[object]
    ) -> list[int]:
        frequency = words.count_term_notes(self._db, own, total=words.measure_index(self._db)[0])
        rarest = sorted(own, key=lambda term: (frequency[term], term))
        needed = rarest[: count_rarest_needed(len(own), threshold=threshold)]
        return words.propose_notes(
            self._db, {term: frequency[term] for term in needed}, within=where, bound=bound
        )
