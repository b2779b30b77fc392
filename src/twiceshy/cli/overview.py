"""``twiceshy overview``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("overview")
@json_option
def command(*, as_json: bool) -> None:
    """List every command with a line on what it does, English and Chinese names.

    The first ones are commands of your agent, too: /twiceshy:save, for one, or /twiceshy:存記憶.

    Example: twiceshy overview
    """
    from twiceshy.cli import described
    from twiceshy.cli.verbs import COMMANDS, chinese_name

    if as_json:
        print_json([_plain(verb, english) for verb, english in COMMANDS.items()])
        return
    rows = [(verb, chinese_name(verb), does) for verb, does in described().items()]
    click.echo(worded("Commands for you and, as /twiceshy:NAME, for your agent:"))
    _print([(f"{verb} / {other}", does) for verb, other, does in rows if other])
    click.echo(worded("\nMore, on the command line:"))
    _print([(verb, does) for verb, other, does in rows if not other])


def _plain(verb: str, english: str) -> dict[str, object]:
    from twiceshy.cli.verbs import chinese_name, describe_in_chinese

    return {
        "verb": verb,
        "chinese": chinese_name(verb) or None,
        "about": english,
        "about_chinese": describe_in_chinese(verb) or None,
    }


def _print(rows: Sequence[tuple[str, str]]) -> None:
    widest = max(map(_columns, (name for name, _ in rows)))
    for name, does in rows:
        click.echo(f"  {name}{' ' * (widest - _columns(name))}  {does}")


def _columns(text: str) -> int:
    """Count the columns that a text takes on a terminal: a Chinese character takes two."""
    from unicodedata import east_asian_width

    return sum(1 + (east_asian_width(char) in "WF") for char in text)
