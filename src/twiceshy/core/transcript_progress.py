"""What must be remembered between two looks at a transcript."""

from __future__ import annotations

from twiceshy.core.value import Value

CLOSED = '{"closed":true'  # how the state of a watch begins that waits for nothing


class Reading(Value):
    """How far a transcript was read; ``state`` is what is known of its end, a text of the watch."""

    path: str
    session: str
    position: str
    state: str
    at: int

    @property
    def closed(self) -> bool:
        """Tell whether nothing is waited for, as far as anybody knows."""
        return self.state.startswith(CLOSED)
