"""The background job: learns from sessions, updates views, tends, backs up and copies, silently."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager

from twiceshy import app as wiring
from twiceshy.core.errors import StoreError, TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.learning.requests import (
    LearningRequest,
    RequestQueue,
    list_left_queues,
    serve_until_empty,
)
from twiceshy.recall import background
from twiceshy.store.convert import release_conversion

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.interop.views.refresh import FailedView, RefreshReport
    from twiceshy.learning.learn import LearningReport
    from twiceshy.learning.sources import TranscriptSource

_PATIENCE_S = 300.0  # a command that learns from every transcript is waited for by one job
# Of processor time; then another job goes on, because the system ends one after 300.
_SHARE_S = 60.0


def run_background_job(arguments: list[str]) -> None:
    """Learn from the named session, from those that wait, and from unfinished sessions."""
    if "TWICESHY_INSIDE" in os.environ:
        return
    session, words = (arguments or [""])[0], arguments[1:]
    try:
        os.nice(10)
        home = wiring.load_settings().home
        _refresh_bundle(home)
        with _keep_patterns(home):
            _begin(session, words)
    except Exception as error:  # noqa: BLE001 - nobody is there to be told
        _report(error)


def _begin(session: str, words: list[str]) -> None:
    if background.UNQUEUED in words:
        _report(StoreError("the request could not be written; the session is learned from alone"))
        _LearningJob(session).learn_alone(over="over" in words)
    elif (lock := _take_lock(session, words)) >= 0:
        _serve_queue(session, lock)


@contextmanager
def _keep_patterns(home: str) -> Iterator[None]:
    """Use the patterns that earlier jobs compiled, and keep new ones; without that jobs are only slower.

    Nothing is kept if the last client was disconnected meanwhile.
    """
    from twiceshy.hooks.pattern_cache import PatternCache
    from twiceshy.runtimes.launcher import launcher_path

    cache = PatternCache(home)
    was_connected = os.path.exists(launcher_path(home))
    cache.use()
    try:
        yield
    finally:
        is_over = was_connected and not os.path.exists(launcher_path(home))
        try:
            cache.save(keep=not is_over)
        except OSError as error:
            _report(error)


def _take_lock(session: str, words: list[str]) -> int:
    """Return the lock that the hook has taken, or take it; -1 if another job will serve the request."""
    for word in words:
        if word.startswith(background.LOCKED):
            lock = int(word.removeprefix(background.LOCKED))
            os.set_inheritable(lock, False)  # noqa: FBT003 - the name of the function says what
            return lock
    folder = background.locate_queue()
    background.leave_request(folder, session, over="over" in words)
    return background.take_queue(folder)


def _serve_queue(session: str, lock: int) -> None:
    """Serve what waits; a job that has worked for long leaves the rest to another one."""
    job = _LearningJob(session)
    queue = RequestQueue(os.fsdecode(background.locate_queue()))
    serve_until_empty(queue, lock, job.work_off)
    if job.is_share_used() and queue.is_waiting():
        background.start_background_job(session)


class _LearningJob:
    """Serves requests for learning; ``session`` is the one whose hook started the job."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._over = self._has_served = False
        # session → folder of its project, if that is not the job's own
        self._served: dict[str, str] = {session: ""}

    def is_share_used(self) -> bool:
        """True if this job has served a session, and has used its share of processor time."""
        return self._has_served and time.process_time() >= _SHARE_S

    def work_off(self, queue: RequestQueue) -> bool:
        """Serve what waits, and do what is due after it; False to leave the rest to others."""
        with _open_for_learning() as app:
            if app is None:
                return False
            self._serve(app, queue)
            self._serve_left_queues(app, queue)
            self._finish(app)
        tend_if_due(over=self._over)
        back_up_if_due()
        copy_if_due()
        return not self.is_share_used()

    def learn_alone(self, *, over: bool) -> None:
        """Learn from the own session without a request."""
        with _open_for_learning() as app:
            if app is not None:
                self._learn(app, LearningRequest(self._session, over, 1, "", 0))
                self._finish(app)
        tend_if_due(over=over)
        back_up_if_due()
        copy_if_due()

    def _serve(self, app: App, queue: RequestQueue) -> None:
        while not self.is_share_used() and (request := queue.claim_next()):
            try:
                with self._enter_project(app, request.session) as its:
                    self._learn(its, request)
            except StoreError:  # nothing is wrong with the session
                queue.put_back(request)
                raise
            except Exception as error:  # noqa: BLE001 - the others are to be learned from
                _report(error)
                queue.give_up(request)
            else:
                queue.finish(request)

    def _serve_left_queues(self, app: App, own: RequestQueue) -> None:
        """Serve requests that a killed job left with secrets that nobody has any more."""
        for folder in list_left_queues(app.config.home, own=own.folder, now_s=time.time()):
            lock = background.take_queue(os.fsencode(folder))
            if lock >= 0:
                try:
                    self._serve(app, RequestQueue(folder))
                finally:
                    os.close(lock)

    def _learn(self, app: App, request: LearningRequest) -> None:
        from twiceshy.learning.learn import learn_from_transcripts
        from twiceshy.recall.event_context import log_run

        session, self._has_served = request.session, True
        log_run(app.config, f"learn {session or '-'} START", at=app.store.now())
        done = learn_from_transcripts(app, _own_sources(app, session), close=request.over)
        told = _describe_learning(app, session, done)
        log_run(app.config, f"learn {session or '-'} {told}", at=app.store.now())
        _record_context_use(app, session)
        self._over = self._over or request.over

    @contextmanager
    def _enter_project(self, app: App, session: str) -> Iterator[App]:
        """Open the store as in the project of a session, which may have settings of its own."""
        known = app.store.session(session) if session != self._session else None
        root = known.root if known else ""
        if not os.path.isdir(root) or os.path.samefile(root, app.cwd):
            self._served.setdefault(session, "")
            yield app
            return
        self._served[session] = root
        os.chdir(root)
        try:
            with _open_store(wiring.load_settings()) as its:
                yield its
        finally:
            os.chdir(app.cwd)

    def _finish(self, app: App) -> None:
        """Learn from unfinished sessions, let notes fade, compress, and write views."""
        release_conversion(app.config.store)  # claimed by a hook whose request was served just now
        from twiceshy.learning.learn import learn_from_transcripts
        from twiceshy.learning.sources import list_unfinished_sources

        unfinished = list_unfinished_sources(app, except_sessions=self._served)
        learn_from_transcripts(app, unfinished, close=True)
        _compress(app)
        _follow_older_files(app)
        write_views(app)
        elsewhere = {root: session for session, root in self._served.items() if root}
        for session in elsewhere.values():
            with self._enter_project(app, session) as its:
                write_views(its)


