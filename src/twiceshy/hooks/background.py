"""The background job: learns from sessions, silently."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
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
        _learn_sessions(session, over=over)
        _tend_if_due(over=over)
        _back_up()
    except Exception as error:  # noqa: BLE001 - nobody is there to be told
        from twiceshy.recall.hook_log import report_error

        report_error("learn", b"", error)


def _learn_sessions(session: str, *, over: bool) -> None:
    from twiceshy import app as wiring
    from twiceshy.learning.learn import learn_from_transcripts
    from twiceshy.learning.sources import list_unfinished_sources
    from twiceshy.recall.event_context import log_run
    from twiceshy.recall.held_record import recover_records
    from twiceshy.store.convert import release_conversion

    config = wiring.load_settings()
    with wiring.open_app(config) as app, app.learning_lock(patience=_PATIENCE_S) as mine:
        release_conversion(config.store)  # opening the store has converted it, if it had to be
        if not mine:
            return  # what they leave is read by the next one
        log_run(config, f"learn {session or '-'}", at=app.store.now())
        recover_records(app)
        learn_from_transcripts(app, _own_transcripts(app, session), close=over)
        _record_context_use(app, session)
        learn_from_transcripts(
            app, list_unfinished_sources(app, except_session=session), close=True
        )
        _compress(app)
        _write_views(app)


def _record_context_use(app: App, session: str) -> None:
    """Record the share of used context for the next prompt."""
    from twiceshy.core.session import ContextFill
    from twiceshy.learning.compaction_advice import find_context_percent

    if percent := find_context_percent(app, session):
        app.store.save_records(ContextFill(session, percent))


def _compress(app: App) -> None:
    """Compress the store once a day, after learning."""
    from twiceshy.upkeep.compress import compress_daily

    compress_daily(app)


def _write_views(app: App) -> None:
    """Update views, if switched on."""
    from twiceshy.hooks.views import write_views

    write_views(app)


def _tend_if_due(*, over: bool) -> None:
    from twiceshy.hooks.maintenance import tend_if_due

    tend_if_due(over=over)


def _back_up() -> None:
    from twiceshy.hooks.backup import back_up_if_due

    back_up_if_due()


def _own_transcripts(app: App, session: str) -> list[TranscriptSource]:
    from twiceshy.core.errors import NotFoundError
    from twiceshy.learning.sources import find_session_sources

    try:
        return find_session_sources(app, session)
    except NotFoundError:
        return []  # clients can be told to keep none
