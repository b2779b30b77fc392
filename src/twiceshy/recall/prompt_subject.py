"""Find the note of a person or an agent whose subject a prompt is about.

A few words in common are chance. A sentence of the prompt must hold a good part of the note's telling
words, among them some that other notes lack.
"""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.language.terms import MAX_PASSAGE, MAX_TERMS, query_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import HookStore

_KINDS = ("lesson", "decision", "pattern", "issue", "preference")
_PROPOSED = 12  # notes that the index finds, best first
_ENDS = (
    ". ",
    "! ",
    "? ",
    "。",
    "！",
    "？",
    "；",
)  # of sentences; hooks load no regular expressions for them
# words in common, and their share of the note's words: both of a pair must be reached
_STRONG = ((4, 0.5), (5, 0.4), (6, 0.3))
_LOOKED_AT = 50  # notes, to find out whether any was written by somebody
_FEWEST_RARE = 2  # of the words in common
_MOST_HOLDING = 2  # proposed notes that hold a rare word


def find_note_about_prompt(
    store: HookStore, projects: Sequence[str], text: str, *, sources: Collection[str]
) -> list[Note]:
    """Return the note of these sources that a prompt is most about; empty if no match is strong."""
    which = NoteFilter(projects=tuple(projects), kinds=_KINDS, skill="")
    newest = store.notes(which, limit=_LOOKED_AT)
    if len(newest) < _LOOKED_AT and not any(note.source in sources for note in newest):
        return []
    terms = query_terms(text)
    passages: tuple[tuple[str, ...], ...] = ()
    if len(terms) > MAX_PASSAGE:
        from twiceshy.recall.recall_notes import split_query

        terms, passages = split_query(text)
    terms = terms[:MAX_TERMS]
    hits = store.search_notes(terms, which, limit=_PROPOSED, passages=passages, exact=True)
    found = hits.notes
    words = {note.id: frozenset(query_terms(note.text)) for note in found}
    sentences = [frozenset(query_terms(each)) for each in _split_sentences(text)]
    best: tuple[int, Note] | None = None
    for note in found:
        fit = max(_measure_fits(words[note.id], sentences, words.values()), default=0)
        if note.source in sources and fit > (best[0] if best else 0):
            best = fit, note
    return [best[1]] if best else []


def _split_sentences(text: str) -> list[str]:
    """Split a prompt at the ends of its sentences and lines."""
    for end in _ENDS:
        text = text.replace(end, "\n")
    return text.split("\n")


def _measure_fits(
    words: frozenset[str],
    sentences: Sequence[frozenset[str]],
    proposed: Collection[frozenset[str]],
) -> Iterator[int]:
    """Yield the number of words in common for each sentence that is about a note."""
    for sentence in sentences:
        common = words & sentence
        if not any(
            len(common) >= count and len(common) >= share * len(words) for count, share in _STRONG
        ):
            continue
        rare = [word for word in common if sum(word in each for each in proposed) <= _MOST_HOLDING]
        if len(rare) >= _FEWEST_RARE:
            yield len(common)
