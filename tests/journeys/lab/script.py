"""A model's part, written down beforehand: what it answers, in which order, and to whom."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool the model wants to use."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One answer of the model: some text, some tool calls, or both."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    tokens: int = 1000  # how long the model says the conversation was


@dataclass(frozen=True)
class Asked:
    """What a request says, whatever protocol it came in."""

    model: str
    tools: tuple[str, ...]
    system: str
    last: str  # the newest message, as text
    streams: bool


@dataclass(frozen=True)
class Route:
    """An answer for requests beside the conversation: titles, summaries, subagents."""

    when: Callable[[Asked], bool]
    answer: Step


def says(text: str) -> Step:
    """Answer with text; the turn ends."""
    return Step(text=text)


def calls(tool: str, **given: Any) -> Step:
    """Answer with one tool call."""
    return Step(calls=(Call(tool, given),))


def together(*steps: Step) -> Step:
    """Put the calls of several steps into one answer: the client runs them as a batch."""
    return Step(calls=tuple(call for step in steps for call in step.calls))


def filling(step: Step) -> Step:
    """Give an answer and say that the conversation is too long by now: the client sums it up."""
    return replace(step, tokens=400_000)


# Clients ask small questions of their own, without offering a tool: name this, sum that up.
ASIDE = Route(lambda asked: not asked.tools, says("<summary>An aside.</summary>"))


@dataclass
class Script:
    """Routes are tried first; what none takes gets the next step, and after the last one ``final``."""

    steps: list[Step] = field(default_factory=list)
    routes: list[Route] = field(default_factory=lambda: [ASIDE])
    final: Step = Step(text="All done.")
    _turn: Lock = field(default_factory=Lock)

    def answer(self, asked: Asked) -> tuple[str, Step]:
        """Return the answer to a request, and where in the script it stands."""
        for number, route in enumerate(self.routes):
            if route.when(asked):
                return f"route {number}", route.answer
        with self._turn:
            if self.steps:
                return "step", self.steps.pop(0)
        return "final", self.final
