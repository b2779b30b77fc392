"""Installers of runtimes: known, present and connected; and several of them at once.

A runtime that fails stops no other.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

import twiceshy
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.files.replace import remove_file
from twiceshy.runtimes import RUNTIMES, launcher, package_name_of
from twiceshy.runtimes.generic import install as generic
from twiceshy.runtimes.install_plan import build_install_place, plan_install
from twiceshy.runtimes.job_files import remove_job_files
from twiceshy.runtimes.plan import InstallPlan
from twiceshy.runtimes.receipt import list_receipts
from twiceshy.runtimes.uninstall_plan import plan_uninstall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol, TypeVar

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest
    from twiceshy.runtimes.plan import FileChange

    T = TypeVar("T")
    Errors = dict[str, TwiceshyError]

    class Installer(Protocol):
        """The interface of every ``runtimes/<name>/install.py``."""

        TITLE: str
        LEVEL: str

        def is_installed(self, here: InstallPlace) -> bool:
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
    place = build_install_place(
        config.home,
        config.home_dir,
        find_package_folder(),
        os.environ,
        mcp=find_spec("mcp") is not None,
        answers=config.text("hook.lane") == "server",
        counts=config.flag("keeper.banner"),
    )
    return place.but(short=config.flag("commands.short"), of_model=config.items("commands.model"))


def list_installed_runtimes(here: InstallPlace) -> list[str]:
    """Return runtimes with a client on this machine."""
    return [name for name in RUNTIMES if load_installer(name).is_installed(here)]


def list_connected_runtimes(home: str) -> dict[str, Installer]:
    """Return installers of runtimes with a receipt."""
    return {name: load_installer(name) for name in list_receipts(home) if name in CHOICES}


def plan_installs(
    here: InstallPlace, names: Iterable[str], files: Sequence[str] = ()
) -> tuple[dict[str, InstallPlan], Errors]:
    """Plan for each runtime; ``files`` are for any other client."""

    def plan(name: str) -> InstallPlan:
        if name == GENERIC:
            return plan_install(here, generic.build_request(here, files))
        return plan_install(here, load_installer(name).build_request(here))

    return _each(names, lambda name, _: plan(name))


def plan_uninstalls(
    here: InstallPlace, names: Iterable[str]
) -> tuple[dict[str, InstallPlan], Errors]:
    """Plan for each runtime, as if earlier ones were gone."""
    return _each(names, lambda name, before: _plan_without(here, name, before))


def connect_runtimes(plans: Mapping[str, InstallPlan], home: str) -> tuple[list[str], Errors]:
    """Carry out plans; return the connected runtimes."""
    done, errors = _each(plans, lambda name, _: plans[name].execute_plan(home))
    return list(done), errors


def disconnect_runtimes(
    here: InstallPlace, plans: Mapping[str, InstallPlan]
) -> tuple[dict[str, tuple[str, ...]], Errors]:
    """Carry out plans; return remarks of each disconnected runtime.

    Files needed by a runtime that could not be uninstalled stay.
    """
    names = list(plans)

    def act(name: str, done: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        failed = len(done) < names.index(name)
        plan = _plan_without(here, name, done) if failed else plans[name]
        return plan.execute_plan(here.home)

    done = _each(names, act)
    if not os.path.exists(here.launcher_path):
        remove_job_files(here.home)  # it waits for a job, which may write the bundle
        remove_file(launcher.bundle_path(here.home))
    return done


def _each(
    names: Iterable[str], act: Callable[[str, Mapping[str, T]], T]
) -> tuple[dict[str, T], Errors]:
    """Act for each runtime, knowing those done before; an error of one stops none of the others."""
    done: dict[str, T] = {}
    errors: Errors = {}
    for name in names:
        try:
            done[name] = act(name, done)
        except TwiceshyError as error:
            errors[name] = error
    return done, errors


def merge_plans(plans: Iterable[InstallPlan]) -> InstallPlan:
    """Return several plans as a single plan, without repeated changes."""
    every = list(plans)
    return InstallPlan(
        _keep_distinct(change for plan in every for change in plan.changes),
        _keep_distinct(record for plan in every for record in plan.records),
        remarks=tuple(dict.fromkeys(text for plan in every for text in plan.remarks)),
        undo=tuple(command for plan in every for command in plan.undo),
        commands=tuple(command for plan in every for command in plan.commands),
    )


def _plan_without(here: InstallPlace, name: str, gone: Iterable[str]) -> InstallPlan:
    return plan_uninstall(here, load_installer(name).build_request(here), gone=frozenset(gone))


def _keep_distinct(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    return tuple({change.path: change for change in changes}.values())
