"""``twiceshy install``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli import connecting, first_lessons, starter
from twiceshy.cli.config import set_setting
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, say
from twiceshy.cli.plan_view import plan_json, print_outline, print_plan, together
from twiceshy.core.errors import NotFoundError
from twiceshy.runtimes.generic import install as generic
from twiceshy.runtimes.installing import WITHOUT_TOOLS, plan_install

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.installing import Here
    from twiceshy.runtimes.plan import Plan

MODELS = ("none", "claude-cli", "openai")


@click.command("install")
@click.argument("runtimes", type=click.Choice(connecting.CHOICES), nargs=-1)
@click.option("--plan", "only_plan", is_flag=True, help="Show every change; write nothing.")
@click.option("--starter", "with_starter", is_flag=True, help="Add notes for skills with none.")
@click.option(
    "--learn", "with_history", is_flag=True, help="Learn from the transcripts there are."
)
@click.option("--distiller", type=click.Choice(MODELS), help="The model that refines, if any.")
@click.option("--write", "files", multiple=True, metavar="FILE", help="A file for generic.")
@yes_option
@json_option
def command(
    *,
    runtimes: tuple[str, ...],
    only_plan: bool,
    with_starter: bool,
    with_history: bool,
    distiller: str | None,
    files: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> int:
    """Connect runtimes, so that their sessions recall notes and leave some.

    Without RUNTIMES, those found on this machine. Shows what it will do and asks once; --yes
    answers, and is needed where nobody can. Everything else in your settings stays as it is,
    `uninstall` takes it all back, and calling it again repairs what moved. Where one runtime
    fails, the others are still connected, and the exit code is 1.

    Any other client is called generic: the entry for its MCP servers and the lines for its rules
    are printed, and put into each FILE you name with --write (a .json file with mcpServers, or an
    AGENTS.md).

    Starter notes are a few lessons for common skills; one `undo` takes them back. With --learn,
    what earlier sessions went through is learned right away; a person is asked about it. Lessons
    are found by rules; a model may refine them, if you choose one, and is asked at most
    distiller.daily_calls times a day.

    Example: twiceshy install --plan
    """
    config = settings()
    here = connecting.around(config)
    names = _chosen(here, runtimes, files)
    plans = _plans(here, names, files)
    plan = together(plans.values())
    offer = {} if files or connecting.GENERIC not in names else generic.offer(here)
    if only_plan:
        _show(config, plan, offer, with_starter=with_starter, as_json=as_json)
        return _code(names, plans)
    # what is only printed changes nothing but our own folder, which needs nobody's consent
    printed = bool(offer) and names == [connecting.GENERIC]
    done = _connect(config, plans, yes=yes or printed, as_json=as_json)
    ask = bool(done) and not yes and not as_json and not plan.empty
    chosen_model = _choose(config, distiller, ask=ask)
    added = _start(config, wanted=with_starter, ask=ask)
    learned = first_lessons.offer(chosen_model, wanted=with_history, ask=ask)
    if as_json:
        result = {"planned": False, "runtimes": done, "starter": added, "learned": learned}
        print_json(plan_json(plan) | offer | result)
    else:
        _print_offer(offer)
    return _code(names, done)


def _chosen(here: Here, named: Sequence[str], files: Sequence[str]) -> list[str]:
    if files and list(named) != [connecting.GENERIC]:
        raise click.UsageError(f"--write goes with: twiceshy install {connecting.GENERIC}")
    names = list(dict.fromkeys(named)) or connecting.found_runtimes(here)
    if not names:
        raise NotFoundError(
            "no runtime that twiceshy knows was found here",
            hint=f"name one: twiceshy install {connecting.CHOICES[0]}",
        )
    return names


def _plans(here: Here, names: Sequence[str], files: Sequence[str]) -> dict[str, Plan]:
    """Plan for each runtime; one that cannot be planned is told and left out."""

    def planned(name: str) -> Plan:
        if name == connecting.GENERIC:
            return plan_install(here, generic.wanted(here, files))
        return plan_install(here, connecting.runtime_named(name).wanted(here))

    found = {name: connecting.attempt(name, partial(planned, name)) for name in names}
    return {name: plan for name, plan in found.items() if plan is not None}


def _code(names: Sequence[str], done: Iterable[str]) -> int:
    return 0 if set(names) == set(done) else 1


def _choose(config: Config, named: str | None, *, ask: bool) -> Config:
    """Set the model that refines lessons, if one was named; ask a person once, at the first install."""
    key = "distiller.backend"
    if named is None and ask and config.text(key) == "none" and sys.stdin.isatty():
        say("Lessons are found by rules, without a model. A model may refine them; it then sees")
        say("redacted pieces of your sessions, and every call is in the ledger (twiceshy cost).")
        named = str(click.prompt("Which one", type=click.Choice(MODELS), default="none", err=True))
    if named is None or named == config.text(key):
        return config
    set_setting(key, named)
    say(f"{key} is {named} now; `twiceshy config set {key} none` switches it off")
    return settings()


def _show(
    config: Config,
    plan: Plan,
    offer: dict[str, object],
    *,
    with_starter: bool,
    as_json: bool,
) -> None:
    notes = starter.offered(config) if with_starter else {}
    if as_json:
        print_json(plan_json(plan) | offer | {"planned": True, "starter": notes})
        return
    print_plan(plan, home=config.home)
    _print_offer(offer)
    connecting.remark(plan.remarks)
    if notes:
        say(f"starter notes: {connecting.summed(notes)}")
    say("everything is in place" if plan.empty else "nothing was changed")


def _print_offer(offer: Mapping[str, object]) -> None:
    """Print what a person may put into the files of any other client."""
    if not offer:
        return
    if offer["entry"]:
        print_json(offer["entry"])
    else:
        say(WITHOUT_TOOLS)
    click.echo(offer["snippet"])


def _connect(config: Config, plans: Mapping[str, Plan], *, yes: bool, as_json: bool) -> list[str]:
    """Carry out what a person agreed to; return the runtimes that are connected now."""
    plan = together(plans.values())
    if plan.empty:
        if plans:
            say("everything is in place")
        return list(plans)
    if not as_json:
        print_outline(plan, home=config.home)
    connecting.remark(plan.remarks)
    connecting.agree("Go ahead?", yes=yes)
    done = [
        name
        for name, plan in plans.items()
        if connecting.attempt(name, partial(plan.execute, config.home)) is not None
    ]
    if done:
        say(f"installed in {connecting.titles(done)}; sessions that start from now on use it")
        say("hint: `twiceshy doctor` runs a hook to see that it answers")
    return done


def _start(config: Config, *, wanted: bool, ask: bool) -> dict[str, int]:
    """Add starter notes if they were asked for; offer them once, to a person, at the first install."""
    offer = ask and sys.stdin.isatty()
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
