"""Wire transcripts to what is learned from them: which files, whose sessions, which project."""

from __future__ import annotations

import os
from collections import deque
from itertools import islice

from twiceshy import app as wiring
from twiceshy.core.errors import NotFoundError
from twiceshy.core.value import Value
from twiceshy.effect.judge import judge
from twiceshy.effect.reconsider import reconsider
from twiceshy.learning.detect.watch import acts_of
from twiceshy.learning.distil.material import material_of
from twiceshy.learning.distil.model import refine
from twiceshy.learning.distil.observed import drafts_of, promote
from twiceshy.learning.episodes import Manner, keep_episodes
from twiceshy.learning.notes import Ways
from twiceshy.learning.routines import keep_routines
from twiceshy.learning.session import Learned, Where, learn
from twiceshy.notes import write as writing
from twiceshy.notes.write import bounds_of
from twiceshy.places import skill as skills
from twiceshy.recall.prefilter import post
from twiceshy.runtimes.transcripts import reader, reader_of, readers, runtime_of
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note

_MOST_STEPS = 4_000  # from the end of a transcript
_MOST_ACTS = 5_000  # behind the first note that a session was shown
_QUIET_MS = 10 * 60_000  # a session that said nothing for so long is over, or may as well be


class Source(Value):
    """A transcript: a session's own, or that of an agent which the session started."""

    path: str
    session: str
    size: int = 0


class Studied(Value):
    """What studying some transcripts brought."""

    files: int
    learned: Learned
    projects: tuple[str, ...]
    unread: int = 0


class Progress:
    """How many bytes of a transcript are done, told on as the difference to the last time."""

    def __init__(self, size: int, tell: Callable[[int], object]) -> None:
        self._size, self._tell, self._done = size, tell, 0

    def at(self, position: str) -> None:
        """Tell on how far a pass is."""
        self._reach(min(_offset(position), self._size))

    def end(self) -> None:
        """Tell on that nothing more is done for the transcript."""
        self._reach(self._size)

    def _reach(self, done: int) -> None:
        if done > self._done:
            self._tell(done - self._done)
            self._done = done


def study(
    app: App,
    sources: Iterable[Source],
    *,
    close: bool,
    progress: Callable[[int], object] = lambda _: None,
) -> Studied:
    """Learn from what came to these transcripts since they were read last.

    ``progress`` is told how many bytes are done, again and again; they add up to what the sources
    have. A transcript that cannot be read stops none of the others.
    """
    learned, files, unread, projects = Learned(), 0, 0, {}
    for source in sources:
        done = Progress(source.size, progress)
        app.store.author, app.store.runtime = source.session, runtime_of(source.path)
        if _worth_reading(app, source, close=close):
            try:
                where = _where(app, source)
                learned += _learn(app, source, where, close=close, progress=done.at)
            except NotFoundError:
                unread += 1
            else:
                projects[where.project] = True
                files += 1
        done.end()
    for project in projects:
        post(app, project)
    return Studied(files, learned, tuple(projects), unread)


def of_session(app: App, session: str) -> list[Source]:
    """Return the transcripts of one session."""
    known = app.store.session(session)
    path = known.transcript if known else ""
    if not path or reader_of(path).size_of(path) < 0:
        asked = [reader(known.runtime)] if known else readers()
        found = (each.transcript_of(session, app.config.text(each.SETTING)) for each in asked)
        path = next(filter(None, found), "")
    if not path:
        raise NotFoundError(
            f"no transcript of session {session} is there",
            hint="runtimes remove old ones in time; see: twiceshy config transcripts",
        )
    return list(_with_agents(path, session))


def of_file(path: str) -> list[Source]:
    """Return a transcript that somebody names, as far as it is one."""
    path = os.path.abspath(path)
    by = reader_of(path)
    if (size := by.size_of(path)) < 0:
        raise NotFoundError(f"there is no transcript {path}", hint="name a .jsonl file")
    opening, named = by.opening_of(path), by.session_of(path)
    own = named in opening.sessions or not opening.sessions
    return [Source(path, session_name(named if own else min(opening.sessions)), size)]


def everywhere(app: App) -> list[Source]:
    """Return all transcripts that are there, each runtime's oldest session first."""
    return [
        source
        for each in readers()
        for path in each.everywhere(app.config.text(each.SETTING))
        for source in _with_agents(path, each.session_of(path))
    ]


def left_open(app: App, *, but: str = "") -> list[Source]:
    """Return the transcripts that wait for something, of sessions that have been quiet for a while."""
    before = app.store.now() - _QUIET_MS
    waiting = [Source(each.path, each.session) for each in app.store.unfinished(before=before)]
    return [one for one in waiting if one.session != but and _size(one) >= 0]


