"""Where a note applies: one project or everywhere, one skill or none in particular."""

from __future__ import annotations

from twiceshy.core.value import Value

EVERYWHERE = "*"
NO_SKILL = ""


class Scope(Value):
    """One cell of projects by skills; a note lives in exactly one."""

    project: str = EVERYWHERE
    skill: str = NO_SKILL

    def sees(self, other: Scope) -> bool:
        """Tell whether work done here may be shown a note that lives in ``other``."""
        return other.project in (self.project, EVERYWHERE) and other.skill == self.skill

    def __str__(self) -> str:
        where = "everywhere" if self.project == EVERYWHERE else self.project
        return f"{where}, skill {self.skill}" if self.skill else where


GLOBAL = Scope()
