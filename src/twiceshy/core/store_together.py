"""What sessions must know of each other: who changed what, and what was shown to whom."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from twiceshy.core.session import Changed
else:
    Protocol = object


class Together(Protocol):
    """The part of a store that sessions share. ``author`` is the session that writes, if one does."""

    author: str

    def mark(self) -> int:
        """Return how far the journal is by this device's clock; whatever comes later is above it."""

    def changed(
        self, projects: Sequence[str], *, since: int, but: str = "", kinds: Sequence[str]
    ) -> list[Changed]:
        """Return the notes that were written or edited since a mark, not by one session, last first."""

    def fill(self, session: str, percent: int) -> None:
        """Write down how much of a session's context is used."""
