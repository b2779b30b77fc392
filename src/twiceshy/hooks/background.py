"""The background job: learns from sessions, silently."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.learning.sources import TranscriptSource

_PATIENCE_S = 30.0


def learn(arguments: list[str]) -> None:
    """Learn from the named session, and from unfinished sessions."""
    session = arguments[0] if arguments else ""
    if "TWICESHY_INSIDE" in os.environ:
        return
    try:
        os.nice(10)
        over = "over" in arguments[1:]
        _learn(session, over=over)
        _tend(over=over)
        _back_up()
    except Exception as error:  # noqa: BLE001 - nobody is there to be told
        from twiceshy.recall.hook_log import report

        report("learn", b"", error)


def _learn(session: str, *, over: bool) -> None:
    from twiceshy import app as wiring
    from twiceshy.learning.learn import learn_from_transcripts
    from twiceshy.learning.sources import unfinished_sources
    from twiceshy.recall.event_context import log_run

    config = wiring.settings()
    with wiring.opened(config) as app, app.learning(patience=_PATIENCE_S) as mine:
        if not mine:
            return  # what they leave is read by the next one
        log_run(config, f"learn {session or '-'}", at=app.store.now())
        learn_from_transcripts(app, _its_own(app, session), close=over)
        _fill(app, session)
        learn_from_transcripts(app, unfinished_sources(app, but=session), close=True)
        _compress(app)
        _write_views(app)


def _fill(app: App, session: str) -> None:
    """Record the share of used context for the next prompt."""
    from twiceshy.core.session import ContextFill
    from twiceshy.learning.context import fullness

    if percent := fullness(app, session):
        app.store.keep(ContextFill(session, percent))


def _compress(app: App) -> None:
    """Compress the store once a day, after learning."""
    from twiceshy.upkeep.compressing import compressed_today

    compressed_today(app)


def _write_views(app: App) -> None:
    """Update views, if switched on."""
    from twiceshy.hooks.viewing import write_views

    write_views(app)


def _tend(*, over: bool) -> None:
    from twiceshy.hooks.tending import tend_if_due

    tend_if_due(over=over)


def _back_up() -> None:
    from twiceshy.hooks.backing_up import back_up_if_due

    back_up_if_due()


def _its_own(app: App, session: str) -> list[TranscriptSource]:
    from twiceshy.core.errors import NotFoundError
    from twiceshy.learning.sources import sources_of_session

    try:
        return sources_of_session(app, session)
    except NotFoundError:
        return []  # clients can be told to keep none
