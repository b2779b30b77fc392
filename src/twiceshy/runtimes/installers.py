"""The runtimes that can be connected: which there are, which are on this machine, which are connected."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import RUNTIMES, folder_of
from twiceshy.runtimes.installing import here_for
from twiceshy.runtimes.receipt import receipts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.installing import Here, Wanted

    class Installer(Protocol):
        """The interface of every ``runtimes/<name>/install.py``."""

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


GENERIC = "generic"
CHOICES = (*RUNTIMES, GENERIC)


def installer(name: str) -> Installer:
    """Load the module that connects a runtime."""
    if name not in CHOICES:
        raise ConfigError(
            f"there is a receipt for {name!r}, a runtime that this twiceshy does not know",
            hint="upgrade twiceshy",
        )
    module: Installer = import_module(f"twiceshy.runtimes.{folder_of(name)}.install")
    return module


def package_folder() -> str:
    """Return where this package is installed."""
    return os.path.dirname(os.path.abspath(twiceshy.__file__))


def install_place(config: Config) -> Here:
    """Return where everything lies for this user, on this machine."""
    return here_for(
        config.home,
        config.home_dir,
        package_folder(),
        os.environ,
        mcp=find_spec("mcp") is not None,
        answers=config.text("hook.lane") == "server",
    )


def found_runtimes(here: Here) -> list[str]:
    """Return the runtimes whose clients are on this machine."""
    return [name for name in RUNTIMES if installer(name).found(here.home_dir, here.environ)]


def connected_runtimes(home: str) -> dict[str, Installer]:
    """Return the installers of the runtimes that have a receipt."""
    return {name: installer(name) for name in receipts(home) if name in CHOICES}
