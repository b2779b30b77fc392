"""The outcome of an exposure. The rules of judgement are in ``effect/judge.py``."""

from __future__ import annotations

from twiceshy.core.value import Value

_AT_A_CALL = ("call", "failure")
# In the order of the columns in which they are kept.
FLAGS = ("opportunity", "followed", "violated", "helped", "harmed", "false_alarm", "failed")


class Outcome(Value):
    """The outcome of an exposure; empty flags if no call was related.

    ``failed``: the mistake was repeated after the exposure. ``calls_lost``: number of calls from
    the first failing call until a working call.
    """

    key: str
    note: str
    session: str
    project: str
    channel: str
    at: int
    withheld: bool = False
    tokens: int = 0
    opportunity: bool = False
    followed: bool = False
    violated: bool = False
    helped: bool = False
    harmed: bool = False
    false_alarm: bool = False
    failed: bool = False
    calls_lost: int = 0
    lot: int = 0  # as the exposure has it; only sessions with a lot can be compared

    @property
    def sessions(self) -> int:
        """Return the number of sessions with this outcome."""
        return 1

    @property
    def last_at(self) -> int:
        """Return the last time of this outcome."""
        return self.at

    @property
    def still_fails(self) -> bool:
        """True if the call the note warns of failed in this session."""
        came_up = self.opportunity and self.channel in _AT_A_CALL
        return self.failed or (came_up and not self.false_alarm)

    @property
    def worked_anyway(self) -> bool:
        """True if the call the note warns of worked in this session, and never failed."""
        return not self.failed and (
            self.false_alarm or (self.violated and self.channel not in _AT_A_CALL)
        )
