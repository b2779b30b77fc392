"""Find the quoted terms of a rule: text between quotes or backquotes."""

from __future__ import annotations

from twiceshy.core.value import Value

_CLOSING = {'"': '"', "`": "`", "“": "”", "「": "」", "『": "』"}
_LONGEST = 80  # characters; what is longer is a sentence, not a term


class Quoted(Value):
    """Quoted term with the position of its quotes."""

    text: str
    start: int
    end: int


def quoted(text: str) -> list[Quoted]:
    """Return the quoted terms in order; scanned without a regex, for use in hooks."""
    found, at = [], 0
    while at < len(text):
        closing = _CLOSING.get(text[at])
        end = text.find(closing, at + 1) if closing else -1
        if end < 0:
            at += 1
            continue
        inside = text[at + 1 : end].strip()
        if inside and len(inside) <= _LONGEST and "\n" not in inside:
            found.append(Quoted(inside, at, end + 1))
        at = end + 1
    return found
