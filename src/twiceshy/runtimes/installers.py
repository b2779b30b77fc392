"""Installers of runtimes: known, present, and connected."""

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
            """True if the client is on this machine."""

        def wanted(self, here: Here) -> Wanted:
            """Return the client's needs for an install."""

        def trouble(self, here: Here) -> str:
            """Return the reason the client does not reach us; empty if none."""

        def sample(self, folder: str, skill: str) -> object:
            """Return a sample payload of a loaded skill."""


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
    """Return the folder of the installed package."""
    return os.path.dirname(os.path.abspath(twiceshy.__file__))


def install_place(config: Config) -> Here:
    """Return the install locations for this user."""
    return here_for(
        config.home,
        config.home_dir,
        package_folder(),
        os.environ,
        mcp=find_spec("mcp") is not None,
        answers=config.text("hook.lane") == "server",
    )


def found_runtimes(here: Here) -> list[str]:
    """Return runtimes with a client on this machine."""
    return [name for name in RUNTIMES if installer(name).found(here.home_dir, here.environ)]


def connected_runtimes(home: str) -> dict[str, Installer]:
    """Return installers of runtimes with a receipt."""
    return {name: installer(name) for name in receipts(home) if name in CHOICES}
