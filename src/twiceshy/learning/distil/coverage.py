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

from collections.abc import Iterable, Sequence

from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.language.similar import telling_terms_of
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import JOINERS
from twiceshy.learning.distil.material import MaterialSpan

ENOUGH = 0.6
_RUN = 4  # words
_DENSE = "\u2e80"
# What a lesson is made of whatever it is about.
_FRAME = frozenset(
    map(
        stem_word,
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


def measure_coverage(text: str, spans: Sequence[MaterialSpan]) -> float:
    """Return the share of a text, from 0 to 1, with words from trusted sources."""
    terms = find_telling_terms(text)
    if not terms:
        return 0.0  # it names nothing, so nothing can be said for it
    trusted = [span.text for span in spans if _is_trusted(span)]
    firm = _collect_terms(trusted)
    if not all(_is_supported(term, firm, trusted) for term in find_concrete_terms(text)):
        return 0.0
    if _is_copied(text, spans):
        return 0.0
    echoed = _collect_terms(span.text for span in spans if ORIGINS[span.origin] < INJECTABLE)
    thought = _collect_terms(span.text for span in spans if ORIGINS[span.origin] == INJECTABLE)
    half = (terms & thought) - firm - echoed
    return (len(terms & firm) + len(half) / 2) / len(terms)


def find_trust(text: str, spans: Sequence[MaterialSpan]) -> float:
    """Return the trust in a model's text: as an agent's words, or as tool output."""
    enough = measure_coverage(text, spans) >= ENOUGH
    return ORIGINS["assistant"] if enough else ORIGINS["output"]


def find_telling_terms(text: str) -> frozenset[str]:
    """Return the terms of a text, without words common to any lesson."""
    return _list_terms(text) - _FRAME


def _list_terms(text: str) -> frozenset[str]:
    """Return the terms of a text, without redaction marks."""
    return telling_terms_of(_strip_marks(text))


def _strip_marks(text: str) -> str:
    if "[" not in text:
        return text
    from twiceshy.safety.redact.marks import find_marks  # noqa: PLC0415 - the rules cost as much as Python

    for start, end in reversed(find_marks(text)):  # a forged mark could hide an order
        text = f"{text[:start]} {text[end:]}"
    return text


def find_concrete_terms(text: str) -> set[str]:
    """Return the concrete terms: names, paths, numbers, options, and code in backticks."""
    whole = {
        term
        for term in find_telling_terms(text)
        if any(char.isdigit() or char in JOINERS for char in term)
    }
    for code in text.split("`")[1::2]:
        whole |= _list_terms(code)
    return whole


def _is_copied(text: str, spans: Sequence[MaterialSpan]) -> bool:
    """True if more than half of a text are runs of words found only in tool output."""
    words = _split_words(text)
    printed: set[tuple[str, ...]] = set()
    trusted: set[tuple[str, ...]] = set()
    for span in spans:
        if ORIGINS[span.origin] != INJECTABLE:
            (trusted if _is_trusted(span) else printed).update(_list_runs(_split_words(span.text)))
    alone = printed - trusted
    copied = {
        place
        for start, run in enumerate(_list_runs(words))
        if run in alone
        for place in range(start, start + _RUN)
    }
    return 2 * len(copied) > len(words)


def _list_runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]


def _split_words(text: str) -> list[str]:
    """Return the words of a text as written; a Chinese character is a word."""
    spaced = (char if char.isalnum() else " " for char in text.casefold())
    return "".join(f" {char} " if char > _DENSE else char for char in spaced).split()


def _is_trusted(span: MaterialSpan) -> bool:
    return ORIGINS[span.origin] > INJECTABLE


def _collect_terms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(_list_terms, texts))


def _is_supported(term: str, firm: frozenset[str], trusted: Sequence[str]) -> bool:
    """True if a term was said, exactly or within a longer path; an option only exactly."""
    if term in firm:
        return True
    return not term.startswith("-") and any(_is_word_in(term, text.casefold()) for text in trusted)


def _is_word_in(term: str, text: str) -> bool:
    at = text.find(term)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(term) : at + len(term) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(term, at + 1)
    return False
