"""What the process that learns does last, if the user switched it on: back up what sessions left.

Called after everything else, in a process that nobody waits for.
"""

from __future__ import annotations

from twiceshy import app as wiring


def back_up_if_due() -> None:
    """Commit and push, if that was switched on, there is a remote, and the last time is long ago."""
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
