"""``twiceshy restore``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.notes.edit import restore


@click.command("restore")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Show a note again, whatever took it out of sight.

    Example: twiceshy restore n7k2x
    """
    each_note(names, restore, done="active", json_wanted=as_json, approving=True)
