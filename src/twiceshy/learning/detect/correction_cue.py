"""Define a correction cue: wording, weight and category."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    # ``preference`` holds for all time; ``revert`` takes back what was done; ``not-working`` says
    # that the last attempt did not help, which is an outcome and never a rule
    Sort = Literal["correction", "preference", "revert", "not-working"]


class Cue(Value):
    """A cue; ``wording`` is a pattern for lower case and simplified characters."""

    wording: str
    weight: int
    category: Sort = "correction"


def outcome_cue(wording: str, weight: int = 3) -> Cue:
    """Build a cue for a failed last attempt."""
    return Cue(wording, weight, "not-working")


def revert_cue(wording: str, weight: int = 3) -> Cue:
    """Build a cue for work to revert."""
    return Cue(wording, weight, "revert")


def preference_cue(wording: str, weight: int = 3) -> Cue:
    """Build a cue for a lasting preference."""
    return Cue(wording, weight, "preference")
