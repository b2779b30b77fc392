"""``twiceshy reopen``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.project.facts.write import reopen


@click.command("reopen")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Say of a resolved issue that it is open again.

    Example: twiceshy reopen n7k2x
    """
    each_note(names, reopen, done="reopened", json_wanted=as_json)
