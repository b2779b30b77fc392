"""Progress of reading a transcript, kept between two passes."""

from __future__ import annotations

from twiceshy.core.value import Value

CLOSED = '{"closed":true'  # how the state of a watch begins that waits for nothing


class TranscriptProgress(Value):
    """Position in a transcript; ``state`` holds the open findings as text."""

    path: str
    session: str
    position: str
    state: str
    at: int

    @property
    def is_closed(self) -> bool:
        """True if no finding is open at the end."""
        return self.state.startswith(CLOSED)
