"""Find duplicates of a draft, forgotten texts, and notes without a vector."""

from __future__ import annotations

import heapq
from collections import Counter

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.near_duplicates import say_different_things
from twiceshy.language.similar import count_rarest_needed, find_nearest, telling_terms_of
from twiceshy.language.terms import index_terms
from twiceshy.store import vectors
from twiceshy.store.database import explain_errors
from twiceshy.store.notes import SqliteNotes, build_condition, select_notes
from twiceshy.store.rows import find_area, join_marks
from twiceshy.store.words import read_term_rows

_MAX_READ = 20_000  # rows of words, to find the notes that may be alike
_MAX_COMPARED = 100


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
        same = NoteFilter(
            projects=(draft.scope.project,),
            skill=draft.scope.skill,
            kinds=(draft.kind,),
            statuses=("active", "candidate", "retired"),
        )
        own = telling_terms_of(draft.text)
        rows = self._propose_near(sorted(own), same, threshold)
        where, bound = build_condition(same)
        texts = self._db.execute(
            f"SELECT id, text FROM notes NOT INDEXED WHERE seq IN ({join_marks(rows)})"
            f" AND {where} AND superseded_by = ''",
            [*rows, *bound],
        )
        words_of = {note_id: (index_terms(text), text) for note_id, text in texts}
        best = find_nearest(
            own,
            ((note_id, terms) for note_id, (terms, _) in words_of.items()),
            threshold=threshold,
            is_same=lambda note_id: not say_different_things(draft.text, words_of[note_id][1]),
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

    def _propose_near(self, own: list[str], which: NoteFilter, threshold: float) -> list[int]:
        """Return the rows that may overlap by the threshold: they have one of the rarest terms.

        What was not read of a common term may be in any row.
        """
        found = read_term_rows(self._db, own, find_area(self._db, which), reads=_MAX_READ)
        rarest = sorted(own, key=lambda term: (found.holding[term], term))
        needed = rarest[: count_rarest_needed(len(own), threshold=threshold)]
        shared = Counter(row for rows in found.rows.values() for row in rows)
        likely = {row for term in needed for row in found.rows.get(term, ())}
        least = threshold * len(own) - len(found.common)
        return heapq.nlargest(
            _MAX_COMPARED,
            (row for row in likely if shared[row] >= least),
            key=lambda row: (shared[row], -row),
        )
