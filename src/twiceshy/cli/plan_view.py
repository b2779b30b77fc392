"""Print install plans as text or JSON, and ask for confirmation."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

import click

from twiceshy.cli.output import print_json, print_message, print_messages
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.runtimes.install_plan import describe_missing_tools
from twiceshy.runtimes.installers import GENERIC
from twiceshy.runtimes.plan import ClientCommand, InstallPlan


def print_plan(plan: InstallPlan, *, home: str) -> None:
    """Print every change as a diff (files of the user first) and every command."""
    _print_commands(plan.undo)
    for change in sorted(plan.changes, key=lambda change: _is_inside(home, change.path)):
        click.echo(change.to_diff(), nl=False)
    _print_commands(plan.commands)
    for record in plan.records:
        print_message(f"{record.action_word} {record.path}")


def print_install_plan(
    plan: InstallPlan, offer: Mapping[str, object], notes: Mapping[str, int], *, home: str
) -> None:
    """Print the plan of an install, and the notes it would add."""
    print_plan(plan, home=home)
    print_offer(offer)
    print_messages(plan.remarks)
    if notes:
        print_message(
            f"starter notes: {', '.join(f'{name} ({count})' for name, count in notes.items())}"
        )
    print_message("everything is in place" if plan.is_empty else "nothing was changed")


def print_stops(mode: str, runtimes: Sequence[str]) -> None:
    """Print that lessons stop calls, unless the user switched that off."""
    if mode != "off" and list(runtimes) != [GENERIC]:
        print_message(
            "hint: a call that is nearly certain to fail and is dear is stopped once, and passes"
            " when repeated; to switch that off: twiceshy config set stops.mode off"
        )


def print_offer(offer: Mapping[str, object]) -> None:
    """Print the entries for the settings files of any other client."""
    if not offer:
        return
    if offer["entry"]:
        print_json(offer["entry"])
    else:
        print_message(describe_missing_tools())
    click.echo(offer["snippet"])


def confirm_plan(plan: InstallPlan, *, home: str, yes: bool, as_json: bool) -> None:
    """Print a plan and ask for confirmation.

    Files in the memory home and deleted files take one line each, other changes a diff. Without a
    terminal, --yes is required.
    """
    if not as_json:
        _print_commands(plan.undo)
        for change in plan.changes:
            if _is_inside(home, change.path) or change.after is None:
                click.echo(f"{change.action_word} {change.path}")
            else:
                click.echo(change.to_diff(), nl=False)
        _print_commands(plan.commands)
    print_messages(plan.remarks)
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(
            "there is no terminal to confirm in; nothing was changed",
            hint="check the changes with --plan, then run it again with --yes",
        )
    click.confirm("Go ahead?", default=True, abort=True, err=True)


def plan_json(plan: InstallPlan) -> dict[str, object]:
    """Return a plan in the --json layout."""
    return {
        "changes": [
            {"path": change.path, "what": change.action_word, "diff": change.to_diff()}
            for change in plan.changes
        ],
        "records": [{"path": record.path, "what": record.action_word} for record in plan.records],
        "commands": [command.to_line for command in (*plan.undo, *plan.commands)],
        "remarks": list(plan.remarks),
    }


def print_errors(errors: Mapping[str, TwiceshyError]) -> None:
    """Print the errors of failed runtimes with their hints."""
    for name, error in errors.items():
        print_message(f"twiceshy: {name}: {error}")
        if error.hint:
            print_message(f"hint: {error.hint}")


def _print_commands(commands: Iterable[ClientCommand]) -> None:
    for command in commands:
        click.echo(f"run: {command.to_line}")


def _is_inside(home: str, path: str) -> bool:
    return os.path.commonpath([home, path]) == home
