"""Facts in the first records of a transcript."""

from __future__ import annotations

from twiceshy.core.value import Value


class TranscriptOpening(Value):
    """Sessions of a transcript, start directory, and start time."""

    sessions: frozenset[str]
    cwd: str
    at: str
