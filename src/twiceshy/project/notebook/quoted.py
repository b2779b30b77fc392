"""Find the terms that a rule names: what stands between quotes or backticks."""

from __future__ import annotations

from twiceshy.core.value import Value

_CLOSING = {'"': '"', "`": "`", "“": "”", "「": "」", "『": "』"}
_LONGEST = 80  # characters; what is longer is a sentence, not a term


class Quoted(Value):
    """A term, and where it stands with its quotes."""

    text: str
    start: int
    end: int


def quoted(text: str) -> list[Quoted]:
    """Return the terms in order; scanned by hand, because hooks ask for them, too."""
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
