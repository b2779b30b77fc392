"""Connect or disconnect several runtimes; a failure stops no other."""

from __future__ import annotations

from twiceshy.core.errors import TwiceshyError
from twiceshy.runtimes.generic import install as generic
from twiceshy.runtimes.install_plan import plan_install
from twiceshy.runtimes.installers import GENERIC, load_installer
from twiceshy.runtimes.plan import InstallPlan
from twiceshy.runtimes.uninstall_plan import plan_uninstall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from twiceshy.runtimes.install_plan import InstallPlace
    from twiceshy.runtimes.plan import FileChange

    T = TypeVar("T")
    Errors = dict[str, TwiceshyError]


def plan_installs(
    here: InstallPlace, names: Iterable[str], files: Sequence[str] = ()
) -> tuple[dict[str, InstallPlan], Errors]:
    """Plan for each runtime; ``files`` are for any other client."""

    def plan(name: str) -> InstallPlan:
        by_hand = name == GENERIC
        wanted = (
            generic.build_request(here, files)
            if by_hand
            else load_installer(name).build_request(here)
        )
        return plan_install(here, wanted)

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

    return _each(names, act)


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
