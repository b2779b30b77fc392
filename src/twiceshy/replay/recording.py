"""Read recorded sessions in order of time, without repeated history."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.replay.failures import FinishedCall
from twiceshy.replay.histories import PassedOver
from twiceshy.runtimes.transcripts import reader_for_path
from twiceshy.shell.tool_call import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.replay.histories import History, RecordedHistory

# Calls that these tools refuse by themselves fire no hook at all; others run their hooks first.
_REFUSES_UNHEARD = frozenset("Edit Write MultiEdit NotebookEdit Skill".split())


class Recording(Value):
    """Steps of a session's own agent; ``resumed`` if continued from another session."""

    source: RecordedHistory
    steps: tuple[Step, ...]
    resumed: bool
    broken: int  # lines that could not be read


class RecordedSession:
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
            recording = self._read_session(source)
            if recording is None:
                continue
            began = recording.steps[0].at if recording.steps else at
            if self._waiting and recording.resumed and at < began and began > self._waiting[0][0]:
                heapq.heappush(self._waiting, (began, order, source))
                continue
            self._known.update(hash(step.key) for step in recording.steps)
            yield recording

    def _read_session(self, source: RecordedHistory) -> Recording | None:
        reading = reader_for_path(source.path).read_transcript(source.path)
        try:
            steps = [step for step in reading if not step.agent]
        except (TwiceshyError, OSError) as error:
            self.passed_over.append(PassedOver(source.path, str(error)))
            return None
        own = tuple(step for step in steps if hash(step.key) not in self._known)
        return Recording(source, own, len(own) < len(steps), reading.unusable)


def has_hooks(call: CallStep, result: ResultStep | None) -> bool:
    """True if the client runs hooks for a call; refused calls have none."""
    if result is None or result.refusal != "invalid":
        return True
    return call.tool not in _REFUSES_UNHEARD and "InputValidationError" not in result.text


def has_end_hook(call: CallStep, result: ResultStep) -> bool:
    """True if the client runs hooks at the end of a call: the call must have run."""
    return has_hooks(call, result) and result.refusal in ("", "invalid", "interrupted")


def finished_calls(recording: Recording, root: str) -> list[FinishedCall]:
    """Return finished calls, in order."""
    places = {step.id: at for at, step in enumerate(recording.steps) if isinstance(step, CallStep)}
    calls = {step.id: step for step in recording.steps if isinstance(step, CallStep)}
    results = {step.id: step for step in recording.steps if isinstance(step, ResultStep)}
    watch, made = TranscriptWatch(root=root), []
    for step in recording.steps:
        for finding in watch.feed_step(step):
            if isinstance(finding, ToolCall):
                over = has_end_hook(calls[finding.id], results[finding.id])
                made.append(FinishedCall(places[finding.id], finding, over))
    return sorted(made, key=lambda each: each.place)
