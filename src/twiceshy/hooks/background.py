"""The background job: learns from sessions, updates views, tends, backs up and copies, silently."""

from __future__ import annotations

import os

from twiceshy import app as wiring

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.interop.views.refresh import FailedView, RefreshReport
    from twiceshy.learning.sources import TranscriptSource

_PATIENCE_S = 30.0


def run_background_job(arguments: list[str]) -> None:
    """Learn from the named session, and from unfinished sessions."""
    session = arguments[0] if arguments else ""
    if "TWICESHY_INSIDE" in os.environ:
        return
    try:
        os.nice(10)
        over = "over" in arguments[1:]
        _refresh_bundle()
        _learn_sessions(session, over=over)
        tend_if_due(over=over)
        back_up_if_due()
        copy_if_due()
    except Exception as error:  # noqa: BLE001 - nobody is there to be told
        from twiceshy.recall.hook_log import report_error

        report_error("learn", b"", error)


def _refresh_bundle() -> None:
    """Compile the modules of hooks anew after an upgrade; without it hooks are only slower."""
    from twiceshy.hooks.bundle_writer import refresh_bundle
    from twiceshy.recall.hook_log import report_error

    try:
        refresh_bundle(wiring.load_settings().home)
    except OSError as error:
        report_error("learn", b"", error)


def _learn_sessions(session: str, *, over: bool) -> None:
    from twiceshy.store.convert import release_conversion

    config = wiring.load_settings()
    with wiring.open_app(config) as app:
        release_conversion(config.store)  # opening the store has converted it, if it had to be
        with app.learning_lock(patience=_PATIENCE_S) as mine:
            if mine:  # what is left is read by the next one
                _learn_in_turn(app, session, over=over)


def _learn_in_turn(app: App, session: str, *, over: bool) -> None:
    from twiceshy.learning.learn import learn_from_transcripts
    from twiceshy.learning.sources import list_unfinished_sources
    from twiceshy.recall.event_context import log_run

    log_run(app.config, f"learn {session or '-'}", at=app.store.now())
    learn_from_transcripts(app, _own_sources(app, session), close=over)
    _record_context_use(app, session)
    unfinished = list_unfinished_sources(app, except_session=session)
    learn_from_transcripts(app, unfinished, close=True)
    _compress(app)
    write_views(app)


def _record_context_use(app: App, session: str) -> None:
    """Record the share of used context for the next prompt."""
    from twiceshy.core.session import ContextFill
    from twiceshy.learning.compaction_advice import find_context_percent

    if percent := find_context_percent(app, session):
        app.store.save_records(ContextFill(session, percent))


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
    """Read and write the views of this project and of projects with views; problems go to the log."""
    if not app.config.flag("views.auto"):
        return
    from twiceshy.interop.views.refresh import refresh_views, sweep_views
    from twiceshy.interop.views.targets import list_targets

    done: set[str] = set()
    for project in {app.current_project().id, *(view.project for view in app.store.list_views())}:
        new = [place for place in list_targets(app, project) if place.spot.path not in done]
        for one in refresh_views(app, new):
            _log_problems(app, one)
        done |= {place.spot.path for place in new}
        sweep_views(app, project)


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

    with wiring.open_app(config) as app:
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

    with wiring.open_app(config) as app:
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

        with wiring.open_app(config) as app:
            write_copy(app)
