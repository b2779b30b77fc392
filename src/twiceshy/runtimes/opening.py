"""What the first records of a transcript say about it, whichever runtime wrote them."""

from __future__ import annotations

from twiceshy.core.value import Value


class Opening(Value):
    """The sessions that a transcript says it belongs to, where it began, and when."""

    sessions: frozenset[str]
    cwd: str
    at: str
