"""Cut a long text so that the sentence that answers a question best comes first, and whole."""

from __future__ import annotations

from math import log

from twiceshy.core.text import fold_to_words
from twiceshy.core.value import Value
from twiceshy.language.snippet import cut_snippet, find_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.language.snippet import Mark, Span

_CUT = "…"
_ENDS, _DENSE_ENDS = ".!?;", "。！？；"


class Excerpt(Value):
    """A part of a text, and the sentence that answers best; ``whole`` if the part has all of it."""

    text: str
    sentence: str
    whole: bool


def cut_to_sentence(text: str, query: Collection[str], *, limit: int) -> Excerpt:
    """Cut at most ``limit`` characters that begin with the sentence that answers best.

    What follows that sentence fills the rest. A sentence that is too long is cut around its
    matching words. A text without a matching word is cut behind its first words.
    """
    flat = " ".join(text.split())
    spans = _split_sentences(flat)
    marks = list(find_marks(flat, query))
    if not marks:
        return Excerpt(fold_to_words(flat, limit=limit), "", whole=True)
    start, end = _choose_sentence(spans, marks)
    sentence = flat[start:end]
    if len(flat) <= limit:
        return Excerpt(flat, sentence, whole=True)
    before, after = _CUT if start else "", _CUT if end < len(flat) else ""
    if len(before) + len(sentence) + len(after) > limit:
        return Excerpt(cut_snippet(sentence, query, limit=limit).text, sentence, whole=False)
    rest = fold_to_words(flat[start:], limit=limit - len(before))
    if len(rest) <= len(sentence):  # the words behind the sentence do not fit
        rest = sentence + after
    return Excerpt(before + rest, sentence, whole=True)


def _split_sentences(flat: str) -> list[Span]:
    """Return where the sentences of a text on one line begin and end."""
    spans: list[Span] = []
    start = 0
    for at, sign in enumerate(flat, start=1):
        if sign in _DENSE_ENDS or (sign in _ENDS and flat[at : at + 1] in ("", " ")):
            spans.append((start, at))
            start = at + (flat[at : at + 1] == " ")
    return [*spans, (start, len(flat))] if start < len(flat) else spans


def _choose_sentence(spans: Sequence[Span], marks: Sequence[Mark]) -> Span:
    """Return the sentence with most of the words, those counting most that few sentences have."""
    found: list[frozenset[str]] = []
    for start, end in spans:
        inside = [mark.found for mark in marks if start <= mark.start < end]
        found.append(frozenset[str]().union(*inside))
    rarity = {
        term: log(1 + len(spans) / sum(term in each for each in found))
        for term in frozenset[str]().union(*found)
    }
    weights = [sum(sorted([rarity[term] for term in each])) for each in found]
    return spans[weights.index(max(weights))]
