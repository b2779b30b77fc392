"""Connect or disconnect several runtimes; a failure stops no other."""

from __future__ import annotations

from twiceshy.core.errors import TwiceshyError
from twiceshy.runtimes.generic import install as generic
from twiceshy.runtimes.installers import GENERIC, installer
from twiceshy.runtimes.installing import plan_install
from twiceshy.runtimes.plan import Plan
from twiceshy.runtimes.uninstalling import plan_uninstall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.runtimes.installing import Here
    from twiceshy.runtimes.plan import Change

    Plans = dict[str, Plan]
    Errors = dict[str, TwiceshyError]


def plan_installs(
    here: Here, names: Iterable[str], files: Sequence[str] = ()
) -> tuple[Plans, Errors]:
    """Plan for each runtime; ``files`` are for any other client."""
    plans: Plans = {}
    errors: Errors = {}
    for name in names:
        try:
            by_hand = name == GENERIC
            wanted = generic.wanted(here, files) if by_hand else installer(name).wanted(here)
            plans[name] = plan_install(here, wanted)
        except TwiceshyError as error:
            errors[name] = error
    return plans, errors


def plan_uninstalls(here: Here, names: Iterable[str]) -> tuple[Plans, Errors]:
    """Plan for each runtime, as if earlier ones were gone."""
    plans: Plans = {}
    errors: Errors = {}
    for name in names:
        try:
            plans[name] = _plan_without(here, name, plans)
        except TwiceshyError as error:
            errors[name] = error
    return plans, errors


def connect(plans: Mapping[str, Plan], home: str) -> tuple[list[str], Errors]:
    """Carry out plans; return the connected runtimes."""
    done: list[str] = []
    errors: Errors = {}
    for name, plan in plans.items():
        try:
            plan.execute(home)
            done.append(name)
        except TwiceshyError as error:
            errors[name] = error
    return done, errors


def disconnect(here: Here, plans: Mapping[str, Plan]) -> tuple[dict[str, tuple[str, ...]], Errors]:
    """Carry out plans; return remarks of each disconnected runtime.

    Files needed by a runtime that could not be uninstalled stay.
    """
    done: dict[str, tuple[str, ...]] = {}
    errors: Errors = {}
    for name, planned in plans.items():
        try:
            plan = _plan_without(here, name, done) if errors else planned
            done[name] = plan.execute(here.home)
        except TwiceshyError as error:
            errors[name] = error
    return done, errors


def merge_plans(plans: Iterable[Plan]) -> Plan:
    """Return several plans as a single plan, without repeated changes."""
    every = list(plans)
    return Plan(
        _once(change for plan in every for change in plan.changes),
        _once(record for plan in every for record in plan.records),
        remarks=tuple(dict.fromkeys(text for plan in every for text in plan.remarks)),
        undo=tuple(command for plan in every for command in plan.undo),
        commands=tuple(command for plan in every for command in plan.commands),
    )


def _plan_without(here: Here, name: str, gone: Iterable[str]) -> Plan:
    return plan_uninstall(here, installer(name).wanted(here), gone=frozenset(gone))


def _once(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple({change.path: change for change in changes}.values())
