"""What a search finds, and what else to try when that is little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.episodes import Told, told
from twiceshy.core.filter import Filter
from twiceshy.core.value import Value
from twiceshy.language.related import corrected, facets, related, words
from twiceshy.language.terms import query_terms
from twiceshy.recall.choose import search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.language.rank import Ranked
    from twiceshy.language.related import Words
    from twiceshy.language.vector import Meaning

    Hit = Ranked | Told

COUNTED = 1_000
_PROPOSED = 100  # as many as the index proposes anyway
_FEW = 3
_SMALL = 500  # notes that are read one by one to find out which words they have


class Search(Value):
    """What someone looks for, and where."""

    text: str
    which: Filter
    meaning: Meaning | None = None
    newest: bool = False
    counting: bool = False

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the index terms of the words."""
        return query_terms(self.text)


class Results(Value):
    """What was found, of how much, and what else to try."""

    hits: Sequence[Hit]
    counted: int
    facets: Mapping[str, Mapping[str, int]] | None = None
    related: Sequence[str] = ()
    corrected: Mapping[str, str] = {}
    elsewhere: Mapping[str, int] = {}


def found(store: Store, asked: Search, *, limit: int) -> Results:
    """Return the best, or the newest; with advice when they are few or someone looks around."""
    around = asked.counting or asked.newest
    notes = _notes(store, asked, most=COUNTED if around else max(limit + 1, _PROPOSED))
    hits: list[Hit] = [*notes, *told(store, asked.terms, asked.which)]
    if asked.newest:
        hits.sort(key=lambda hit: -_at(hit))
    results = Results(hits[:limit], len(hits))
    if asked.counting:
        results = results.but(facets=facets(hit.note for hit in notes))
    if not hits:
        results = results.but(elsewhere=_elsewhere(store, asked))
    return _advised(store, asked, results) if around or len(hits) <= _FEW else results


def shares(store: Store, asked: Search, hits: Sequence[Hit]) -> dict[str, dict[str, float]]:
    """Return what each term adds to the weight of the words, for each note among the hits."""
    notes = [hit.note for hit in hits if not isinstance(hit, Told)]
    added: dict[str, dict[str, float]] = {note.id: {} for note in notes}
    for term in asked.terms:
        alone = store.matching((term,), asked.which, limit=COUNTED).fits
        for note_id, by_term in added.items():
            if note_id in alone and alone[note_id].words:
                by_term[term] = alone[note_id].words
    return added


def _notes(store: Store, asked: Search, *, most: int) -> list[Ranked]:
    return search(store, asked.text, asked.which, limit=most, meaning=asked.meaning)


def _elsewhere(store: Store, asked: Search) -> dict[str, int]:
    """Count what a wider search would find."""
    which = asked.which
    wider = {
        "projects": which.but(projects=None),
        "lives": which.but(lives=()),
        "filters": Filter(projects=which.projects),
    }
    counted = {
        name: len(_notes(store, asked.but(which=other), most=_PROPOSED))
        for name, other in wider.items()
        if other != which
    }
    return {name: count for name, count in counted.items() if count}


def _advised(store: Store, asked: Search, results: Results) -> Results:
    """Add words that lead on, and for words that nobody wrote what was probably meant."""
    around = Filter(projects=asked.which.projects)
    if not asked.terms or store.count(around) > _SMALL:
        return results
    everything = [_words_of(note) for note in store.notes(around, limit=_SMALL)]
    here = [
        words(hit.text) if isinstance(hit, Told) else _words_of(hit.note) for hit in results.hits
    ]
    return results.but(
        related=related(asked.terms, here, among=everything),
        corrected=corrected(asked.text, everything),
    )


def _at(hit: Hit) -> int:
    return hit.episode.ended_at if isinstance(hit, Told) else hit.note.learned_at


def _words_of(note: Note) -> Words:
    return words(" ".join((note.text, note.why, note.tag, *note.concepts, *note.files)))
