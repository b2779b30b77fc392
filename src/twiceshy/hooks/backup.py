"""Back up at the end of the background job, if switched on."""

from __future__ import annotations

from twiceshy import app as wiring


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
