"""Compress the memory home by the user's settings: store first, then files."""

from __future__ import annotations

import os

from twiceshy import app as wiring
from twiceshy.config.load import load
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.retention import Retention
from twiceshy.runtimes.transcripts import reader_of
from twiceshy.upkeep.compress import Compressed, compress
from twiceshy.upkeep.sweep import sweep

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.config.resolved import Config

_LEASE = "compress"


def compressed(app: App, *, plan: bool = False) -> Compressed:
    """Fold, prune and sweep everything due, or plan the work.

    A project's settings file concerns only that project: a clone must not shorten the history of
    other projects.
    """
    own = dict.fromkeys(app.store.same_project(app.here().id), rules_of(app.config))
    rules = rules_of(_outside())
    done = compress(app.store, rules, there=is_there, own=own, plan=plan)
    return done.but(swept=sweep(app.config.home, app.store.now(), rules, plan=plan))


def compressed_today(app: App) -> Compressed | None:
    """Compress in passing, at most once a day, by a single process."""
    # nobody gives this lease back: for a day there is nothing more to do
    if not app.store.lease(_LEASE, app.store.new_id(), seconds=DAY // SECOND):
        return None
    return compressed(app)


def rules_of(config: Config) -> Retention:
    """Return the retention limits of the settings."""
    return Retention.of(
        {name: config.integer(f"retention.{name}") for name in Retention.__fields__}
    )


def is_there(transcript: str) -> bool:
    """True if a transcript can still be read."""
    return reader_of(transcript).size_of(transcript) >= 0


def _outside() -> Config:
    """Return the settings outside of any project."""
    user = wiring.user_home()
    return load(os.environ, cwd=user, home_dir=user)
