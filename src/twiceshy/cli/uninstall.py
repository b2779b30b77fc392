"""``twiceshy uninstall``."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli import connecting
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.cli.plan_view import plan_json, print_outline, print_plan, together
from twiceshy.runtimes.receipt import receipts
from twiceshy.runtimes.uninstalling import plan_uninstall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.runtimes.installing import Here
    from twiceshy.runtimes.plan import Plan


@click.command("uninstall")
@click.argument("runtimes", type=click.Choice(connecting.CHOICES), nargs=-1)
@click.option("--plan", "only_plan", is_flag=True, help="Show every change; write nothing.")
@yes_option
@json_option
def command(*, runtimes: tuple[str, ...], only_plan: bool, yes: bool, as_json: bool) -> int:
    """Take twiceshy out of some runtimes, or of every one that it was installed in.

    A settings file that nobody touched since is put back byte for byte; in any other only our
    lines go. Your notes stay.

    Example: twiceshy uninstall --plan
    """
    here = connecting.around(settings())
    names = list(dict.fromkeys(runtimes)) or receipts(here.home)
    plans = _plans(here, names)
    plan = together(plans.values())
    done = list(plans)
    if plan.empty and done == names:
        say("nothing is installed")
    elif not only_plan and plans:
        done = _disconnect(here, plans, yes=yes, as_json=as_json)
    elif only_plan and not as_json:
        _show(plan, here.home)
    if as_json:
        print_json(plan_json(plan) | {"planned": only_plan, "runtimes": done})
    return 0 if done == names else 1


def _show(plan: Plan, home: str) -> None:
    print_plan(plan, home=home)
    connecting.remark([*plan.remarks, "nothing was changed"])


def _plans(here: Here, names: Iterable[str]) -> dict[str, Plan]:
    """Plan for each runtime in turn; one that cannot be planned is told and left out."""
    plans: dict[str, Plan] = {}
    for name in names:
        before = frozenset(plans)
        plan = connecting.attempt(name, partial(_planned, here, name, before))
        if plan is not None:
            plans[name] = plan
    return plans


def _planned(here: Here, name: str, gone: frozenset[str]) -> Plan:
    return plan_uninstall(here, connecting.runtime_named(name).wanted(here), gone=gone)


def _disconnect(here: Here, plans: Mapping[str, Plan], *, yes: bool, as_json: bool) -> list[str]:
    """Carry out what a person agreed to; return the runtimes that we are out of now."""
    plan = together(plans.values())
    if not as_json:
        print_outline(plan, home=here.home)
    connecting.remark(plan.remarks)
    connecting.agree("Go ahead?", yes=yes)
    done: list[str] = []
    for place, (name, planned) in enumerate(plans.items()):
        failed_before = place > len(done)
        action = partial(_replanned, here, name, done) if failed_before else planned.execute
        refused = connecting.attempt(name, partial(action, here.home))
        if refused is not None:
            connecting.remark(refused)
            done.append(name)
    if done:
        say("uninstalled; sessions that run already may still call the hooks until they end")
        say(f"your notes stay; to erase them too: rm -r {shlex.quote(here.home)}")
    return done


def _replanned(here: Here, name: str, done: Iterable[str], home: str) -> tuple[str, ...]:
    """Carry it out without taking away what a runtime needs that could not be uninstalled."""
    return _planned(here, name, frozenset(done)).execute(home)
