"""Learn from the new steps of a session: findings become signals, notes and counts.

A batch of steps is written as one change together with the position read so far: an
interruption at any time loses nothing, and nothing counts twice.
"""

from __future__ import annotations

from zlib import crc32

from twiceshy.core.store_learning import find_progress
from twiceshy.core.transcript import (
    CallStep,
    ResultStep,
    SummaryStep,
    TranscriptProgress,
    UserMessage,
)
from twiceshy.learning.corrections import learn_correction
from twiceshy.learning.detect.correction import Correction
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.watch import CallPattern, TranscriptWatch
from twiceshy.learning.distil.observations import parse_observations
from twiceshy.learning.lessons import learn_lesson
from twiceshy.learning.promotion import promote_skill_lessons
from twiceshy.learning.state import LearningCounts, LearningState, build_pattern_signal, count_call
from twiceshy.shell.tool_call import ToolCall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.learning.detect.watch import Finding
    from twiceshy.learning.distil.observations import Observation
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.runtimes.transcripts import ReaderPass

_BATCH_STEPS = 400  # steps that are written as one change


class SessionLearner:
    """Learns from a transcript after its last position; ``compacted`` if a compaction was read."""

    def __init__(self, app: App, origin: SessionOrigin, path: str) -> None:
        self._known = find_progress(app.store, path)
        self.position = self._known.position if self._known else ""
        self.compacted = False
        self._app, self._origin, self._path = app, origin, path
        app.redact.enter_session(origin.session)
        state = self._known.state if self._known else ""
        self._watch = TranscriptWatch(
            state,
            root=origin.root,
            redact=app.gate_of(origin.project),
            corrections=app.config.items("words.corrections"),
        )
        self._state = LearningState(app, origin, recent=self._watch.recent_calls)

    @property
    def observations(self) -> Sequence[Observation]:
        """Return the observations about skills waiting to become notes."""
        return self._watch.observations

    def learn_steps(
        self,
        steps: ReaderPass,
        *,
        close: bool,
        on_step: Callable[[Step], object] | None = None,
        progress: Callable[[str], object] = lambda _: None,
    ) -> LearningCounts:
        """Learn from the new steps of a pass; ``on_step`` receives every step, known ones too.

        ``close`` also learns from findings still waiting for a later step; more steps may come all
        the same.
        """
        learned, known = LearningCounts(), self._known
        for stretch, position in _split_batches(steps, on_step):
            if stretch or known is None or position != known.position:
                learned += self._learn_batch(stretch, position)
            progress(position)
        if close and not self._watch.closed:
            learned += self._learn_batch((), steps.position or self.position, close=True)
        return learned

    def promote_observations(self, last: Sequence[Step]) -> None:
        """Make notes of the waiting observations, once; ``last`` are the session's last steps."""
        if self.observations:
            with self._app.store.change():
                promote_skill_lessons(self._app, self._origin, self.observations, last)
                self._watch.observations = []
                self._keep_position()

    def _learn_batch(
        self, steps: Sequence[Step], position: str, *, close: bool = False
    ) -> LearningCounts:
        learned, store = LearningCounts(steps=len(steps)), self._app.store
        with store.change():
            ids = [known_by for step in steps if (known_by := _build_copy_key(step))]
            copied = store.register_calls(ids, self._origin.session, project=self._origin.project)
            for step in steps:
                if isinstance(step, CallStep | ResultStep) and step.id in copied:
                    continue
                findings = list(self._watch.feed_step(step))
                if (
                    _build_copy_key(step) not in copied
                ):  # what was said before is understood, not learned
                    for finding in findings:
                        learned += self._learn_finding(finding)
            if close:
                for finding in self._watch.close():
                    learned += self._learn_finding(finding)
            store.mark_programs(self._state.programs, project=self._origin.project)
            self.position = position
            self._keep_position()
        return learned

    def _keep_position(self) -> None:
        store, state = self._app.store, self._watch.serialise_state()
        store.save_records(
            TranscriptProgress(self._path, self._origin.session, self.position, state, store.now())
        )

    def _learn_finding(self, finding: Finding) -> LearningCounts:
        match finding:
            case ToolCall():
                count_call(self._state, finding)
                return LearningCounts(calls=1, errors=int(finding.mistake is not None))
            case MistakeLesson():
                return learn_lesson(self._state, finding)
            case Correction():
                return learn_correction(self._state, finding)
            case CallPattern():
                self._app.store.capture(build_pattern_signal(self._origin, finding))
            case SummaryStep():
                self.compacted = True
                self._watch.observations += parse_observations(finding.summary)
        return LearningCounts()


def _split_batches(
    steps: ReaderPass, on_step: Callable[[Step], object] | None
) -> Iterator[tuple[list[Step], str]]:
    """Yield batches of new steps with the position behind each; records are never split."""
    stretch: list[Step] = []
    begun = ""  # where the record began that the last step is from
    for step in steps:
        if on_step:
            on_step(step)
        if not steps.is_fresh:
            continue
        here = steps.position
        if len(stretch) >= _BATCH_STEPS and here != begun:
            yield stretch, here
            stretch = []
        stretch.append(step)
        begun = here
    yield stretch, steps.position


def _build_copy_key(step: Step) -> str:
    """Return the key shared by a step and its copies in forks; empty if nothing is learned.

    A call keeps its id in a fork; a message gets a new id and keeps its time.
    """
    match step:
        case CallStep():
            return step.id
        case UserMessage(text=text):
            return f"UserSaid:{step.at or step.id}:{crc32(text.encode()):08x}"
        case SummaryStep(summary=text):
            return f"Summarised:{step.at or step.id}:{crc32(text.encode()):08x}"
        case _:
            return ""