@contextmanager
def _open_store(config: Config) -> Iterator[App]:
    """Open the store for work of our own, whoever has set the variables of the process."""
    with wiring.open_app(config) as app:
        app.store.for_agents = False
        yield app


@contextmanager
def _open_for_learning() -> Iterator[App | None]:
    """Open the store, alone among those who learn; None if somebody else learns for long."""
    config = wiring.load_settings()
    with _open_store(config) as app:
        release_conversion(config.store)  # opening the store has converted it, if it had to be
        _judge_waiting(app)
        with app.learning_lock(patience=_PATIENCE_S) as mine:
            yield app if mine else None


def _judge_waiting(app: App) -> None:
    """Judge what hooks wrote, so that hooks may tell it."""
    if not app.store.read_only:
        for _ in app.store.rebuild_derived(only="verdicts"):
            pass
        if app.store.count_notes(NoteFilter(statuses=SHOWN, held=True)):
            from twiceshy.project.episodes.held import quarantine_held_notes

            quarantine_held_notes(app)


def _report(error: Exception) -> None:
    from twiceshy.recall.hook_log import report_error

    report_error("learn", b"", error)


def _refresh_bundle(home: str) -> None:
    """Compile the modules of hooks anew after an upgrade; without it hooks are only slower."""
    from twiceshy.hooks.bundle_writer import refresh_bundle

    try:
        refresh_bundle(home)
    except OSError as error:
        _report(error)


def _record_context_use(app: App, session: str) -> None:
    """Record the share of used context for the next prompt."""
    from twiceshy.core.session import ContextFill
    from twiceshy.learning.compaction_advice import find_context_percent

    if percent := find_context_percent(app, session):
        app.store.save_records(ContextFill(session, percent))


