"""What install, uninstall, doctor and status share: the runtimes, where things lie, and asking first."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import click

import twiceshy
from twiceshy.cli.output import say
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.runtimes import RUNTIMES, folder_of
from twiceshy.runtimes.installing import here_for
from twiceshy.runtimes.receipt import receipts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.installing import Here, Wanted

Done = TypeVar("Done")
GENERIC = "generic"
CHOICES = (*RUNTIMES, GENERIC)


class Runtime(Protocol):
    """What every ``runtimes/<name>/install.py`` answers."""

    TITLE: str
    LEVEL: str

    def found(self, home_dir: str, environ: Mapping[str, str]) -> bool:
        """Tell whether its client is on this machine."""

    def wanted(self, here: Here) -> Wanted:
        """Say what its client needs to read us."""

    def trouble(self, here: Here) -> str:
        """Return what keeps its client from reaching us, or nothing."""

    def sample(self, folder: str, skill: str) -> object:
        """Return what its client sends when a skill was loaded in a folder."""


def runtime_named(name: str) -> Runtime:
    """Load what knows a runtime."""
    if name not in CHOICES:
        raise ConfigError(
            f"there is a receipt for {name!r}, a runtime that this twiceshy does not know",
            hint="upgrade twiceshy",
        )
    return cast("Runtime", import_module(f"twiceshy.runtimes.{folder_of(name)}.install"))


def package_folder() -> str:
    """Return where this package is installed."""
    return os.path.dirname(os.path.abspath(twiceshy.__file__))


def around(config: Config) -> Here:
    """Return where everything lies for this user, on this machine."""
    mcp = find_spec("mcp") is not None
    return here_for(
        config.home,
        config.home_dir,
        package_folder(),
        os.environ,
        mcp=mcp,
        answers=config.text("hook.lane") == "server",
    )


def found_runtimes(here: Here) -> list[str]:
    """Return the runtimes whose clients are on this machine."""
    return [name for name in RUNTIMES if runtime_named(name).found(here.home_dir, here.environ)]


def connected(home: str) -> dict[str, Runtime]:
    """Return the runtimes that have a receipt, and what knows them."""
    return {name: runtime_named(name) for name in receipts(home) if name in CHOICES}


def attempt(name: str, action: Callable[[], Done]) -> Done | None:
    """Do something for one runtime; if it fails say why, so that the others go on."""
    try:
        return action()
    except TwiceshyError as error:
        say(f"twiceshy: {name}: {error}")
        if error.hint:
            say(f"hint: {error.hint}")
        return None


def agree(question: str, *, yes: bool) -> None:
    """Ask before writing; where nobody can answer, --yes has to be given."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(
            "nobody is here to ask; nothing was changed",
            hint="look with --plan, then call it again with --yes",
        )
    click.confirm(question, default=True, abort=True, err=True)


def remark(texts: Iterable[str]) -> None:
    """Say what someone should know."""
    for text in texts:
        say(text)


def summed(counts: Mapping[str, int]) -> str:
    """Say how many there are of each."""
    return ", ".join(f"{name} ({count})" for name, count in counts.items())


def titles(names: Iterable[str]) -> str:
    """Name runtimes the way their makers do."""
    return ", ".join(runtime_named(name).TITLE for name in names)
