"""``twiceshy install``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli import connecting, starter
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.runtimes.claude_code.install import plan_install

if TYPE_CHECKING:
    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.plan import Plan


@click.command("install")
@click.argument("runtime", type=click.Choice(connecting.RUNTIMES), required=False)
@click.option("--plan", "only_plan", is_flag=True, help="Show every change; write nothing.")
@click.option("--starter", "with_starter", is_flag=True, help="Add notes for skills with none.")
@yes_option
@json_option
def command(
    *, runtime: str | None, only_plan: bool, with_starter: bool, yes: bool, as_json: bool
) -> None:
    """Connect a runtime, so that its sessions recall notes and leave some.

    Without RUNTIME, those found on this machine. Shows what it will do and asks; --yes answers,
    and is needed where nobody can. Everything else in your settings stays as it is, `uninstall`
    takes it all back, and calling it again repairs what moved.

    Starter notes are a few lessons for common skills; one `undo` takes them back.

    Example: twiceshy install --plan
    """
    config = settings()
    chosen = [runtime] if runtime else connecting.found_runtimes(config)
    if not chosen:
        raise NotFoundError(
            "no runtime that twiceshy knows was found here",
            hint=f"name one: twiceshy install {connecting.RUNTIMES[0]}",
        )
    plan = plan_install(connecting.claude_code(config))
    if only_plan:
        _show(config, plan, with_starter=with_starter, as_json=as_json)
        return
    _connect(config, plan, yes=yes, as_json=as_json)
    added = _start(config, plan, wanted=with_starter, ask=not yes and not as_json)
    if as_json:
        print_json(connecting.plan_json(plan) | {"planned": False, "starter": added})


def _show(config: Config, plan: Plan, *, with_starter: bool, as_json: bool) -> None:
    notes = starter.offered(config) if with_starter else {}
    if as_json:
        print_json(connecting.plan_json(plan) | {"planned": True, "starter": notes})
        return
    connecting.print_plan(plan, home=config.home)
    connecting.remark(plan.remarks)
    if notes:
        say(f"starter notes: {connecting.summed(notes)}")
    say("everything is in place" if plan.empty else "nothing was changed")


def _connect(config: Config, plan: Plan, *, yes: bool, as_json: bool) -> None:
    if plan.empty:
        say("everything is in place")
        return
    if not as_json:
        connecting.print_outline(plan, home=config.home)
    connecting.remark(plan.remarks)
    connecting.agree("Go ahead?", yes=yes)
    plan.execute(config.home)
    say("installed; sessions that start from now on use it")
    say("hint: `twiceshy doctor` runs a hook to see that it answers")


def _start(config: Config, plan: Plan, *, wanted: bool, ask: bool) -> dict[str, int]:
    """Add starter notes if they were asked for; offer them once, to a person, at the first install."""
    offer = ask and not plan.empty and sys.stdin.isatty()
    notes = starter.offered(config) if wanted or offer else {}
    if not notes:
        if wanted:
            say("no starter notes were added: each of those skills has notes already")
        return {}
    if not wanted:
        count = sum(notes.values())
        question = f"Add {count} starter notes for {', '.join(notes)}?"
        if not click.confirm(question, default=False, err=True):
            return {}
    added = starter.add(config)
    say(f"added {len(added)} starter notes; `twiceshy undo` takes them back")
    return notes