def _worth_reading(app: App, source: Source, *, close: bool) -> bool:
    known = app.store.reading(source.path)
    if known is None:
        return True
    size = _size(source)
    return size >= 0 and (size != _offset(known.position) or (close and not known.closed))


def _where(app: App, source: Source) -> Where:
    known = app.store.session(source.session)
    if known:
        return Where(source.session, known.project, known.root)
    cwd = reader_of(source.path).opening_of(source.path).cwd
    if not cwd:
        raise NotFoundError("the transcript does not say where its session was")
    here = wiring.identify(cwd, app.config)
    app.store.know_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
    return Where(source.session, here.id, here.root)


def _learn(
    app: App, source: Source, where: Where, *, close: bool, progress: Callable[[str], object]
) -> Learned:
    ways, summed = _ways(app, where, source), []

    def sum_up(summary: str) -> None:
        summed.append(summary)
        ways.sum_up(summary)

    learned = learn(
        app.store,
        where,
        lambda after: reader_of(source.path).read(source.path, after=after),
        source.path,
        ways=ways.but(sum_up=sum_up),
        close=close,
        progress=progress,
    )
    keep_episodes(
        app.store,
        where,
        lambda: reader_of(source.path).read(source.path),
        source.path,
        manner=_manner(app, where),
        close=close,
        compacted=bool(summed),
    )
    if close:
        keep_routines(app.store, where.project, where.session, ways)
        _judge(app, source, where)
        refine(app, where, lambda: reader_of(source.path).read(source.path))
    return learned


def _manner(app: App, where: Where) -> Manner:
    """Return how episodes of a project are told; a session in the user's home is about no project."""
    name, _ = app.store.projects().get(where.project, ("", ""))
    return Manner(
        actions=app.config.table("words.actions"),
        patterns=app.config.table("projects.patterns"),
        name="" if where.root == wiring.user_home() else name,
        every=app.config.integer("learn.checkpoint_messages"),
        redact=app.redact,
    )


def _judge(app: App, source: Source, where: Where) -> None:
    """Find out what came of what a session was shown, from all that it did from then on."""
    exposures = app.store.exposures(session=where.session)
    if not exposures:
        return
    notes = {shown.note: app.store.note(shown.note) for shown in exposures}
    known = {note_id: note for note_id, note in notes.items() if note}
    since = min(shown.at for shown in exposures)
    steps = reader_of(source.path).read(source.path)
    acts = islice(acts_of(steps, since=since, root=where.root), _MOST_ACTS)
    outcomes = judge(exposures, known, acts, project=where.project, over=True)
    app.store.keep(*outcomes)
    reconsider(app.store, known)


def _ways(app: App, where: Where, source: Source) -> Ways:
    def write(draft: Draft) -> writing.Outcome:
        # what is about other calls is another lesson, however alike the two are worded
        apart = draft.kind == "lesson" and draft.trigger != ""
        return writing.write(
            app.store, draft, redact=app.redact, bounds=bounds_of(app.config), keep_apart=apart
        )

    def see(note: Note, draft: Draft) -> Note:
        return writing.see(app.store, note, draft)

    def change(op: str, note: Note, **fields: object) -> Note:
        return writing.change(app.store, op, note, **fields)

    def sum_up(summary: str) -> int:
        """Promote what a compaction's summary says about skills."""
        material = material_of(
            list(deque(reader_of(source.path).read(source.path), maxlen=_MOST_STEPS)),
            project=where.project,
            lines=app.config.integer("learn.transcript_lines"),
            redact=app.redact,
        )
        drafts = drafts_of(
            summary,
            spans=material.excerpts,  # what was said and run: all else it says is quarantined
            project=where.project,
            session=where.session,
            wants_notes=lambda skill: bool(skills.find(skill, app.around(where.root))),
            redact=app.redact,
        )
        enabled = app.config.flag("learn.promote")
        return promote(drafts, enabled=enabled, discarded=False, write=write)

    return Ways(write, see, change, sum_up)


def _with_agents(path: str, session: str) -> Iterator[Source]:
    by = reader_of(path)
    for part in by.parts_of(path):
        if (size := by.size_of(part)) >= 0:  # else it was removed a moment ago
            yield Source(part, session, size)


def _size(source: Source) -> int:
    return reader_of(source.path).size_of(source.path)


def _offset(position: str) -> int:
    return int(position.partition("-")[0] or 0)