def _describe_learning(app: App, session: str, done: LearningReport) -> str:
    """Say what became of learning from a session, as fireworks' log did: SKIP and why, or UPDATED."""
    if not done.files:
        return "SKIP: nothing new"
    notes = done.learned.new + done.learned.again
    if not notes:
        return f"SKIP: no lesson in {done.learned.calls} calls"
    which = NoteFilter(statuses=(), taught_by=session)
    skills = {note.scope.skill for note in app.store.notes(which) if note.scope.skill}
    about = f" ({', '.join(sorted(skills))})" if skills else ""
    return f"UPDATED: {done.learned.new} new, {done.learned.again} again{about}"


def _follow_older_files(app: App) -> None:
    """Bring in what is new in files of older systems, if wanted; a file that cannot be read stops nothing."""
    if not app.config.flag("import.follow"):
        return
    from twiceshy.interop.imports.find_sources import follow_older_files

    try:
        follow_older_files(app)
    except TwiceshyError as error:
        _report(error)


def _compress(app: App) -> None:
    """Let notes fade and compress the store, each once a day, after learning."""
    from twiceshy.upkeep.compress import compress_daily
    from twiceshy.upkeep.fade import fade_daily

    fade_daily(app)
    compress_daily(app)


def _own_sources(app: App, session: str) -> list[TranscriptSource]:
    from twiceshy.core.errors import NotFoundError
    from twiceshy.learning.sources import find_learning_sources

    try:
        return find_learning_sources(app, session)
    except NotFoundError:
        return []  # clients can be told to keep no transcript, and no call has failed


def write_views(app: App) -> None:
    """Read and write the views of this project and of what holds everywhere; problems go to the log."""
    if not app.config.flag("views.auto") or app.store.read_only:
        return
    from twiceshy.interop.views.refresh import refresh_views
    from twiceshy.interop.views.sweep import sweep_views
    from twiceshy.interop.views.targets import list_targets

    project = app.current_project().id
    done = refresh_views(app, list_targets(app, project))
    for one in done:
        _log_problems(app, one)
    sweep_views(app, project, done)


def _log_problems(app: App, one: RefreshReport | FailedView) -> None:
    from twiceshy.interop.views.refresh import FailedView
    from twiceshy.recall.event_context import log_run

    if isinstance(one, FailedView):
        odd = str(one.error)
    elif one.taken.secret:
        odd = "a secret was taken out"
    else:
        odd = f"lines not taken: {len(one.taken.refused)}" if one.taken.refused else ""
    if odd:
        log_run(app.config, f"views {one.place.name}: {odd}", at=app.store.now())


def tend_if_due(*, over: bool) -> None:
    """Run maintenance if switched on and due; ``over`` marks the end of a session."""
    from twiceshy.core.maintenance import TEND, MaintenanceSettings, is_maintenance_due

    config = wiring.load_settings()
    wish = MaintenanceSettings(
        config.flag("tend.after_sessions"), config.integer("tend.every_days")
    )
    if wish == MaintenanceSettings():
        return
    from twiceshy.core.errors import BusyError
    from twiceshy.upkeep.tend import run_steps

    with _open_store(config) as app:
        runs = app.store.list_runs(TEND, limit=1)
        if not is_maintenance_due(runs, wish, over=over, now=app.store.now()):
            return
        try:
            run_steps(app)
        except BusyError:
            return  # somebody else is at it


def back_up_if_due() -> None:
    """Commit and push, if switched on, with a remote, and due."""
    config = wiring.load_settings()
    if not (config.flag("sync.after_sessions") and config.text("sync.remote")):
        return
    from twiceshy.core.errors import BusyError
    from twiceshy.sync.rules import SYNC, is_backup_due
    from twiceshy.sync.sync_run import SyncRequest, sync_with_remote

    with _open_store(config) as app:
        every = config.integer("sync.every_minutes")
        if not is_backup_due(
            app.store.list_runs(SYNC, limit=1), every_minutes=every, now=app.store.now()
        ):
            return
        try:
            sync_with_remote(app, SyncRequest(take=False))
        except BusyError:
            return  # somebody else is at it


def copy_if_due() -> None:
    """Write a copy of the store beside it, if due."""
    from twiceshy.store.copies import is_copy_due

    config = wiring.load_settings()
    if is_copy_due(config, now=wiring.read_clock()):
        from twiceshy.sync.copies import write_copy

        with _open_store(config) as app:
            write_copy(app)
