"""Installers of runtimes: known, present, and connected."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import RUNTIMES, package_name_of
from twiceshy.runtimes.install_plan import build_install_place
from twiceshy.runtimes.receipt import list_receipts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest

    class Installer(Protocol):
        """The interface of every ``runtimes/<name>/install.py``."""

        TITLE: str
        LEVEL: str

        def is_installed(self, home_dir: str, environ: Mapping[str, str]) -> bool:
            """True if the client is on this machine."""

        def build_request(self, here: InstallPlace) -> InstallRequest:
            """Return the client's needs for an install."""

        def find_trouble(self, here: InstallPlace) -> str:
            """Return the reason the client does not reach us; empty if none."""

        def sample_payload(self, folder: str, skill: str) -> object:
            """Return a sample payload of a loaded skill."""


GENERIC = "generic"
CHOICES = (*RUNTIMES, GENERIC)


def load_installer(name: str) -> Installer:
    """Load the module that connects a runtime."""
    if name not in CHOICES:
        raise ConfigError(
            f"there is a receipt for {name!r}, a runtime that this twiceshy does not know",
            hint="upgrade twiceshy",
        )
    module: Installer = import_module(f"twiceshy.runtimes.{package_name_of(name)}.install")
    return module


def find_package_folder() -> str:
    """Return the folder of the installed package."""
    return os.path.dirname(os.path.abspath(twiceshy.__file__))


def find_install_place(config: Config) -> InstallPlace:
    """Return the install locations for this user."""
    return build_install_place(
        config.home,
        config.home_dir,
        find_package_folder(),
        os.environ,
        mcp=find_spec("mcp") is not None,
        answers=config.text("hook.lane") == "server",
    )


def list_installed_runtimes(here: InstallPlace) -> list[str]:
    """Return runtimes with a client on this machine."""
    return [
        name for name in RUNTIMES if load_installer(name).is_installed(here.home_dir, here.environ)
    ]


def list_connected_runtimes(home: str) -> dict[str, Installer]:
    """Return installers of runtimes with a receipt."""
    return {name: load_installer(name) for name in list_receipts(home) if name in CHOICES}
