"""Outcome of one chaos run: the counts that it prints, and a line for each broken promise."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """The result of a run; a run without bad lines kept every promise."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)

    def count(self, what: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[what] = self.counts.get(what, 0) + number

    def render_row(self) -> str:
        """Return one table row: the name, the counts, and the number of bad ones."""
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        return f"{self.name:<8} {len(self.bad):>4} bad   {counts}"
