"""``twiceshy pin``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.notes.edit import pin


@click.command("pin")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Show a note first, and never retire it by itself.

    Example: twiceshy pin n7k2x
    """
    each_note(names, pin, done="pinned", json_wanted=as_json)
