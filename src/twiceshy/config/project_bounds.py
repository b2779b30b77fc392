"""Bounds of the lists that a project's file may add to: a hostile one could blank or stop everything."""

from __future__ import annotations

from twiceshy.core.value import Value


class ListBounds(Value):
    """How many items a project may add, and how many letters and digits each has."""

    most: int
    shortest: int
    longest: int

    def fits(self, item: str) -> bool:
        """True if an item is long enough to mean something, and short enough to be looked for."""
        meant = sum(character.isalnum() for character in item)
        return self.shortest <= meant and len(item) <= self.longest


PROJECT_BOUNDS = {
    # "that" or "error" would blank half of each note
    "redact.extra": ListBounds(most=20, shortest=8, longest=200),
    # "*" would make each file sensitive
    "guards.protected": ListBounds(most=50, shortest=3, longest=200),
}
# They count for texts of that project only, never for exports, sync or other projects.
APART = frozenset(("redact.extra",))
