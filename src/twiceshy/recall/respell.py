"""Find the words that notes have in place of a question's unknown words, for who asks."""

from __future__ import annotations

from twiceshy.language.misspelled import choose_written, list_edit_terms, may_be_mistyped
from twiceshy.language.related import list_telling_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.filter import NoteFilter
    from twiceshy.core.store import Store

_MOST_WORDS = 8  # of a question; in a longer one a word that is misspelled decides little
_MOST_UNKNOWN = 3
_SHORTEST_BEGIN, _SHORTEST_REST = 7, 3  # letters of a compound's first part, and of the rest
_LOOKED_AT = 20  # notes with a word that is meant


def find_meant_words(store: Store, text: str, which: NoteFilter) -> dict[str, str]:
    """Return the unknown words of a question, each with the word of a note that it may mean.

    Such a word is one letter apart, or begins with the unknown word, as compounds do.
    """
    words = list_telling_words(text)
    if len(words) > _MOST_WORDS:
        return {}
    unknown = [
        word
        for word, terms in words
        if may_be_mistyped(word)
        and not store.search_notes(terms[-1:], which, limit=1, exact=True).notes
    ]
    meant = {
        word: _find_meant(store, word, which) or _find_compound(store, word, which)
        for word in unknown[:_MOST_UNKNOWN]
    }
    return {word: written for word, written in meant.items() if written}


def _find_meant(store: Store, word: str, which: NoteFilter) -> str:
    terms = list_edit_terms(word)
    notes = store.search_notes(tuple(terms), which, limit=_LOOKED_AT, exact=True).notes
    texts = (
        " ".join((note.text, note.why, note.tag, *note.concepts, *note.files)) for note in notes
    )
    return choose_written(terms, texts)


def _find_compound(store: Store, word: str, which: NoteFilter) -> str:
    """Return the shortest word of a note that begins with a long word, ``Telefonnummernprüfung``."""
    ((_, terms),) = list_telling_words(word)[:1] or [("", ())]
    if len(word) < _SHORTEST_BEGIN or not terms or which.projects is None:
        return ""
    begin = terms[-1]
    notes = store.propose_quoting(which.projects, (begin,), limit=_LOOKED_AT)
    found = {
        each: tuple(term for term in own if term.startswith(begin))
        for note in notes
        for each, own in list_telling_words(f"{note.text} {note.why}")
        if len(each) >= len(word) + _SHORTEST_REST
    }
    for each in sorted(found, key=len):
        if found[each] and store.search_notes(found[each], which, limit=1, exact=True).notes:
            return each
    return ""
