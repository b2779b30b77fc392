"""``twiceshy install``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli import connecting, first_lessons, starter
from twiceshy.cli.config import set_setting
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.runtimes.claude_code.install import plan_install

if TYPE_CHECKING:
    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.plan import Plan

MODELS = ("none", "claude-cli", "openai")


@click.command("install")
@click.argument("runtime", type=click.Choice(connecting.RUNTIMES), required=False)
@click.option("--plan", "only_plan", is_flag=True, help="Show every change; write nothing.")
@click.option("--starter", "with_starter", is_flag=True, help="Add notes for skills with none.")
@click.option(
    "--learn", "with_history", is_flag=True, help="Learn from the transcripts there are."
)
@click.option("--distiller", type=click.Choice(MODELS), help="The model that refines, if any.")
@yes_option
@json_option
def command(
    *,
    runtime: str | None,
    only_plan: bool,
    with_starter: bool,
    with_history: bool,
    distiller: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Connect a runtime, so that its sessions recall notes and leave some.

    Without RUNTIME, those found on this machine. Shows what it will do and asks; --yes answers,
    and is needed where nobody can. Everything else in your settings stays as it is, `uninstall`
    takes it all back, and calling it again repairs what moved.

    Starter notes are a few lessons for common skills; one `undo` takes them back. With --learn,
    what earlier sessions went through is learned right away; a person is asked about it. Lessons
    are found by rules; a model may refine them, if you choose one, and is asked at most
    distiller.daily_calls times a day.

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
    ask = not yes and not as_json
    chosen_model = _choose(config, plan, distiller, ask=ask)
    added = _start(config, plan, wanted=with_starter, ask=ask)
    learned = first_lessons.offer(chosen_model, wanted=with_history, ask=ask and not plan.empty)
    if as_json:
        done = {"planned": False, "starter": added, "learned": learned}
        print_json(connecting.plan_json(plan) | done)


def _choose(config: Config, plan: Plan, named: str | None, *, ask: bool) -> Config:
    """Set the model that refines lessons, if one was named; ask a person once, at the first install."""
    key = "distiller.backend"
    unset = config.text(key) == "none" and not plan.empty
    if named is None and ask and unset and sys.stdin.isatty():
        say("Lessons are found by rules, without a model. A model may refine them; it then sees")
        say("redacted pieces of your sessions, and every call is in the ledger (twiceshy cost).")
        named = str(click.prompt("Which one", type=click.Choice(MODELS), default="none", err=True))
    if named is None or named == config.text(key):
        return config
    set_setting(key, named)
    say(f"{key} is {named} now; `twiceshy config set {key} none` switches it off")
    return settings()


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
