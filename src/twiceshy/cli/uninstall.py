"""``twiceshy uninstall``."""

import shlex

import click

from twiceshy.app import load_settings
from twiceshy.cli.first_steps import forget_answers
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, print_message, print_messages
from twiceshy.cli.plan_view import confirm_plan, plan_json, print_errors, print_plan
from twiceshy.runtimes.installers import (
    CHOICES,
    disconnect_runtimes,
    find_install_place,
    merge_plans,
    plan_uninstalls,
)
from twiceshy.runtimes.receipt import list_receipts


@click.command("uninstall")
@click.argument("runtimes", type=click.Choice(CHOICES), nargs=-1)
@click.option("--plan", "only_plan", is_flag=True, help="Show what would change; write nothing.")
@click.option("--diff", is_flag=True, help="Show every changed line.")
@yes_option
@json_option
def command(
    *, runtimes: tuple[str, ...], only_plan: bool, diff: bool, yes: bool, as_json: bool
) -> int:
    """Remove twiceshy from the given runtimes; default: every connected runtime.

    A settings file unchanged since the install is restored byte for byte; from any other file only
    the lines of twiceshy are removed. Your notes stay.

    Example: twiceshy uninstall --plan
    """
    config = load_settings()
    here = find_install_place(config)
    names = list(dict.fromkeys(runtimes)) or list_receipts(here.home)
    plans, errors = plan_uninstalls(here, names)
    print_errors(errors)
    plan = merge_plans(plans.values())
    done = list(plans)
    if plan.is_empty and done == names:
        print_message("nothing is installed")
    elif not only_plan and plans:
        confirm_plan(plan, home=here.home, yes=yes, as_json=as_json, diff=diff)
        remarks, failed = disconnect_runtimes(here, plans)
        done = list(remarks)
        print_messages(text for said in remarks.values() for text in said)
        print_errors(failed)
        if not list_receipts(here.home):
            forget_answers(config)
        if done:
            print_message(
                "uninstalled; sessions that run already may still call the hooks until they end"
            )
            print_message(f"your notes stay; to erase them too: rm -r {shlex.quote(here.home)}")
    elif only_plan and not as_json:
        print_plan(plan, home=here.home, diff=diff)
        print_messages([*plan.remarks, "nothing was changed"])
    if as_json:
        print_json(plan_json(plan) | {"planned": only_plan, "runtimes": done})
    return 0 if done == names else 1
