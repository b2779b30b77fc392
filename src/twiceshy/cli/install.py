"""``twiceshy install``."""

from collections.abc import Mapping, Sequence

import click

from twiceshy.app import load_settings
from twiceshy.cli import first_steps
from twiceshy.cli.options import json_option, yes_option
from twiceshy.cli.output import print_json, print_message
from twiceshy.cli.plan_view import (
    confirm_plan,
    plan_json,
    print_errors,
    print_install_plan,
    print_offer,
    print_stops,
)
from twiceshy.config.resolved import Config
from twiceshy.core.errors import NotFoundError
from twiceshy.interop.imports.older_files import describe_older_files
from twiceshy.interop.views.vault import locate_vault
from twiceshy.runtimes.generic import install as generic
from twiceshy.runtimes.install_plan import InstallPlace
from twiceshy.runtimes.installers import (
    CHOICES,
    GENERIC,
    connect_runtimes,
    find_install_place,
    list_installed_runtimes,
    load_installer,
    merge_plans,
    plan_installs,
)
from twiceshy.runtimes.plan import InstallPlan


@click.command("install")
@click.argument("runtimes", type=click.Choice(CHOICES), nargs=-1)
@click.option("--plan", "only_plan", is_flag=True, help="Show what would change; write nothing.")
@click.option("--diff", is_flag=True, help="Show every changed line.")
@click.option(
    "--starter", "with_starter", is_flag=True, help="Add starter notes for skills without notes."
)
@click.option("--learn", "with_history", is_flag=True, help="Learn from existing transcripts.")
@click.option(
    "--distiller",
    type=click.Choice(first_steps.MODELS),
    help="Model that refines lessons, if any.",
)
@click.option(
    "--write", "files", multiple=True, metavar="FILE", help="With generic: write into this file."
)
@yes_option
@json_option
def command(
    *,
    runtimes: tuple[str, ...],
    only_plan: bool,
    diff: bool,
    with_starter: bool,
    with_history: bool,
    distiller: str | None,
    files: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> int:
    """Connect runtimes: their sessions recall notes and write new notes.

    Without RUNTIMES, connects the runtimes found on this machine. Shows the planned changes and
    asks once; --yes skips the question and is required without a terminal. The rest of your
    settings stays unchanged, `uninstall` reverts everything, and running install again repairs
    moved paths. If one runtime fails, the others are still connected, and the exit code is 1.

    For any other client, use generic: prints the entry for its MCP servers and its rules, and
    writes them into each FILE named with --write (a .json file with mcpServers, or an AGENTS.md).

    In a terminal you are asked, once, whether a model may refine lessons and whether twiceshy learns
    from your earlier sessions; an install that was interrupted asks again. With --learn it learns
    without a question. Starter notes, a few lessons for common skills, come with --starter only; one
    `undo` removes them.

    Example: twiceshy install --plan
    """
    config = load_settings()
    here = find_install_place(config)
    names = _choose_runtimes(here, runtimes, files)
    plans, errors = plan_installs(here, names, files)
    print_errors(errors)
    plan = merge_plans(plans.values())
    offer = {} if files or GENERIC not in names else generic.build_offer(here)
    offer |= {} if plan.is_empty else {"older": describe_older_files(config)}
    if only_plan:
        notes = first_steps.count_new_starters(config) if with_starter else {}
        if as_json:
            print_json(plan_json(plan) | offer | {"planned": True, "starter": notes})
        else:
            print_install_plan(plan, offer, notes, home=config.home, diff=diff)
            print_stops(config.text("stops.mode"), names)
        return int(set(names) != set(plans))
    # what is only printed changes nothing but our own folder, which needs nobody's consent
    printed = not files and names == [GENERIC]
    done = _connect_runtimes(config, plans, plan, yes=yes or printed, as_json=as_json, diff=diff)
    ask = bool(done) and not yes and not as_json
    config = first_steps.choose_model(config, distiller, ask=ask)
    added = first_steps.add_wanted_starters(config) if with_starter else {}
    learned: dict[str, int] = {}
    if with_history or ask:
        learned = first_steps.learn_from_history(config, wanted=with_history, ask=ask)
    elif done and not plan.is_empty and not as_json:
        print_message(first_steps.LATER)
    if done and yes:
        first_steps.keep_answers(config)
    if as_json:
        result = {"planned": False, "runtimes": done, "starter": added, "learned": learned}
        print_json(plan_json(plan) | offer | result)
    else:
        print_offer(offer)
    return int(set(names) != set(done))


def _choose_runtimes(here: InstallPlace, named: Sequence[str], files: Sequence[str]) -> list[str]:
    if files and list(named) != [GENERIC]:
        raise click.UsageError(f"--write goes with: twiceshy install {GENERIC}")
    names = list(dict.fromkeys(named)) or list_installed_runtimes(here)
    if not names:
        raise NotFoundError(
            "no runtime that twiceshy knows was found here",
            hint=f"name one: twiceshy install {CHOICES[0]}",
        )
    return names


def _connect_runtimes(
    config: Config,
    plans: Mapping[str, InstallPlan],
    plan: InstallPlan,
    *,
    yes: bool,
    as_json: bool,
    diff: bool,
) -> list[str]:
    """Carry out a confirmed plan; return the connected runtimes."""
    if plan.is_empty:
        if plans:
            print_message("everything is in place")
        return list(plans)
    confirm_plan(plan, home=config.home, yes=yes, as_json=as_json, diff=diff)
    done, failed = connect_runtimes(plans, config.home)
    print_errors(failed)
    if done:
        titles = ", ".join(load_installer(name).TITLE for name in done)
        print_message(f"installed in {titles}; sessions that start from now on use it")
        if vault := locate_vault(config):
            print_message(
                f"after the first session your memory is in {vault}: Markdown to read and edit"
            )
        print_message("hint: `twiceshy doctor` runs a hook to see that it answers")
        print_stops(config.text("stops.mode"), done)
    return done
