"""Learn from transcripts: each is read once, and its steps go to every consumer."""

from __future__ import annotations

from collections import deque

from twiceshy.core.errors import NotFoundError
from twiceshy.core.value import Value
from twiceshy.learning.distil.model import ModelReview
from twiceshy.learning.episodes import is_episode_due, keep_episodes
from twiceshy.learning.outcomes import ShownNotes
from twiceshy.learning.routines import keep_routines
from twiceshy.learning.session import SessionLearner
from twiceshy.learning.sources import has_news, offset_of, origin_of
from twiceshy.learning.state import LearningCounts
from twiceshy.project.episodes.stretch import Fold
from twiceshy.recall.prefilter import post
from twiceshy.runtimes.transcripts import reader_of, runtime_of

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


class Progress:
    """Reports the bytes of a transcript read since the last report."""

    def __init__(self, size: int, tell: Callable[[int], object]) -> None:
        self._size, self._tell, self._done = size, tell, 0

    def at(self, position: str) -> None:
        """Report the position reached by a pass."""
        self._reach(min(offset_of(position), self._size))

    def end(self) -> None:
        """Report the transcript as completely processed."""
        self._reach(self._size)

    def _reach(self, done: int) -> None:
        if done > self._done:
            self._tell(done - self._done)
            self._done = done


class WholeTranscript:
    """Consumers of every step: episode, last steps, and, at the end, outcomes and model."""

    def __init__(self, app: App, origin: SessionOrigin, *, close: bool) -> None:
        every = app.config.integer("learn.checkpoint_messages")
        lines = app.config.integer("learn.transcript_lines")
        self.fold = Fold(redact=app.redact, root=origin.root, every=every)
        self.last: deque[Step] = deque(maxlen=min(lines, _MOST_STEPS))
        self.shown, self.model = ShownNotes(app, origin), ModelReview(app, origin)
        self._closing = (self.shown.take, self.model.take) if close else ()

    def take(self, step: Step) -> None:
        """Pass a step to every consumer."""
        self.fold.take(step)
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
        done = Progress(source.size, progress)
        app.store.author, app.store.runtime = source.session, runtime_of(source.path)
        if has_news(app, source, close=close):
            try:
                origin = origin_of(app, source)
                learned += _learn(app, source.path, origin, close=close, progress=done.at)
            except NotFoundError:
                unread += 1
            else:
                projects[origin.project] = True
                files += 1
        done.end()
    for project in projects:
        post(app, project)
    return LearningReport(files, learned, tuple(projects), unread)


def _learn(
    app: App, path: str, origin: SessionOrigin, *, close: bool, progress: Callable[[str], object]
) -> LearningCounts:
    """Learn from the new steps of a transcript, and from every step if due.

    A finished session is read from its beginning, once. Before, only new steps are read; the
    complete transcript is read again if an episode turns out to be due.
    """
    reader, learner = reader_of(path), SessionLearner(app, origin, path)
    whole, complete = WholeTranscript(app, origin, close=close), close or not learner.position
    learned = learner.learn(
        reader.read(path, after=learner.position, whole=complete),
        also=whole.take if complete else None,
        close=close,
        progress=progress,
    )
    due = close or learner.compacted or is_episode_due(app, origin, path)
    if (due or learner.observations) and not complete:
        for step in reader.read(path):
            whole.take(step)
    learner.promote_observations(whole.last)
    if due:
        keep_episodes(app, origin, whole.fold, path, close=close)
    if close:
        keep_routines(app, origin)
        whole.shown.judge()
        whole.model.ask()
    return learned
