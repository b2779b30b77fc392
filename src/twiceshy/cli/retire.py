"""``twiceshy retire``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.notes.edit import retire


@click.command("retire")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Show a note no longer. It stays searchable and can be restored.

    Example: twiceshy retire n7k2x
    """
    each_note(names, retire, done="retired", json_wanted=as_json)
