"""Cut the part of a text that answers a query best, and mark the matching words."""

from __future__ import annotations

from itertools import groupby

from twiceshy.core.value import Value
from twiceshy.language.terms import JOINERS, index_terms, tell_language

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.language.tongue import Tongue

    Span = tuple[int, int]

_CUT = "…"
_NARROWEST = 20
# Where scripts begin that are written without blanks, and where wide Latin letters follow them.
_DENSE, _WIDE = "\u2e80", "\uff00"
# What may begin a word without being a part of it; the hyphens of --no-verify are.
_LEADING = JOINERS.replace("-", "").replace("_", "")
# So far the ends of a snippet are drawn in to where a word ends.
_DRAWN_IN = 20


class Mark(Value):
    """Position of a matched index term in a text."""

    start: int
    end: int
    found: frozenset[str]


class Snippet(Value):
    """A part of a text on a single line, with the positions of matched words."""

    text: str
    marks: tuple[Span, ...]


def cut_snippet(text: str, query: Collection[str], *, limit: int) -> Snippet:
    """Cut at most ``limit`` characters around the densest place of query terms."""
    flat = " ".join(text.split())
    limit = max(limit, _NARROWEST)
    marks = list(find_marks(flat, query))
    if len(flat) <= limit:
        return Snippet(flat, _join_marks([(mark.start, mark.end) for mark in marks]))
    start, end = _widen_window(flat, _best_window(marks, room=limit - 2 * len(_CUT)), limit)
    before, after = _CUT if start else "", _CUT if end < len(flat) else ""
    shift = len(before) - start
    inside = [
        (max(mark.start, start) + shift, min(mark.end, end) + shift)
        for mark in marks
        if mark.start < end and mark.end > start
    ]
    return Snippet(before + flat[start:end] + after, _join_marks(inside))


def find_marks(text: str, query: Collection[str]) -> Iterator[Mark]:
    """Yield the positions of query terms: words, identifier parts, Chinese pairs."""
    wanted = frozenset(query)
    tongue = tell_language(text)
    for start, run, dense in split_runs(text):
        for at, piece in _pair_marks(run) if dense else _word_marks(run, wanted, tongue):
            if found := wanted.intersection(index_terms(piece, tongue=tongue)):
                yield Mark(start + at, start + at + len(piece), found)


def split_runs(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield words and runs of Chinese characters: position, text, and class."""
    start = 0
    for dense, group in groupby(text, _character_class):
        run = "".join(group)
        if dense is not None:
            yield start, run, dense
        start += len(run)


def _character_class(char: str) -> bool | None:
    """Return the class of a character; None for separators."""
    if char.isalnum():
        return _DENSE <= char < _WIDE
    return False if char in JOINERS or (not char.isascii() and _is_accent(char)) else None


def _is_accent(char: str) -> bool:
    import unicodedata  # noqa: PLC0415 - a shared library; plain English never needs it

    return unicodedata.combining(char) != 0


def _pair_marks(run: str) -> Iterator[tuple[int, str]]:
    for at in range(max(1, len(run) - 1)):
        yield at, run[at : at + 2]


def _word_marks(
    run: str, wanted: frozenset[str], tongue: Tongue | None
) -> Iterator[tuple[int, str]]:
    """Yield an identifier whole if queried whole, else its parts."""
    begun = len(run) - len(run.lstrip(_LEADING))
    word = run[begun:].rstrip(JOINERS)
    found = index_terms(word, tongue=tongue)
    if wanted.isdisjoint(found):
        return
    if found[-1] in wanted:
        yield begun, word
        return
    start = 0
    for at in range(1, len(word) + 1):
        if at == len(word) or _begins_part(word, at):
            piece = word[start:at].strip(JOINERS)
            yield begun + start + word[start:at].find(piece), piece
            start = at


def _begins_part(word: str, at: int) -> bool:
    """True if an identifier part begins here: after a joiner, or at a capital."""
    before, here, after = word[at - 1], word[at], word[at + 1 : at + 2]
    if before in JOINERS:
        return here not in JOINERS
    return here.isupper() and (not before.isupper() or after.islower())


def _best_window(marks: Sequence[Mark], *, room: int) -> Span:
    """Return the window within ``room`` with most distinct terms, then marks; the first of equals."""
    best, begun, within = (0, 0, 0, 0), 0, dict[str, int]()
    for last, mark in enumerate(marks):
        for term in mark.found:
            within[term] = within.get(term, 0) + 1
        while mark.end - marks[begun].start > room and begun < last:
            for term in marks[begun].found:
                within[term] -= 1
            begun += 1
        different = sum(count > 0 for count in within.values())
        best = max(best, (different, last - begun + 1, -begun, -last))
    _, _, first, final = best
    return (marks[-first].start, marks[-final].end) if marks else (0, 0)


def _widen_window(text: str, core: Span, limit: int) -> Span:
    """Widen a window evenly, and move its ends to word boundaries."""
    room = limit - 2 * len(_CUT)
    spare = max(0, room - (core[1] - core[0]))
    start = max(0, min(core[0] - spare // 2, len(text) - room))
    if start <= len(_CUT):
        start = 0
    end = min(len(text), start + limit - len(_CUT) * (1 + bool(start)))
    if start:
        blank = text.find(" ", start - 1, min(core[0], start + _DRAWN_IN))
        start = start if blank < 0 else blank + 1
    if end < len(text):
        blank = text.rfind(" ", max(core[1], end - _DRAWN_IN), end + 1)
        end = end if blank < 0 else blank
    return start, end


def _join_marks(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Join marks that overlap or touch."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
