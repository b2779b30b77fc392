"""Print install plans as text or JSON, and ask for confirmation."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from twiceshy.cli.output import print_json, print_message, print_messages
from twiceshy.core.errors import ConfigError, TwiceshyError
from twiceshy.runtimes.install_plan import describe_missing_tools
from twiceshy.runtimes.installers import GENERIC
from twiceshy.runtimes.plan import ClientCommand, FileChange, InstallPlan

_HINTS = (
    "hint: every line of it: twiceshy install --plan --diff",
    "hint: to take it back, byte for byte: twiceshy uninstall",
)


def print_plan(plan: InstallPlan, *, home: str, diff: bool) -> None:
    """Print what changes, in about ten lines; with ``diff`` every line of every file."""
    if diff:
        _print_diffs(plan, home=home)
        return
    for line in summarise_plan(plan, home=home):
        click.echo(line)


def summarise_plan(plan: InstallPlan, *, home: str) -> Iterator[str]:
    """Yield a line for each file of the user and each command, and one for our own files."""
    theirs = [change for change in plan.changes if not _is_inside(home, change.path)]
    ours = Counter(change.action_word for change in plan.changes if _is_inside(home, change.path))
    yield from (f"run     {command.to_line}" for command in plan.undo)
    yield from (
        f"{change.action_word:<7} {change.path}{_count_lines(change)}" for change in theirs
    )
    for word, count in sorted(ours.items()):
        yield f"{word:<7} {count} file{'s' * (count > 1)} of twiceshy's own, below {home}"
    yield from (f"run     {command.to_line}" for command in plan.commands)


def _count_lines(change: FileChange) -> str:
    """Count the lines that a change adds and removes."""
    if change.before == change.after:
        return ""
    lines = change.to_diff().splitlines()[2:]
    counts = (f"{sign}{sum(line.startswith(sign) for line in lines)}" for sign in "+-")
    told = [count for count in counts if count[1:] != "0"]
    return f" ({' '.join(told)} lines)" if told else ""


def _print_diffs(plan: InstallPlan, *, home: str) -> None:
    """Print every change as a diff (files of the user first) and every command."""
    _print_commands(plan.undo)
    for change in sorted(plan.changes, key=lambda change: _is_inside(home, change.path)):
        click.echo(change.to_diff(), nl=False)
    _print_commands(plan.commands)
    for record in plan.records:
        print_message(f"{record.action_word} {record.path}")


def print_install_plan(
    plan: InstallPlan,
    offer: Mapping[str, object],
    notes: Mapping[str, int],
    *,
    home: str,
    diff: bool,
) -> None:
    """Print the plan of an install, and the notes it would add."""
    print_plan(plan, home=home, diff=diff)
    print_offer(offer)
    print_messages(plan.remarks)
    if notes:
        print_message(
            f"starter notes: {', '.join(f'{name} ({count})' for name, count in notes.items())}"
        )
    print_message("everything is in place" if plan.is_empty else "nothing was changed")
    if not plan.is_empty:
        print_messages(_HINTS[diff:])


def print_stops(mode: str, runtimes: Sequence[str]) -> None:
    """Print that lessons stop calls, unless the user switched that off."""
    if mode != "off" and list(runtimes) != [GENERIC]:
        print_message(
            "hint: a call that is nearly certain to fail and is dear is stopped once, and passes"
            " when repeated; to switch that off: twiceshy config set stops.mode off"
        )


def print_offer(offer: Mapping[str, object]) -> None:
    """Print the entries for the settings files of any other client, and name files to import."""
    older = offer.get("older")
    print_messages(map(str, older) if isinstance(older, list) else ())
    if "entry" not in offer:
        return
    if offer["entry"]:
        print_json(offer["entry"])
    else:
        print_message(describe_missing_tools())
    click.echo(offer["snippet"])


def confirm_plan(
    plan: InstallPlan, *, home: str, yes: bool, as_json: bool, diff: bool = False
) -> None:
    """Print a plan and ask for confirmation; without a terminal, --yes is required."""
    if not as_json:
        print_plan(plan, home=home, diff=diff)
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
