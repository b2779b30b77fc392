"""Location and remote of the shared clone."""

from __future__ import annotations

import os

from twiceshy.sync.repository import GitRepository
from twiceshy.sync.sync_run import sync_store

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.sync.sync_run import SyncRequest, SyncResult


def sync_with_remote(app: App, way: SyncRequest, *, remote: str = "") -> SyncResult:
    """Sync the store with a remote; by default, the remote of the settings."""
    repository = GitRepository(
        os.path.join(app.config.home, "sync", "repository"),
        remote or app.config.text("sync.remote"),
        branch=app.config.text("sync.branch"),
    )
    return sync_store(app, repository, way.but(device=os.uname().nodename))
