"""Work that only one process may do at a time, and its history."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Protocol

    from twiceshy.core.maintenance import Run
else:
    Protocol = object


class Running(Protocol):
    """Work that only one process may do at a time, and its history."""

    def lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take some work, or keep it for longer, or for no time: give it back.

        False while somebody else does it.
        """

    def begin_run(self, what: str) -> int:
        """Write down that work begins; return by which number it is known."""

    def keep_run(self, number: int, done: str, *, error: str = "", over: bool = True) -> None:
        """Write down what was done so far, as JSON; and that it is over, or went wrong."""

    def runs(self, what: str, *, limit: int = 20) -> list[Run]:
        """Return when work was done and what came of it, the last first."""
