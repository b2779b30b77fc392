"""Discard the clone of the remote: its packs hold what was erased, and all else is in store or remote."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.sync.repository import GitRepository
from twiceshy.sync.sync_run import hold_lease

if TYPE_CHECKING:
    from twiceshy.app import App


def locate_clone(app: App) -> str:
    """Return the folder of the clone."""
    return os.path.join(app.config.home, "sync", "repository")


def has_remote(app: App) -> bool:
    """True if the settings name a remote."""
    return bool(app.config.text("sync.remote"))


def discard_clone(app: App) -> None:
    """Delete the clone but for the commit that was seen last; BusyError while it is in use."""
    folder = locate_clone(app)
    if not os.path.isdir(folder):
        return
    with hold_lease(app.store):
        remote = app.config.text("sync.remote")
        try:
            GitRepository(folder, remote, branch=app.config.text("sync.branch")).discard_history()
        except TwiceshyError:  # no remote, or no git: nothing of it is needed
            shutil.rmtree(folder)
