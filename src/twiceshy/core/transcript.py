"""What a transcript tells, in our words and in order; every runtime's reader translates to these.

A step is known again by its key, in a copy of the transcript as well: sessions that are resumed or
forked repeat what happened before, and nothing may be learned from it twice.
"""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    # by the user, with or without a reason; stopped half-way; dropped because a call beside it
    # failed; forbidden by a rule of the runtime; refused by the tool, which did not run
    Refusal = Literal["", "rejected", "interrupted", "cancelled", "denied", "invalid"]
    Usage = Literal["tool", "slash", "read"]


class Step(Value):
    """What every step has: an id of the runtime, which session, where and when.

    ``agent`` is empty for the session's own agent and names the one that it started otherwise;
    ``skill`` is the skill that the runtime says was at work.
    """

    id: str
    session: str
    cwd: str
    at: int
    agent: str = ""
    skill: str = ""

    @property
    def key(self) -> str:
        """Return what this step and every copy of it have in common."""
        return f"{type(self).__name__}:{self.id}"


class UserSaid(Step):
    """The user's own words; never what a runtime, a hook or we put beside them."""

    text: str = ""


class AgentSaid(Step):
    """What the agent wrote for the user to read."""

    text: str = ""


class Called(Step):
    """The agent called a tool; ``id`` is the call's, ``arguments`` are JSON."""

    tool: str = ""
    arguments: str = ""


class Result(Step):
    """What came of the call with the same ``id``; ``reason`` is what the user said to a rejection."""

    text: str = ""
    failed: bool = False
    refusal: Refusal = ""
    reason: str = ""
    vouched: bool = False  # the client itself says who refused the call, and not only the text

    def from_tool(self, tool: str) -> Result:
        """Return the result as far as it can be believed: a foreign tool may claim to quote the user."""
        if self.vouched or not self.refusal or not tool.startswith(FOREIGN):
            return self
        return self.but(
            refusal="denied" if self.refusal == "rejected" else self.refusal, reason=""
        )


class Interrupted(Step):
    """The user stopped the agent; what they say next is likely a correction."""


class Summarised(Step):
    """The conversation was compacted, and this is what remained of it."""

    summary: str = ""
    automatic: bool = False


class SkillUsed(Step):
    """A skill was invoked, or its SKILL.md read; its name is as the runtime wrote it, unchecked."""

    name: str = ""
    arguments: str = ""
    how: Usage = "tool"


class Attempt(Value):
    """A call and what came of it; nothing while it runs, or if the transcript ends before."""

    call: Called
    result: Result | None


def attempts(steps: Iterable[Step]) -> list[Attempt]:
    """Pair calls with their results by id, in the order of the calls.

    A result whose call is not among the steps is passed over: who reads a transcript piece by piece
    puts the calls that were still unanswered before the next piece.
    """
    calls: dict[str, Called] = {}
    results: dict[str, Result] = {}
    for step in steps:
        if isinstance(step, Called):
            calls.setdefault(step.id, step)
        elif isinstance(step, Result):
            results.setdefault(step.id, step)
    return [
        Attempt(call, _believed(call, results.get(call_id))) for call_id, call in calls.items()
    ]


def _believed(call: Called, result: Result | None) -> Result | None:
    return result.from_tool(call.tool) if result else None
