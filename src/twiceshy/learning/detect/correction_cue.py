"""A cue is a way of correcting: how it is worded, what it weighs, and what sort of correction it makes."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    # ``preference`` holds for all time; ``revert`` takes back what was done; ``not-working`` says
    # that the last attempt did not help, which is an outcome and never a rule
    Sort = Literal["correction", "preference", "revert", "not-working"]


class Cue(Value):
    """A wording is a pattern for a sentence in lower case and in simplified characters."""

    wording: str
    weight: int
    sort: Sort = "correction"


def outcome(wording: str, weight: int = 3) -> Cue:
    """Return a cue that the last attempt did not help."""
    return Cue(wording, weight, "not-working")


def undo(wording: str, weight: int = 3) -> Cue:
    """Return a cue that something has to be taken back."""
    return Cue(wording, weight, "revert")


def policy(wording: str, weight: int = 3) -> Cue:
    """Return a cue that something holds from now on."""
    return Cue(wording, weight, "preference")
