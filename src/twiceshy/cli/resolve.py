"""``twiceshy resolve``."""

from __future__ import annotations

import click

from twiceshy.cli.each import each_note
from twiceshy.cli.options import json_option
from twiceshy.project.facts.write import resolve


@click.command("resolve")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@json_option
def command(*, names: tuple[str, ...], as_json: bool) -> None:
    """Say of an issue that it is resolved. It stays searchable and can be reopened.

    Example: twiceshy resolve n7k2x
    """
    each_note(names, resolve, done="resolved", json_wanted=as_json)
