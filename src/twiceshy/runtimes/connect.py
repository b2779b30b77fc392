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
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.runtimes.install_plan import InstallPlace
    from twiceshy.runtimes.plan import FileChange

    Plans = dict[str, InstallPlan]
    Errors = dict[str, TwiceshyError]


def plan_installs(
    here: InstallPlace, names: Iterable[str], files: Sequence[str] = ()
) -> tuple[Plans, Errors]:
    """Plan for each runtime; ``files`` are for any other client."""
    plans: Plans = {}
    errors: Errors = {}
    for name in names:
        try:
            by_hand = name == GENERIC
            wanted = (
                generic.build_request(here, files)
                if by_hand
                else load_installer(name).build_request(here)
            )
            plans[name] = plan_install(here, wanted)
        except TwiceshyError as error:
            errors[name] = error
    return plans, errors


def plan_uninstalls(here: InstallPlace, names: Iterable[str]) -> tuple[Plans, Errors]:
    """Plan for each runtime, as if earlier ones were gone."""
    plans: Plans = {}
    errors: Errors = {}
    for name in names:
        try:
            plans[name] = _plan_without(here, name, plans)
        except TwiceshyError as error:
            errors[name] = error
    return plans, errors


def connect_runtimes(plans: Mapping[str, InstallPlan], home: str) -> tuple[list[str], Errors]:
    """Carry out plans; return the connected runtimes."""
    done: list[str] = []
    errors: Errors = {}
    for name, plan in plans.items():
        try:
            plan.execute_plan(home)
            done.append(name)
        except TwiceshyError as error:
            errors[name] = error
    return done, errors


def disconnect_runtimes(
    here: InstallPlace, plans: Mapping[str, InstallPlan]
) -> tuple[dict[str, tuple[str, ...]], Errors]:
    """Carry out plans; return remarks of each disconnected runtime.

    Files needed by a runtime that could not be uninstalled stay.
    """
    done: dict[str, tuple[str, ...]] = {}
    errors: Errors = {}
    for name, planned in plans.items():
        try:
            plan = _plan_without(here, name, done) if errors else planned
            done[name] = plan.execute_plan(here.home)
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
