"""How a store stays small."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol, TypeVar

    from twiceshy.core.evidence import Episode
    from twiceshy.core.retention import Retention
    from twiceshy.core.view import View

    T = TypeVar("T")
else:
    Protocol = object


class Standpoint(Value):
    """What stands under one id of a project: notes that are shown, sessions, episodes; and when last."""

    project: str
    notes: int
    sessions: int
    episodes: int
    seen_at: int


class Upkeep(Protocol):
    """How a store stays small."""

    def fold(self, archive: Episode, episodes: Sequence[str]) -> None:
        """Keep an archive in place of what it was, and of these episodes with all their history."""

    def let_go(self, episodes: Sequence[str]) -> None:
        """Remove episodes with all their history; nobody is asked, and nothing tells that they were."""

    def prune(self, rules: Retention, *, there: Callable[[str], bool]) -> Mapping[str, int]:
        """Remove what nobody can ask for any more; return how many rows of which table.

        ``there`` tells whether a transcript is still there.
        """

    def shrink(self) -> int:
        """Give room back that nothing takes up any more, if that pays; return how many bytes."""

    def views(self, path: str = "") -> list[View]:
        """Return what we wrote last to a file, or to every file, in the order of their paths."""

    def keep_view(self, view: View) -> None:
        """Write down what we wrote to a file."""

    def drop_view(self, path: str) -> None:
        """Forget that we wrote to a file."""

    def standpoints(self) -> list[Standpoint]:
        """Return every id under which something of a project stands, in order."""
