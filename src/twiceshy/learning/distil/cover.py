"""Measure the share of a text said by the user or run as a command.

The rest is a model's, or a tool's. A model that distils has read tool output, and may have
been manipulated by it. Therefore a text is trusted only as far as its words come from
elsewhere. Words common to any lesson do not count. Words of the user and of commands count
fully, words of the agent count half, and not at all where a tool had printed them before. A
name, path, number, option or anything between backticks is concrete: concrete terms do the
harm, so a single one without a trusted source is too much. And so is a text of which more
than half stands word for word in tool output.

Measured on 255 real sessions: of 2,003 sentences that tools printed 15 pass, all of them
repeating what was run (331 without the last rule); of 960 sentences that users wrote 956
pass.
"""

from __future__ import annotations

from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.language.similar import words_of
from twiceshy.language.stem import stem
from twiceshy.language.terms import JOINERS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.learning.distil.material import Span

ENOUGH = 0.6
_RUN = 4  # words
_DENSE = "\u2e80"
# What a lesson is made of whatever it is about.
_FRAME = frozenset(
    map(
        stem,
        """add again always another avoid back better break call cannot cause change check command
        correct detail directly different else end ensure error even every exactly execute exist
        expect fail failure fall file find first fix folder follow found give given go happen
        help hence here however instead invoke issue keep know last later lead least let line long
        look mean must need never new next note old omit one open option order otherwise output
        pass place prefer problem project rather read reason remember repo repository require
        result return right run runs safe save second see set show since skip solve some start
        step still stop succeed sure take tell though three time tool treat try turn twice two
        version want way without work write wrong yet""".split(),
    )
)


def covered(text: str, spans: Sequence[Span]) -> float:
    """Return the share of a text, from 0 to 1, with words from trusted sources."""
    grams = telling_grams(text)
    if not grams:
        return 0.0  # it names nothing, so nothing can be said for it
    trusted = [span.text for span in spans if _is_trusted(span)]
    firm = _grams(trusted)
    if not all(_stands(gram, firm, trusted) for gram in concrete(text)):
        return 0.0
    if _copied(text, spans):
        return 0.0
    echoed = _grams(span.text for span in spans if ORIGINS[span.origin] < INJECTABLE)
    thought = _grams(span.text for span in spans if ORIGINS[span.origin] == INJECTABLE)
    half = (grams & thought) - firm - echoed
    return (len(grams & firm) + len(half) / 2) / len(grams)


def trust_by(text: str, spans: Sequence[Span]) -> float:
    """Return the trust in a model's text: as an agent's words, or as tool output."""
    enough = covered(text, spans) >= ENOUGH
    return ORIGINS["assistant"] if enough else ORIGINS["output"]


def telling_grams(text: str) -> frozenset[str]:
    """Return the terms of a text, without words common to any lesson."""
    return _words(text) - _FRAME


def _words(text: str) -> frozenset[str]:
    """Return the terms of a text, without redaction marks."""
    return words_of(_unmarked(text))


def _unmarked(text: str) -> str:
    if "[" not in text:
        return text
    from twiceshy.safety.redact.marks import marks  # noqa: PLC0415 - the rules cost as much as Python

    for start, end in reversed(marks(text)):  # only real ones: a forged one could hide an order
        text = f"{text[:start]} {text[end:]}"
    return text


def concrete(text: str) -> set[str]:
    """Return the concrete terms: names, paths, numbers, options, and code in backticks."""
    whole = {gram for gram in telling_grams(text) if _shaped(gram)}
    for code in text.split("`")[1::2]:
        whole |= _words(code)
    return whole


def _copied(text: str, spans: Sequence[Span]) -> bool:
    """True if more than half of a text are runs of words found only in tool output."""
    words = _spelled(text)
    printed: set[tuple[str, ...]] = set()
    trusted: set[tuple[str, ...]] = set()
    for span in spans:
        if ORIGINS[span.origin] != INJECTABLE:
            (trusted if _is_trusted(span) else printed).update(_runs(_spelled(span.text)))
    alone = printed - trusted
    copied = {
        place
        for start, run in enumerate(_runs(words))
        if run in alone
        for place in range(start, start + _RUN)
    }
    return 2 * len(copied) > len(words)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]


def _spelled(text: str) -> list[str]:
    """Return the words of a text as written; a Chinese character is a word."""
    spaced = (char if char.isalnum() else " " for char in text.casefold())
    return "".join(f" {char} " if char > _DENSE else char for char in spaced).split()


def _is_trusted(span: Span) -> bool:
    return ORIGINS[span.origin] > INJECTABLE


def _grams(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(_words, texts))


def _shaped(gram: str) -> bool:
    return any(char.isdigit() or char in JOINERS for char in gram)


def _stands(gram: str, firm: frozenset[str], trusted: Sequence[str]) -> bool:
    """True if a term was said, exactly or within a longer path; an option only exactly."""
    if gram in firm:
        return True
    return not gram.startswith("-") and any(_part(gram, text.casefold()) for text in trusted)


def _part(gram: str, text: str) -> bool:
    at = text.find(gram)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(gram) : at + len(gram) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(gram, at + 1)
    return False
