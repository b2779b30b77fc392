"""What a rescue of a damaged store saved."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


class RescueReport(Value):
    """What a rescue of a damaged store saved: the set-aside file, the rows read, the notes there are.

    ``whole`` is True if only the header was damaged, and nothing was lost. ``copy_at`` is the time of
    the copy that completed the rest, 0 without one, and ``completed`` the notes it had something for.
    """

    path: str
    rows: Mapping[str, int]
    notes: int = 0
    whole: bool = False
    copy_at: int = 0
    completed: int = 0
