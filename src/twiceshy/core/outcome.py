"""What came of one exposure of a note.

Who judges that by the calls that followed is ``effect``.
"""

from __future__ import annotations

from twiceshy.core.value import Value

_AT_A_CALL = ("call", "failure")
# In the order of the columns in which they are kept.
FLAGS = ("opportunity", "followed", "violated", "helped", "harmed", "false_alarm", "failed")


class Outcome(Value):
    """What came of one exposure; nothing at all if no call was about it.

    ``failed``: the mistake was made again behind the exposure. ``calls_lost``: how many calls it took,
    from the first one that failed, until one worked.
    """

    key: str
    note: str
    session: str
    project: str
    channel: str
    withheld: bool
    tokens: int
    opportunity: bool
    followed: bool
    violated: bool
    helped: bool
    harmed: bool
    false_alarm: bool
    failed: bool
    calls_lost: int
    at: int

    @property
    def still_fails(self) -> bool:
        """Tell whether the session saw what the note warns of fail."""
        came_up = self.opportunity and self.channel in _AT_A_CALL
        return self.failed or (came_up and not self.false_alarm)

    @property
    def worked_anyway(self) -> bool:
        """Tell whether the session saw what the note warns of work, and never fail."""
        return not self.failed and (
            self.false_alarm or (self.violated and self.channel not in _AT_A_CALL)
        )
