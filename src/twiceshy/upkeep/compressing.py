"""Keep the memory home small, by the user's settings: the store first, then the files beside it."""

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
    """Fold, prune and sweep what is due, or only say what that would be.

    What a project's file says holds for that project: a clone must not shorten what others keep.
    """
    own = dict.fromkeys(app.store.same_project(app.here().id), rules_of(app.config))
    rules = rules_of(_outside())
    done = compress(app.store, rules, there=is_there, own=own, plan=plan)
    return done.but(swept=sweep(app.config.home, app.store.now(), rules, plan=plan))


def compressed_today(app: App) -> Compressed | None:
    """Do the same in passing, once a day at most; nothing if somebody did, or does."""
    # nobody gives this lease back: for a day there is nothing more to do
    if not app.store.lease(_LEASE, app.store.new_id(), seconds=DAY // SECOND):
        return None
    return compressed(app)


def rules_of(config: Config) -> Retention:
    """Return how much is kept, and how long, by some settings."""
    return Retention.of(
        {name: config.integer(f"retention.{name}") for name in Retention.__fields__}
    )


def is_there(transcript: str) -> bool:
    """Tell whether more may be learned from a transcript."""
    return reader_of(transcript).size_of(transcript) >= 0


def _outside() -> Config:
    """Return the settings that hold where there is no project."""
    user = wiring.user_home()
    return load(os.environ, cwd=user, home_dir=user)
