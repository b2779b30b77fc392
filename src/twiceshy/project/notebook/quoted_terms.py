"""Find the quoted terms of a rule: text between quotes or backquotes."""

from __future__ import annotations

from twiceshy.core.value import Value

_CLOSING = {'"': '"', "`": "`", "“": "”", "「": "」", "『": "』"}
_MAX_TERM = 80  # characters; what is longer is a sentence, not a term


class QuotedTerm(Value):
    """Quoted term with the position of its quotes."""

    text: str
    start: int
    end: int


def find_quoted_terms(text: str) -> list[QuotedTerm]:
    """Return the quoted terms in order; scanned without a regex, for use in hooks."""
    found, at = [], 0
    while at < len(text):
        closing = _CLOSING.get(text[at])
        end = text.find(closing, at + 1) if closing else -1
        if end < 0:
            at += 1
            continue
        inside = text[at + 1 : end].strip()
        if inside and len(inside) <= _MAX_TERM and "\n" not in inside:
            found.append(QuotedTerm(inside, at, end + 1))
        at = end + 1
    return found
