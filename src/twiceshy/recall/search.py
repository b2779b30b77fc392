"""Search notes and episodes, with advice when little is found."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.related import (
    count_facets,
    find_related_words,
    list_telling_words,
    suggest_corrections,
)
from twiceshy.language.snippet import cut_snippet, find_marks
from twiceshy.language.terms import query_terms
from twiceshy.project.episodes.find import FoundEpisode, search_episodes
from twiceshy.recall.recall_notes import search_notes
from twiceshy.recall.respell import find_meant_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.language.rank import RankedNote
    from twiceshy.language.related import Words
    from twiceshy.language.snippet import Snippet
    from twiceshy.language.vector import QueryVector

    Hit = RankedNote | FoundEpisode

COUNTED = 1_000
_PROPOSED = 100  # as many as the index proposes anyway
_FEW = 3
_SMALL = 500  # notes that are read one by one to find out which words they have


class Search(Value):
    """A search: words and filters."""

    text: str
    which: NoteFilter
    meaning: QueryVector | None = None
    newest: bool = False
    counting: bool = False

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the index terms of the words."""
        return query_terms(self.text)


class SearchResults(Value):
    """Hits of a search, totals, and advice."""

    hits: Sequence[Hit]
    counted: int
    facets: Mapping[str, Mapping[str, int]] | None = None
    related: Sequence[str] = ()
    corrected: Mapping[str, str] = {}
    elsewhere: Mapping[str, int] = {}


def search_all(store: Store, asked: Search, *, limit: int) -> SearchResults:
    """Return the best or newest hits; with advice when few."""
    around = asked.counting or asked.newest
    notes = _search_notes(store, asked, most=COUNTED if around else max(limit + 1, _PROPOSED))
    hits: list[Hit] = [*notes, *search_episodes(store, asked.terms, asked.which)]
    if asked.newest:
        hits.sort(key=lambda hit: -_term_positions(hit))
    results = SearchResults(hits[:limit], len(hits))
    if asked.counting:
        results = results.but(facets=count_facets(hit.note for hit in notes))
    if not hits:
        results = results.but(elsewhere=_count_elsewhere(store, asked))
    return _add_advice(store, asked, results) if around or len(hits) <= _FEW else results


def term_shares(store: Store, asked: Search, hits: Sequence[Hit]) -> dict[str, dict[str, float]]:
    """Return the weight of each term, per note among the hits."""
    notes = [hit.note for hit in hits if not isinstance(hit, FoundEpisode)]
    added: dict[str, dict[str, float]] = {note.id: {} for note in notes}
    for term in asked.terms:
        alone = store.search_notes((term,), asked.which, limit=COUNTED, exact=True).fits
        for note_id, by_term in added.items():
            if note_id in alone and alone[note_id].words:
                by_term[term] = alone[note_id].words
    return added


def note_snippets(
    note: Note, query: Collection[str], *, width: int
) -> Iterator[tuple[str, Snippet]]:
    """Yield snippets of the text, and of fields with further words."""
    yield "text", cut_snippet(strip_unsafe(note.text), query, limit=width)
    missing = set(query).difference(*(mark.found for mark in find_marks(note.text, query)))
    for field, value in (
        ("why", note.why),
        ("tag", note.tag),
        ("concepts", ", ".join(note.concepts)),
        ("files", ", ".join(note.files)),
    ):
        found = cut_snippet(strip_unsafe(value), missing, limit=width)
        if found.marks:
            yield field, found


def _search_notes(store: Store, asked: Search, *, most: int) -> list[RankedNote]:
    return search_notes(store, asked.text, asked.which, limit=most, meaning=asked.meaning)


def _count_elsewhere(store: Store, asked: Search) -> dict[str, int]:
    """Count the hits of a wider search."""
    which = asked.which
    wider = {
        "projects": which.but(projects=None),
        "statuses": which.but(statuses=()),
        "filters": NoteFilter(projects=which.projects),
    }
    counted = {
        name: len(_search_notes(store, asked.but(which=other), most=_PROPOSED))
        for name, other in wider.items()
        if other != which
    }
    return {name: count for name, count in counted.items() if count}


def _add_advice(store: Store, asked: Search, results: SearchResults) -> SearchResults:
    """Add related words, and corrections of unknown words."""
    around = NoteFilter(projects=asked.which.projects)
    if not asked.terms:
        return results
    results = results.but(corrected=find_meant_words(store, asked.text, around))
    if store.count_notes(around) > _SMALL:
        return results
    everything = [_words_of(note) for note in store.notes(around, limit=_SMALL)]
    here = [
        list_telling_words(hit.text) if isinstance(hit, FoundEpisode) else _words_of(hit.note)
        for hit in results.hits
    ]
    return results.but(
        related=find_related_words(asked.terms, here, among=everything),
        corrected={**suggest_corrections(asked.text, everything), **results.corrected},
    )


def _term_positions(hit: Hit) -> int:
    return hit.episode.ended_at if isinstance(hit, FoundEpisode) else hit.note.learned_at


def _words_of(note: Note) -> Words:
    return list_telling_words(
        " ".join((note.text, note.why, note.tag, *note.concepts, *note.files))
    )
