"""A scripted agent in the synthetic world: seeded, it slips as planted and obeys with probability c."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from tests.core.builders import NOW
from tests.world.pitfalls import ROOTS, Pitfall, Said, Truth

from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.transcript import CallStep, ResultStep, Step, UserMessage, pair_attempts
from twiceshy.learning.detect.mistake import Mistake, classify_mistake
from twiceshy.shell.call_summary import summarise_call
from twiceshy.shell.call_words import call_words
from twiceshy.shell.tool_call import ToolCall

DAWN = NOW + DAY  # notes for tests are learned the day before


@dataclass
class Session:
    """One conversation: who it is, what happened, and what only the world knows about it."""

    id: str
    number: int
    project: str
    began: int
    steps: list[Step] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    truths: dict[str, Truth] = field(default_factory=dict)

    @property
    def now(self) -> int:
        """Return the time at which the next step happens."""
        return self.began + (1 + len(self.steps)) * SECOND


class Listener:
    """What sees a session happen, as hooks do, and may tell the agent something: nothing by itself."""

    def starts(self, session: Session) -> list[str]:
        """Return what the agent is told before anything else."""
        return []

    def calls(self, session: Session, call: CallStep) -> list[str]:
        """Return what the agent is told about a call; it reads that together with the result."""
        return []

    def ends(self, session: Session) -> None:
        """Learn from what happened."""


@dataclass(frozen=True)
class World:
    """Sessions of one project after the other, the same for the same seed and the same listener."""

    seed: int
    pitfalls: tuple[Pitfall, ...]
    obeys: float = 0.8
    repairs: float = 0.5  # how likely the agent finds out from the error alone what to do
    tasks: int = 2  # times that a session comes across each pitfall
    filler: int = 2  # other calls between two of them
    corrections: tuple[Said, ...] = ()

    def run(self, count: int, listener: Listener, *, first: int = 0) -> list[Session]:
        """Let so many sessions happen."""
        return [self.session(number, listener) for number in range(first, first + count)]

    def session(self, number: int, listener: Listener) -> Session:
        """Let one session happen; its dice are its own, whatever others were told."""
        projects = sorted({each.project for each in self.pitfalls})
        project = projects[number % len(projects)]
        session = Session(f"w{self.seed}-{number}", number, project, DAWN + number * DAY)
        session.heard += listener.starts(session)
        session.steps.append(
            UserMessage.of(_where(session) | {"id": f"{session.id}-u", "text": "Go on, please."})
        )
        for said in self.corrections[number : number + 1]:
            text = {"id": f"{session.id}-s", "text": said.text}
            session.steps.append(UserMessage.of(_where(session) | text))
        own = [each for each in self.pitfalls if each.project == project]
        for task in range(self.tasks):
            for pitfall in own:
                self._meet(session, pitfall, task, listener)
        listener.ends(session)
        return session

    def _meet(self, session: Session, pitfall: Pitfall, task: int, listener: Listener) -> None:
        """Come across a pitfall once, and put it right after a failure as far as the agent can."""
        dice = Random(f"{session.id} {pitfall.name} {task}")
        session.truths.setdefault(pitfall.name, Truth(session.id, pitfall.name))
        slips, fails = dice.random() < pitfall.slips, dice.random()
        variant = dice.randrange(len(pitfall.wrong))
        obeys = self._obeys(session, pitfall)
        for _ in range(self.filler):
            self._call(session, "Bash", {"command": "ls src"}, "app.py", listener, failed=False)
        if obeys and pitfall.advised:
            self._try(session, pitfall, "advised", pitfall.advised, listener, failed=True)
        elif slips and not obeys:
            failed = fails < pitfall.fails_in(session.number)
            self._try(session, pitfall, "wrong", pitfall.wrong[variant], listener, failed=failed)
            if not failed:
                return
            self._repair(session, pitfall, dice, listener)
        self._try(session, pitfall, "right", pitfall.right[variant], listener, failed=False)

    def _repair(
        self, session: Session, pitfall: Pitfall, dice: Random, listener: Listener
    ) -> None:
        """Do as told, if somebody has told meanwhile, or make the mistake a second time."""
        insight = dice.random() < self.repairs
        if self._obeys(session, pitfall):
            if pitfall.advised:
                self._try(session, pitfall, "advised", pitfall.advised, listener, failed=True)
        elif not insight:
            self._try(session, pitfall, "wrong", pitfall.wrong[0], listener, failed=True)

    def _obeys(self, session: Session, pitfall: Pitfall) -> bool:
        truth = session.truths[pitfall.name]
        truth.told = truth.told or any(told_by(pitfall, text) for text in session.heard)
        will = Random(f"{session.id} {pitfall.name}").random() < self.obeys
        truth.obeyed = truth.told and will
        return truth.obeyed

    def _try(
        self,
        session: Session,
        pitfall: Pitfall,
        way: str,
        arguments: dict[str, str],
        listener: Listener,
        *,
        failed: bool,
    ) -> None:
        truth = session.truths[pitfall.name]
        truth.tried.append(way)
        truth.failed.append(failed)
        printed = (pitfall.trouble if way == "advised" else pitfall.error) if failed else "done"
        self._call(session, pitfall.tool, arguments, printed, listener, failed=failed)

    def _call(
        self,
        session: Session,
        tool: str,
        arguments: dict[str, str],
        printed: str,
        listener: Listener,
        *,
        failed: bool,
    ) -> None:
        call_id = f"{session.id}-{len(session.steps)}"
        given = {"tool": tool, "arguments": json.dumps(arguments)}
        call = CallStep.of({"id": call_id} | _where(session) | given)
        session.steps.append(call)
        told = listener.calls(session, call)
        came = {"text": printed, "failed": failed}
        session.steps.append(ResultStep.of({"id": call_id} | _where(session) | came))
        session.heard += told  # not before the result: that is when a runtime hands it over


def acts_of(steps: list[Step]) -> list[ToolCall]:
    """Return the finished calls of a session as detectors see them."""
    return list(_acts(steps))


def _acts(steps: list[Step]) -> Iterator[ToolCall]:
    for attempt in pair_attempts(steps):
        call, result = attempt.call, attempt.result
        arguments, mistake = json.loads(call.arguments), None
        if result and result.failed:
            mistake = _mistake(call.tool, call.arguments, result.text)
        yield ToolCall(call.id, call.tool, arguments, result.at if result else call.at, mistake)


@cache
def _mistake(tool: str, arguments: str, text: str) -> Mistake:
    given = json.loads(arguments)
    return classify_mistake(tool, call_words(given), text, command="command" in given)


@cache
def told_by(pitfall: Pitfall, text: str) -> bool:
    """Tell whether a text says what to do instead: the whole call, or only the words that differ."""
    ways = [pitfall.advised] if pitfall.advised else pitfall.right
    wrong = {word for way in pitfall.wrong for word in _called(pitfall, way).split()}
    calls = [_called(pitfall, way) for way in ways]
    words = [set(call.split()) - wrong for call in calls]
    return any(f"`{call}`" in text for call in calls) or any(
        some and all(f"`{word}`" in text for word in some) for some in words
    )


def _called(pitfall: Pitfall, arguments: dict[str, str]) -> str:
    return summarise_call(ToolCall("", pitfall.tool, arguments, 0), ROOTS[pitfall.project])


def _where(session: Session) -> dict[str, object]:
    return {"session": session.id, "cwd": ROOTS[session.project], "at": session.now}
