"""Search notes, pages, sessions, archives and the diary for a keyword, newest first.

A text matches if it contains the keyword literally, in any case and even inside a word, or if it
contains every word of the keyword in any inflected form.
"""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean
from twiceshy.core.value import Value
from twiceshy.language.related import corrected, related, words
from twiceshy.language.snippet import snippet
from twiceshy.language.terms import query_terms, terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

MOST = 20
_EPISODES = ("note", "checkpoint", "compact", "end", "handoff", "diary", "reflect", "archive")
_EVERY = 1_000_000
_PROPOSED = 1_000
_COMPARED = 300  # notes whose words tell which words are rare
_RELATED = 6
_NEAR = 6  # notes that are closest in meaning when none has the word


class Hit(Value):
    """Search result: kind, display name, project, time and text of a match."""

    kind: str
    name: str
    project: str
    at: int
    text: str
    concepts: tuple[str, ...] = ()


class Looked(Value):
    """Search report: hits, total count, further search words, and numbers searched."""

    hits: tuple[Hit, ...]
    counted: int
    related: tuple[str, ...]
    corrected: Mapping[str, str]
    searched: Mapping[str, int]


def look_for(store: Store, keyword: str, projects: tuple[str, ...] | None) -> Looked:
    """Search the notes and episodes of some projects; ``None`` means every project."""
    which = Filter(projects=projects)
    notes = store.notes(which, limit=_EVERY)
    everywhere = (*store.projects(), EVERYWHERE) if projects is None else projects
    episodes = store.episodes(everywhere, kinds=_EPISODES, limit=_EVERY)
    hits = sorted(
        (*_in_notes(store, keyword, notes, which), *_in_episodes(keyword, episodes)),
        key=lambda hit: (-hit.at, hit.name),
    )
    pages = sum(note.kind == "page" for note in notes)
    searched = {"notes": len(notes) - pages, "pages": pages, "episodes": len(episodes)}
    known = [words(_text_of(note)) for note in notes[:_COMPARED]]
    close = [words(hit.text) for hit in hits[:MOST]] or [
        words(_text_of(note))
        for note in store.matching(query_terms(keyword), which, limit=_NEAR).notes
    ]
    lead_on = (*_concepts(hits, keyword), *related(query_terms(keyword), close, among=known))
    return Looked(
        tuple(hits[:MOST]),
        len(hits),
        tuple(dict.fromkeys(lead_on))[:_RELATED],
        {} if hits else corrected(keyword, known),
        searched,
    )


def excerpt(text: str, keyword: str, *, width: int) -> str:
    """Cut the first line with the keyword down to ``width`` characters.

    Without a matching line, cut a snippet from the whole text.
    """
    lines = (line for line in text.splitlines() if _folded(keyword) in _folded(line))
    flat = " ".join(clean(next(lines, text)).split())
    at = flat.lower().find(_folded(keyword))
    if at < 0 or len(flat) <= width:
        return snippet(flat, query_terms(keyword), limit=width).text[:width]
    start = max(0, min(at - (width - len(keyword)) // 2, len(flat) - width))
    cut = flat[start : start + width]
    before = "…" if start else ""
    after = "…" if start + width < len(flat) else ""
    return before + cut[len(before) : len(cut) - len(after)] + after


def _in_notes(store: Store, keyword: str, notes: Sequence[Note], which: Filter) -> Iterator[Hit]:
    fits = store.matching(query_terms(keyword), which, limit=_PROPOSED).fits
    for note in notes:
        text = _text_of(note)
        if _folded(keyword) in _folded(text) or (note.id in fits and fits[note.id].covered >= 1):
            page = note.kind == "page"
            # a page is written anew again and again; of other notes it counts when they were learned
            at = store.history(note.id)[-1].at if page else note.learned_at
            name = note.tag if page else note.handle
            yield Hit(note.kind, name, note.scope.project, at, text, note.concepts)


def _in_episodes(keyword: str, episodes: Sequence[Episode]) -> Iterator[Hit]:
    wanted = set(query_terms(keyword))
    for one in episodes:
        parts = (one.title, one.summary, *one.requests, *one.files)
        text = "\n".join(dict.fromkeys(filter(None, parts)))
        if _folded(keyword) in _folded(text) or (wanted and wanted <= set(terms(text))):
            yield Hit(one.kind, f"e{one.id[-6:]}", one.project, one.ended_at, text)


def _concepts(hits: Sequence[Hit], keyword: str) -> list[str]:
    """Return the concepts most frequent among the hits, without the keyword."""
    counted: dict[str, int] = {}
    for concept in (concept for hit in hits for concept in hit.concepts):
        counted[concept] = counted.get(concept, 0) + 1
    found = (concept for concept in counted if concept != _folded(keyword))
    return sorted(found, key=lambda concept: (-counted[concept], concept))[: _RELATED // 2]


def _text_of(note: Note) -> str:
    return "\n".join(filter(None, (note.text, note.why, note.tag, *note.concepts, *note.files)))


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
