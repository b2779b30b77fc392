"""How a plan looks: in a terminal as diffs and commands, in JSON, and several of them as one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import say
from twiceshy.runtimes.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.runtimes.commands import Command
    from twiceshy.runtimes.plan import Change


def together(plans: Iterable[Plan]) -> Plan:
    """Return several plans as one to look at; what they have in common is in it once."""
    every = list(plans)
    return Plan(
        _once(change for plan in every for change in plan.changes),
        _once(record for plan in every for record in plan.records),
        remarks=tuple(dict.fromkeys(text for plan in every for text in plan.remarks)),
        undo=tuple(command for plan in every for command in plan.undo),
        commands=tuple(command for plan in every for command in plan.commands),
    )


def print_plan(plan: Plan, *, home: str) -> None:
    """Print every change as a diff, other people's files first, and every command."""
    _print_commands(plan.undo)
    for change in sorted(plan.changes, key=lambda change: _inside(home, change.path)):
        click.echo(change.diff(), nl=False)
    _print_commands(plan.commands)
    for record in plan.records:
        say(f"{record.what} {record.path}")


def print_outline(plan: Plan, *, home: str) -> None:
    """Print what is ours, and what goes, in one line a file, and all other changes as a diff."""
    _print_commands(plan.undo)
    for change in plan.changes:
        if _inside(home, change.path) or change.after is None:
            click.echo(f"{change.what} {change.path}")
        else:
            click.echo(change.diff(), nl=False)
    _print_commands(plan.commands)


def plan_json(plan: Plan) -> dict[str, object]:
    """Return a plan as it appears in --json."""
    return {
        "changes": [
            {"path": change.path, "what": change.what, "diff": change.diff()}
            for change in plan.changes
        ],
        "records": [{"path": record.path, "what": record.what} for record in plan.records],
        "commands": [command.line for command in (*plan.undo, *plan.commands)],
        "remarks": list(plan.remarks),
    }


def _print_commands(commands: Sequence[Command]) -> None:
    for command in commands:
        click.echo(f"run: {command.line}")


def _once(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple({change.path: change for change in changes}.values())


def _inside(home: str, path: str) -> bool:
    return os.path.commonpath([home, path]) == home
