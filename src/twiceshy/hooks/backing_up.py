"""Back up at the end of the background job, if switched on."""

from __future__ import annotations

from twiceshy import app as wiring


def back_up_if_due() -> None:
    """Commit and push, if switched on, with a remote, and due."""
    config = wiring.settings()
    if not (config.flag("sync.after_sessions") and config.text("sync.remote")):
        return
    from twiceshy.core.errors import BusyError
    from twiceshy.sync.clone import shared
    from twiceshy.sync.rules import SYNC, due
    from twiceshy.sync.run import Way

    with wiring.opened(config) as app:
        every = config.integer("sync.every_minutes")
        if not due(app.store.runs(SYNC, limit=1), every_minutes=every, now=app.store.now()):
            return
        try:
            shared(app, Way(take=False))
        except BusyError:
            return  # somebody else is at it
