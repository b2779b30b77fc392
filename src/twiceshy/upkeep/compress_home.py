"""Compress the memory home by the user's settings: store first, then files."""

from __future__ import annotations

import os

from twiceshy import app as wiring
from twiceshy.config.load import load_config
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.retention import Retention
from twiceshy.runtimes.transcripts import reader_for_path
from twiceshy.upkeep.compress import CompressReport, compress_store
from twiceshy.upkeep.sweep import sweep_files

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.config.resolved import Config

_LEASE = "compress"


def compress_home(app: App, *, plan: bool = False) -> CompressReport:
    """Fold, prune and sweep everything due, or plan the work.

    A project's settings file concerns only that project: a clone must not shorten the history of
    other projects.
    """
    own = dict.fromkeys(
        app.store.list_project_ids(app.current_project().id), retention_of(app.config)
    )
    rules = retention_of(_settings_outside_projects())
    done = compress_store(app.store, rules, there=has_transcript, own=own, plan=plan)
    return done.but(swept=sweep_files(app.config.home, app.store.now(), rules, plan=plan))


def compress_daily(app: App) -> CompressReport | None:
    """Compress in passing, at most once a day, by a single process."""
    # nobody gives this lease back: for a day there is nothing more to do
    if not app.store.take_lease(_LEASE, app.store.new_id(), seconds=DAY // SECOND):
        return None
    return compress_home(app)


def retention_of(config: Config) -> Retention:
    """Return the retention limits of the settings."""
    return Retention.of(
        {name: config.integer(f"retention.{name}") for name in Retention.__fields__}
    )


def has_transcript(transcript: str) -> bool:
    """True if a transcript can still be read."""
    return reader_for_path(transcript).transcript_size(transcript) >= 0


def _settings_outside_projects() -> Config:
    """Return the settings outside of any project."""
    user = wiring.user_home()
    return load_config(os.environ, cwd=user, home_dir=user)
