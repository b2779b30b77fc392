"""Learn from transcripts, or from captured calls: each is read once, for every consumer.

When a session is over, the notes that it was shown are judged by its later calls, and the
steps that most sessions take before a goal become a note.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable

from twiceshy.app import App
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.core.transcript import Step
from twiceshy.core.trust import ORIGINS
from twiceshy.core.value import Value
from twiceshy.effect.judge import judge_exposures
from twiceshy.effect.reconsider import reconsider_notes
from twiceshy.learning.captured_calls import (
    drop_captured_calls,
    is_captured,
    read_captured_calls,
    read_captured_opening,
    register_learned_calls,
)
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.learning.detect.workflow import find_routines, parse_workflow, render_routine
from twiceshy.learning.distil.model_review import ModelReview
from twiceshy.learning.episodes import is_episode_due, keep_episodes, keep_refined_copy
from twiceshy.learning.redacted_steps import RedactedPass
from twiceshy.learning.session import SessionLearner
from twiceshy.learning.sources import (
    SessionOrigin,
    TranscriptSource,
    find_origin,
    has_news,
    parse_offset,
)
from twiceshy.learning.state import LearningCounts
from twiceshy.notes.write import change_note, write_draft
from twiceshy.project.episodes.work_segment import WorkSegmentBuilder
from twiceshy.recall.held_record import recover_records
from twiceshy.recall.prefilter import write_prefilter
from twiceshy.runtimes.transcripts import reader_for_path, runtime_for_path
from twiceshy.safety.gate import withhold_dangers
from twiceshy.shell.tool_call import ToolCall

_MOST_STEPS = 4_000  # from the end of a transcript
_RECENT_WORKFLOWS = 200  # workflows that are looked at
_MOST_CALLS = 5_000  # behind the first note that a session was shown


class LearningReport(Value):
    """Counts of files, projects and notes after learning from transcripts."""

    files: int
    learned: LearningCounts
    projects: tuple[str, ...]
    unread: int = 0
    captured: int = 0  # sessions without a transcript, learned from captured calls


class ByteProgress:
    """Reports the bytes of a transcript read since the last report."""

    def __init__(self, size: int, tell: Callable[[int], object]) -> None:
        self._size, self._tell, self._done = size, tell, 0

    def report_bytes(self, done: int) -> None:
        """Report the number of bytes reached by a pass."""
        if (done := min(done, self._size)) > self._done:
            self._tell(done - self._done)
            self._done = done


class ShownNotes:
    """Collects the calls after the first note shown to a session, and judges the notes."""

    def __init__(self, app: App, origin: SessionOrigin) -> None:
        self._app, self._origin = app, origin
        self._exposures = app.store.list_exposures(session=origin.session)
        self._since = min((shown.at for shown in self._exposures), default=0)
        self._watch = TranscriptWatch(root=origin.root)
        self._calls: list[ToolCall] = []

    def add_step(self, step: Step) -> None:
        """Add a step of the transcript."""
        if not self._exposures or len(self._calls) >= _MOST_CALLS:
            return
        for finding in self._watch.feed_step(step):
            if isinstance(finding, ToolCall) and finding.at >= self._since:
                self._calls.append(finding)

    def judge_notes(self) -> None:
        """Keep the outcome of every exposure, and reconsider the notes."""
        if not self._exposures:
            return
        store = self._app.store
        notes = {shown.note: store.note(shown.note) for shown in self._exposures}
        known = {note_id: note for note_id, note in notes.items() if note}
        project = self._origin.project
        store.save_records(
            *judge_exposures(self._exposures, known, self._calls, project=project, over=True)
        )
        reconsider_notes(self._app, known)


class WholeTranscript:
    """Consumers of every step: episode, last steps, and, at the end, outcomes and model."""

    def __init__(self, app: App, origin: SessionOrigin, *, close: bool) -> None:
        every = app.config.integer("learn.checkpoint_messages")
        lines = app.config.integer("learn.transcript_lines")
        self.fold = WorkSegmentBuilder(
            redact=app.gate_of(origin.project),
            root=origin.root,
            every=every,
            withhold=withhold_dangers,
        )
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
    recover_records(app)
    learned, sessions, unread, projects = LearningCounts(), Counter[bool](), 0, {}
    for source in sources:
        done = ByteProgress(source.size, progress)
        if has_news(app, source, close=close):
            try:
                origin = find_origin(app, source)
                learned += _learn_source(
                    app, source, origin, close=close, progress=done.report_bytes
                )
            except NotFoundError:
                unread += 1
            else:
                projects[origin.project] = True
                sessions[is_captured(app, source.path)] += 1
        done.report_bytes(source.size)
    for project in projects:
        write_prefilter(app, project)
    files = sessions.total()
    return LearningReport(files, learned, tuple(projects), unread, captured=sessions[True])


def _learn_source(
    app: App,
    source: TranscriptSource,
    origin: SessionOrigin,
    *,
    close: bool,
    progress: Callable[[int], object],
) -> LearningCounts:
    """Learn from a transcript, or from captured calls in its place."""
    if is_captured(app, source.path):
        app.store.author = source.session
        app.store.runtime = read_captured_opening(source.path).runtime
        return _learn_captured_calls(app, source, origin, close=close)
    app.store.author, app.store.runtime = source.session, runtime_for_path(source.path)
    steps = reader_for_path(source.path).read_transcript(source.path)
    register_learned_calls(app, origin, RedactedPass(steps, app.redact))
    learned = _learn_transcript(app, source.path, origin, close=close, progress=progress)
    if close:
        drop_captured_calls(app, source.session)
    return learned


def _learn_captured_calls(
    app: App, source: TranscriptSource, origin: SessionOrigin, *, close: bool
) -> LearningCounts:
    """Learn from new captured calls.

    They are a choice of calls, those around failures: good for lessons, and no measure of how
    often a note helps.
    """
    learner = SessionLearner(app, origin, source.path)
    steps = read_captured_calls(app, source.path, source.session, after=learner.position)
    return learner.learn_steps(steps, close=close)


def _learn_transcript(
    app: App, path: str, origin: SessionOrigin, *, close: bool, progress: Callable[[int], object]
) -> LearningCounts:
    """Learn from the new steps of a transcript, and from every step if due.

    A finished session is read from its beginning, once. Before, only new steps are read; the
    complete transcript is read again if an episode turns out to be due.
    """
    reader, learner = reader_for_path(path), SessionLearner(app, origin, path)
    whole, complete = WholeTranscript(app, origin, close=close), close or not learner.position
    learned = learner.learn_steps(
        RedactedPass(
            reader.read_transcript(path, after=learner.position, whole=complete), app.redact
        ),
        on_step=whole.add_step if complete else None,
        close=close,
        progress=lambda position: progress(parse_offset(position)),
    )
    due = close or learner.compacted or is_episode_due(app, origin, path)
    if (due or learner.observations) and not complete:
        for step in RedactedPass(reader.read_transcript(path), app.redact):
            whole.add_step(step)
    learner.promote_observations(whole.last)
    if due:
        keep_episodes(app, origin, whole.fold, path, close=close)
    if close:
        keep_refined_copy(app, origin)
        keep_routines(app, origin)
        whole.shown.judge_notes()
        whole.model.ask_model()
    return learned


def keep_routines(app: App, origin: SessionOrigin) -> int:
    """Write or update the routines of a project; return the number of new notes.

    They were observed and not stated by anybody, so they stay on probation until someone accepts
    them.
    """
    seen = app.store.list_signals(origin.project, "workflow", limit=_RECENT_WORKFLOWS)
    workflows = [parse_workflow(signal.excerpt, session=signal.session) for signal in seen]
    which = NoteFilter(
        projects=(origin.project,), kinds=("lesson",), subtype="workflow", statuses=()
    )
    new = 0
    for routine in find_routines([workflow for workflow in workflows if workflow]):
        text = render_routine(routine)
        known = next(iter(app.store.notes(which.but(tag=routine.goal), limit=1)), None)
        if known is None:
            write_draft(app, _build_routine(origin, text, routine.goal))
            new += 1
        elif known.status == "candidate" and known.text != text:
            change_note(app, "edit", known, text=text)
    return new


def _build_routine(origin: SessionOrigin, text: str, goal: str) -> Draft:
    return Draft(
        kind="lesson",
        subtype="workflow",
        text=text,
        scope=Scope(origin.project),
        source="detector",
        tag=goal,
        trust=ORIGINS["command"],
        origin_project=origin.project,
        origin_session=origin.session,
    )
