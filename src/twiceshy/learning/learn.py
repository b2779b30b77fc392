"""Learn from transcripts: each is read once, and its steps go to every consumer."""

from __future__ import annotations

from collections import deque

from twiceshy.core.errors import NotFoundError
from twiceshy.core.value import Value
from twiceshy.learning.distil.model_review import ModelReview
from twiceshy.learning.episodes import is_episode_due, keep_episodes
from twiceshy.learning.outcomes import ShownNotes
from twiceshy.learning.routines import keep_routines
from twiceshy.learning.session import SessionLearner
from twiceshy.learning.sources import find_origin, has_news, parse_offset
from twiceshy.learning.state import LearningCounts
from twiceshy.project.episodes.work_segment import WorkSegmentBuilder
from twiceshy.recall.prefilter import write_prefilter
from twiceshy.runtimes.transcripts import reader_for_path, runtime_for_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.learning.sources import SessionOrigin, TranscriptSource

_MOST_STEPS = 4_000  # from the end of a transcript


class LearningReport(Value):
    """Counts of files, projects and notes after learning from transcripts."""

    files: int
    learned: LearningCounts
    projects: tuple[str, ...]
    unread: int = 0


class ByteProgress:
    """Reports the bytes of a transcript read since the last report."""

    def __init__(self, size: int, tell: Callable[[int], object]) -> None:
        self._size, self._tell, self._done = size, tell, 0

    def report_position(self, position: str) -> None:
        """Report the position reached by a pass."""
        self._report_bytes(min(parse_offset(position), self._size))

    def report_end(self) -> None:
        """Report the transcript as completely processed."""
        self._report_bytes(self._size)

    def _report_bytes(self, done: int) -> None:
        if done > self._done:
            self._tell(done - self._done)
            self._done = done


class WholeTranscript:
    """Consumers of every step: episode, last steps, and, at the end, outcomes and model."""

    def __init__(self, app: App, origin: SessionOrigin, *, close: bool) -> None:
        every = app.config.integer("learn.checkpoint_messages")
        lines = app.config.integer("learn.transcript_lines")
        self.fold = WorkSegmentBuilder(redact=app.redact, root=origin.root, every=every)
        self.last: deque[Step] = deque(maxlen=min(lines, _MOST_STEPS))
        self.shown, self.model = ShownNotes(app, origin), ModelReview(app, origin)
        self._closing = (self.shown.add_step, self.model.add_step) if close else ()

    def add_step(self, step: Step) -> None:
        """Pass a step to every consumer."""
        self.fold.add_step(step)
        self.last.append(step)
        for consume in self._closing:
            consume(step)


def learn_from_transcripts(
    app: App,
    sources: Iterable[TranscriptSource],
    *,
    close: bool,
    progress: Callable[[int], object] = lambda _: None,
) -> LearningReport:
    """Learn from the steps added to transcripts since their last reading.

    ``progress`` receives the number of bytes done, repeatedly; they add up to the size of the
    sources. An unreadable transcript does not stop the others.
    """
    learned, files, unread, projects = LearningCounts(), 0, 0, {}
    for source in sources:
        done = ByteProgress(source.size, progress)
        app.store.author, app.store.runtime = source.session, runtime_for_path(source.path)
        if has_news(app, source, close=close):
            try:
                origin = find_origin(app, source)
                learned += _learn_transcript(
                    app, source.path, origin, close=close, progress=done.report_position
                )
            except NotFoundError:
                unread += 1
            else:
                projects[origin.project] = True
                files += 1
        done.report_end()
    for project in projects:
        write_prefilter(app, project)
    return LearningReport(files, learned, tuple(projects), unread)


def _learn_transcript(
    app: App, path: str, origin: SessionOrigin, *, close: bool, progress: Callable[[str], object]
) -> LearningCounts:
    """Learn from the new steps of a transcript, and from every step if due.

    A finished session is read from its beginning, once. Before, only new steps are read; the
    complete transcript is read again if an episode turns out to be due.
    """
    reader, learner = reader_for_path(path), SessionLearner(app, origin, path)
    whole, complete = WholeTranscript(app, origin, close=close), close or not learner.position
    learned = learner.learn_steps(
        reader.read_transcript(path, after=learner.position, whole=complete),
        on_step=whole.add_step if complete else None,
        close=close,
        progress=progress,
    )
    due = close or learner.compacted or is_episode_due(app, origin, path)
    if (due or learner.observations) and not complete:
        for step in reader.read_transcript(path):
            whole.add_step(step)
    learner.promote_observations(whole.last)
    if due:
        keep_episodes(app, origin, whole.fold, path, close=close)
    if close:
        keep_routines(app, origin)
        whole.shown.judge_notes()
        whole.model.ask_model()
    return learned
