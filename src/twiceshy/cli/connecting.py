"""What install, uninstall and doctor share: where things lie, how a plan looks, and asking first."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

import twiceshy
from twiceshy.cli.output import say
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.claude_code.hook_table import RUNTIME
from twiceshy.runtimes.claude_code.install import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.config.resolved import Config
    from twiceshy.runtimes.claude_code.install import Place
    from twiceshy.runtimes.plan import Plan

CLAUDE_CODE = RUNTIME
RUNTIMES = (CLAUDE_CODE,)


def package_folder() -> str:
    """Return where this package is installed."""
    return os.path.dirname(os.path.abspath(twiceshy.__file__))


def claude_code(config: Config) -> Place:
    """Return where everything that concerns Claude Code lies."""
    return place(config.home, claude_folder(config.home_dir), package_folder())


def claude_folder(home_dir: str) -> str:
    """Return the client's own folder."""
    given = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home_dir, ".claude")
    return os.path.abspath(os.path.expanduser(given))


def found_runtimes(config: Config) -> list[str]:
    """Return the runtimes that are on this machine, by their folder or their program."""
    from shutil import which

    there = os.path.isdir(claude_folder(config.home_dir)) or which("claude")
    return [CLAUDE_CODE] if there else []


def print_plan(plan: Plan, *, home: str) -> None:
    """Print every change as a diff, other people's files first."""
    for change in sorted(plan.changes, key=lambda change: _inside(home, change.path)):
        click.echo(change.diff(), nl=False)
    for record in plan.records:
        say(f"{record.what} {record.path}")


def print_outline(plan: Plan, *, home: str) -> None:
    """Print what happens to our own folder in one line a file, and to all others as a diff."""
    for change in plan.changes:
        if _inside(home, change.path):
            click.echo(f"{change.what} {change.path}")
        else:
            click.echo(change.diff(), nl=False)


def plan_json(plan: Plan) -> dict[str, object]:
    """Return a plan as it appears in --json."""
    return {
        "changes": [
            {"path": change.path, "what": change.what, "diff": change.diff()}
            for change in plan.changes
        ],
        "records": [{"path": record.path, "what": record.what} for record in plan.records],
        "remarks": list(plan.remarks),
    }


def agree(question: str, *, yes: bool) -> None:
    """Ask before writing; where nobody can answer, --yes has to be given."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(
            "nobody is here to ask; nothing was changed",
            hint="look with --plan, then call it again with --yes",
        )
    click.confirm(question, default=True, abort=True, err=True)


def remark(texts: Iterable[str]) -> None:
    """Say what someone should know."""
    for text in texts:
        say(text)


def summed(counts: Mapping[str, int]) -> str:
    """Say how many there are of each."""
    return ", ".join(f"{name} ({count})" for name, count in counts.items())


def _inside(home: str, path: str) -> bool:
    return os.path.commonpath([home, path]) == home
