"""Read recorded sessions in order of time, without repeated history."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.transcript import Called, Result
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import Watch
from twiceshy.replay.failures import Made
from twiceshy.replay.histories import PassedOver
from twiceshy.runtimes.transcripts import reader_of
from twiceshy.shell.tool_call import Act

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.replay.histories import History, Recorded

# Calls that these tools refuse by themselves fire no hook at all; others run their hooks first.
_REFUSES_UNHEARD = frozenset("Edit Write MultiEdit NotebookEdit Skill".split())


class Recording(Value):
    """Steps of a session's own agent; ``resumed`` if continued from another session."""

    source: Recorded
    steps: tuple[Step, ...]
    resumed: bool
    broken: int  # lines that could not be read


class Tape:
    """Sessions of a project, read lazily.

    A fork begins with a copy of its parent's history; without the copy its first own step is
    later, and the session waits for its turn.
    """

    def __init__(self, history: History) -> None:
        self.passed_over: list[PassedOver] = []
        self._waiting = [(each.at, at, each) for at, each in enumerate(history.sessions)]
        self._known: set[int] = set()

    def __iter__(self) -> Iterator[Recording]:
        heapq.heapify(self._waiting)
        while self._waiting:
            at, order, source = heapq.heappop(self._waiting)
            recording = self._read(source)
            if recording is None:
                continue
            began = recording.steps[0].at if recording.steps else at
            if self._waiting and recording.resumed and at < began and began > self._waiting[0][0]:
                heapq.heappush(self._waiting, (began, order, source))
                continue
            self._known.update(hash(step.key) for step in recording.steps)
            yield recording

    def _read(self, source: Recorded) -> Recording | None:
        reading = reader_of(source.path).read(source.path)
        try:
            steps = [step for step in reading if not step.agent]
        except (TwiceshyError, OSError) as error:
            self.passed_over.append(PassedOver(source.path, str(error)))
            return None
        own = tuple(step for step in steps if hash(step.key) not in self._known)
        return Recording(source, own, len(own) < len(steps), reading.unusable)


def heard(call: Called, result: Result | None) -> bool:
    """True if the client runs hooks for a call; refused calls have none."""
    if result is None or result.refusal != "invalid":
        return True
    return call.tool not in _REFUSES_UNHEARD and "InputValidationError" not in result.text


def ended(call: Called, result: Result) -> bool:
    """True if the client runs hooks at the end of a call: the call must have run."""
    return heard(call, result) and result.refusal in ("", "invalid", "interrupted")


def calls_of(recording: Recording, root: str) -> list[Made]:
    """Return finished calls, in order."""
    places = {step.id: at for at, step in enumerate(recording.steps) if isinstance(step, Called)}
    calls = {step.id: step for step in recording.steps if isinstance(step, Called)}
    results = {step.id: step for step in recording.steps if isinstance(step, Result)}
    watch, made = Watch(root=root), []
    for step in recording.steps:
        for finding in watch.feed(step):
            if isinstance(finding, Act):
                over = ended(calls[finding.id], results[finding.id])
                made.append(Made(places[finding.id], finding, over))
    return sorted(made, key=lambda each: each.place)
