"""``twiceshy uninstall``."""

from __future__ import annotations

import shlex

import click

from twiceshy.app import settings
from twiceshy.cli import connecting
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.runtimes.claude_code.uninstall import plan_uninstall
from twiceshy.runtimes.plan import Plan
from twiceshy.runtimes.receipt import receipts


@click.command("uninstall")
@click.argument("runtime", type=click.Choice(connecting.RUNTIMES), required=False)
@click.option("--plan", "only_plan", is_flag=True, help="Show every change; write nothing.")
@yes_option
@json_option
def command(*, runtime: str | None, only_plan: bool, yes: bool, as_json: bool) -> None:
    """Take twiceshy out of a runtime, or of every one that it was installed in.

    A settings file that nobody touched since is put back byte for byte; in any other only our
    lines go. Your notes stay.

    Example: twiceshy uninstall --plan
    """
    config = settings()
    chosen = [runtime] if runtime else receipts(config.home)
    plan = plan_uninstall(connecting.claude_code(config)) if chosen else Plan()
    if as_json and only_plan:
        print_json(connecting.plan_json(plan) | {"planned": True})
        return
    if plan.empty:
        say("nothing is installed")
    elif only_plan:
        connecting.print_plan(plan, home=config.home)
        connecting.remark([*plan.remarks, "nothing was changed"])
    else:
        _disconnect(plan, config.home, yes=yes, as_json=as_json)
    if as_json:
        print_json(connecting.plan_json(plan) | {"planned": False})


def _disconnect(plan: Plan, home: str, *, yes: bool, as_json: bool) -> None:
    if not as_json:
        connecting.print_outline(plan, home=home)
    connecting.remark(plan.remarks)
    connecting.agree("Go ahead?", yes=yes)
    plan.execute(home)
    say("uninstalled; sessions that run already may still call the hooks until they end")
    say(f"your notes stay; to erase them too: rm -r {shlex.quote(home)}")
