"""Steps of a transcript, in our words; each runtime's reader translates to these.

Every step has a key, equal in copies of the transcript: resumed and forked sessions repeat
earlier steps, and nothing may be learned twice.
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

CLOSED = '{"closed":true'  # how the state of a watch begins that waits for nothing


class Step(Value):
    """Fields of every step: id by the runtime, session, directory, time.

    ``agent`` is empty for the session's own agent, else the name of a sub-agent; ``skill`` is
    the active skill as reported by the runtime.
    """

    id: str
    session: str
    cwd: str
    at: int
    agent: str = ""
    skill: str = ""

    @property
    def key(self) -> str:
        """Return the key shared by a step and its copies."""
        return f"{type(self).__name__}:{self.id}"


class UserMessage(Step):
    """The user's own words, without text added by a runtime or a hook."""

    text: str = ""


class AgentMessage(Step):
    """Text by the agent for the user."""

    text: str = ""


class CallStep(Step):
    """A tool call by the agent; ``arguments`` are JSON."""

    tool: str = ""
    arguments: str = ""


class ResultStep(Step):
    """The result of the call with the same ``id``; ``reason`` explains a rejection by the user."""

    text: str = ""
    failed: bool = False
    refusal: Refusal = ""
    reason: str = ""
    vouched: bool = False  # the client itself says who refused the call, and not only the text

    def from_tool(self, tool: str) -> ResultStep:
        """Return the result without claims of a user rejection: foreign tools may forge those."""
        if self.vouched or not self.refusal or not tool.startswith(FOREIGN):
            return self
        return self.but(
            refusal="denied" if self.refusal == "rejected" else self.refusal, reason=""
        )


class InterruptStep(Step):
    """The user stopped the agent; the next prompt is likely a correction."""


class SummaryStep(Step):
    """A compaction, with the remaining summary."""

    summary: str = ""
    automatic: bool = False


class SkillStep(Step):
    """A skill was invoked, or its SKILL.md read; the name is unchecked."""

    name: str = ""
    arguments: str = ""
    how: Usage = "tool"


class CallAttempt(Value):
    """A call with its result; None while running, or at the end of the transcript."""

    call: CallStep
    result: ResultStep | None


def pair_attempts(steps: Iterable[Step]) -> list[CallAttempt]:
    """Pair calls with their results by id, in the order of the calls.

    A result without a call among the steps is skipped: a reader in pieces puts unanswered calls
    before the next piece.
    """
    calls: dict[str, CallStep] = {}
    results: dict[str, ResultStep] = {}
    for step in steps:
        if isinstance(step, CallStep):
            calls.setdefault(step.id, step)
        elif isinstance(step, ResultStep):
            results.setdefault(step.id, step)
    return [
        CallAttempt(call, _is_believed(call, results.get(call_id)))
        for call_id, call in calls.items()
    ]


def _is_believed(call: CallStep, result: ResultStep | None) -> ResultStep | None:
    return result.from_tool(call.tool) if result else None


class TranscriptProgress(Value):
    """Position in a transcript; ``state`` holds the open findings as text."""

    path: str
    session: str
    position: str
    state: str
    at: int

    @property
    def is_closed(self) -> bool:
        """True if no finding is open at the end."""
        return self.state.startswith(CLOSED)
