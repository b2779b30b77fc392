"""Echoes: what a tool prints or a user pastes of our own notes teaches nothing."""

from __future__ import annotations

from twiceshy.core.text import normalise_text
from twiceshy.core.trigger import list_quoted_errors, read_evidence
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Set

    from twiceshy.learning.state import LearningState

_ECHO_SHARE = 0.65  # share of words by which what was printed is what we said


def is_echo(state: LearningState, line: str) -> bool:
    """True if a line repeats a note that the session was told.

    A note quotes the error of its mistake: a line that is more like the error than like the
    note is the mistake itself.
    """
    words = telling_terms_of(line)
    for note in state.list_shown_notes() if words else ():
        share = _share_words(words, telling_terms_of(note.text))
        quotes = list_quoted_errors(read_evidence(note))
        quoted = max((_share_words(words, telling_terms_of(each)) for each in quotes), default=0.0)
        if share >= _ECHO_SHARE and share > quoted:
            return True
    return False


def is_pasted(state: LearningState, text: str) -> bool:
    """True if a text is part of a note that the session was told, word for word."""
    said = normalise_text(text)
    return any(said in normalise_text(note.text) for note in state.list_shown_notes())


def _share_words(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / len(one | other)
