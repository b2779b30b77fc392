"""``twiceshy unpin``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.notes.edit import unpin


@click.command("unpin")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Take a pin off.

    Example: twiceshy unpin n7k2x
    """
    each_note(names, unpin, done="no longer pinned", json_wanted=as_json)
