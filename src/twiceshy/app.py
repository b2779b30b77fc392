"""The composition root: the only module that knows which store, which clock, whose secrets."""

from __future__ import annotations

import os
from contextlib import contextmanager

from twiceshy import config as configuration
from twiceshy.config.shapes import masked
from twiceshy.core.brief import Budget
from twiceshy.core.errors import ConfigError
from twiceshy.core.rank import Weights
from twiceshy.core.redact import redact, secret_values
from twiceshy.core.value import Value
from twiceshy.curate.write import Bounds

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.config import Config
    from twiceshy.core.project import Identity
    from twiceshy.stores.sqlite.store import SqliteStore


class App(Value):
    """What a command works with: settings, the open store, and where it was called."""

    config: Config
    store: SqliteStore
    cwd: str
    secrets: tuple[str, ...]

    def redact(self, text: str) -> str:
        """Take secrets out of a text, those of this environment included."""
        return redact(text, known=self.secrets)

    def here(self) -> Identity:
        """Return the project that the current directory belongs to."""
        return identify(self.cwd, self.config)

    @property
    def bounds(self) -> Bounds:
        """Return how much is kept and for how long."""
        return Bounds(
            skill_max=self.config.integer("notes.skill_max"),
            global_max=self.config.integer("notes.global_max"),
            eviction=self.config.text("eviction.policy"),
            near=self.config.number("notes.near_duplicate"),
            longest=self.config.integer("notes.max_characters"),
            expiry_days=self.config.counts("expiry.days"),
        )

    @property
    def budget(self) -> Budget:
        """Return how much a brief for a skill may take."""
        return Budget(
            tokens=self.config.integer("brief.skill_tokens"),
            notes=self.config.integer("brief.skill_notes"),
            pinned_tokens=self.config.integer("brief.pinned_tokens"),
            characters=self.config.integer("brief.max_characters"),
        )

    @property
    def weights(self) -> Weights:
        """Return what counts how much in ranking."""
        return Weights(
            relevance=self.config.number("rank.relevance"),
            recency=self.config.number("rank.recency"),
            sightings=self.config.number("rank.sightings"),
            half_life_days=self.config.number("rank.half_life_days"),
        )


def settings() -> Config:
    """Resolve the settings for this process."""
    return configuration.load(
        os.environ, cwd=working_directory(), home_dir=os.path.expanduser("~")
    )


def working_directory() -> str:
    """Return the current directory; a deleted one is an error the user can act on."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise ConfigError(
            "the current directory no longer exists", hint="change to another directory"
        ) from error


def identify(cwd: str, config: Config) -> Identity:
    """Tell which project a directory belongs to."""
    from twiceshy import projects

    return projects.identify(cwd, cache=os.path.join(config.home, "projects.json"))


@contextmanager
def opened(config: Config | None = None) -> Iterator[App]:
    """Open the configured store, and close it afterwards."""
    config = config or settings()
    if "://" in config.store:
        raise ConfigError(
            f"no store understands {masked(config.store)!r}",
            hint="give the path of an SQLite file",
        )
    from twiceshy.stores.sqlite.connect import COMMAND
    from twiceshy.stores.sqlite.store import SqliteStore

    secrets = secret_values(os.environ) + config.items("redact.extra")
    wait = COMMAND.wait_ms
    store = SqliteStore(
        config.store,
        clock=clock,
        gate=lambda text: redact(text, known=secrets),
        patience=COMMAND.but(retries=max(1, config.integer("store.patience_s") * 1000 // wait)),
    )
    try:
        yield App(config, store, working_directory(), secrets)
    finally:
        store.close()


def clock() -> int:
    """Return the wall clock in milliseconds."""
    import time

    return time.time_ns() // 1_000_000
