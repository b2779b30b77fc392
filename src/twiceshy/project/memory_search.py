"""Search notes, pages, sessions, archives and the diary for a keyword, newest first.

A text matches if it contains the keyword literally, in any case and even inside a word, or if it
contains every word of the keyword in any inflected form.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.store import Store
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.related import find_related_words, list_telling_words, suggest_corrections
from twiceshy.language.snippet import cut_snippet
from twiceshy.language.terms import index_terms, query_terms

MAX_HITS = 20
_EPISODES = ("note", "checkpoint", "compact", "end", "handoff", "diary", "reflect", "archive")
_MAX_MATCHES = 1_000
_MAX_COMPARED = 300  # notes whose words tell which words are rare
_MAX_RELATED = 6
_MAX_NEAREST = 6  # notes that are closest in meaning when none has the word


class SearchHit(Value):
    """Search result: kind, display name, project, time and text of a match."""

    kind: str
    name: str
    project: str
    at: int
    text: str
    concepts: tuple[str, ...] = ()


class SearchReport(Value):
    """Search report: hits, total count, further search words, and numbers searched."""

    hits: tuple[SearchHit, ...]
    counted: int
    related: tuple[str, ...]
    corrected: Mapping[str, str]
    searched: Mapping[str, int]


def search_memory(store: Store, keyword: str, projects: tuple[str, ...] | None) -> SearchReport:
    """Search the notes and episodes of some projects; ``None`` means every project."""
    which = NoteFilter(projects=projects)
    notes = store.notes(which, limit=None)
    episodes = store.list_episodes(projects, kinds=_EPISODES, limit=None)
    hits = sorted(
        (*_search_notes(store, keyword, notes, which), *_search_episodes(keyword, episodes)),
        key=lambda hit: (-hit.at, hit.name),
    )
    pages = sum(note.kind == "page" for note in notes)
    searched = {"notes": len(notes) - pages, "pages": pages, "episodes": len(episodes)}
    known = [list_telling_words(_searchable_text(note)) for note in notes[:_MAX_COMPARED]]
    close = [list_telling_words(hit.text) for hit in hits[:MAX_HITS]] or [
        list_telling_words(_searchable_text(note))
        for note in store.search_notes(query_terms(keyword), which, limit=_MAX_NEAREST).notes
    ]
    related = find_related_words(query_terms(keyword), close, among=known)
    lead_on = tuple(dict.fromkeys((*_count_concepts(hits, keyword), *related)))[:_MAX_RELATED]
    corrected = {} if hits else suggest_corrections(keyword, known)
    return SearchReport(tuple(hits[:MAX_HITS]), len(hits), lead_on, corrected, searched)


def cut_excerpt(text: str, keyword: str, *, width: int) -> str:
    """Cut the first line with the keyword down to ``width`` characters.

    Without a matching line, cut a snippet from the whole text.
    """
    lines = (line for line in text.splitlines() if _fold_text(keyword) in _fold_text(line))
    flat = " ".join(strip_unsafe(next(lines, text)).split())
    at = flat.lower().find(_fold_text(keyword))
    if at < 0 or len(flat) <= width:
        return cut_snippet(flat, query_terms(keyword), limit=width).text[:width]
    start = max(0, min(at - (width - len(keyword)) // 2, len(flat) - width))
    cut = flat[start : start + width]
    before = "…" if start else ""
    after = "…" if start + width < len(flat) else ""
    return before + cut[len(before) : len(cut) - len(after)] + after


def _search_notes(
    store: Store, keyword: str, notes: Sequence[Note], which: NoteFilter
) -> Iterator[SearchHit]:
    fits = store.search_notes(query_terms(keyword), which, limit=_MAX_MATCHES).fits
    for note in notes:
        text = _searchable_text(note)
        covered = note.id in fits and fits[note.id].covered >= 1
        if covered or _fold_text(keyword) in _fold_text(text):
            page = note.kind == "page"
            # a page is written anew again and again; of other notes it counts when they were learned
            at = store.history(note.id)[-1].at if page else note.learned_at
            name = note.tag if page else note.handle
            yield SearchHit(note.kind, name, note.scope.project, at, text, note.concepts)


def _search_episodes(keyword: str, episodes: Sequence[Episode]) -> Iterator[SearchHit]:
    wanted = set(query_terms(keyword))
    for one in episodes:
        parts = (one.title, one.summary, *one.requests, *one.files)
        text = "\n".join(dict.fromkeys(filter(None, parts)))
        literal = _fold_text(keyword) in _fold_text(text)
        if literal or (wanted and wanted <= set(index_terms(text))):
            yield SearchHit(one.kind, f"e{one.id[-6:]}", one.project, one.ended_at, text)


def _count_concepts(hits: Sequence[SearchHit], keyword: str) -> list[str]:
    """Return the concepts most frequent among the hits, without the keyword."""
    counted = Counter(concept for hit in hits for concept in hit.concepts)
    found = (concept for concept in counted if concept != _fold_text(keyword))
    return sorted(found, key=lambda concept: (-counted[concept], concept))[: _MAX_RELATED // 2]


def _searchable_text(note: Note) -> str:
    return "\n".join(filter(None, (note.text, note.why, note.tag, *note.concepts, *note.files)))


def _fold_text(text: str) -> str:
    return " ".join(text.lower().split())
