"""Scope of a note: one project or everywhere, one skill or none."""

from __future__ import annotations

from twiceshy.core.value import Value

EVERYWHERE = "*"
NO_SKILL = ""


class Scope(Value):
    """A pair of project and skill; a note has exactly one scope."""

    project: str = EVERYWHERE
    skill: str = NO_SKILL

    def can_see(self, other: Scope) -> bool:
        """True if work in this scope may be shown notes of ``other``."""
        return other.project in (self.project, EVERYWHERE) and other.skill == self.skill

    def __str__(self) -> str:
        where = "everywhere" if self.project == EVERYWHERE else self.project
        return f"{where}, skill {self.skill}" if self.skill else where


GLOBAL = Scope()
