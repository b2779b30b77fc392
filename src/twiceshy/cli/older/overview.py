"""``twiceshy overview``."""

from collections.abc import Iterator

import click

from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_result
from twiceshy.cli.verbs import COMMANDS, describe_in_chinese, find_chinese_name
from twiceshy.wording import worded


@click.command("overview")
@json_option
def command(*, as_json: bool) -> None:
    """List every command with its summary, English and Chinese names.

    The first commands also work in your agent, for example /twiceshy:save or /twiceshy:存記憶.

    Example: twiceshy overview
    """
    print_overview(as_json=as_json)


def print_overview(*, as_json: bool) -> None:
    """Print every command with its summary and its Chinese name."""
    plain = [
        {
            "verb": verb,
            "chinese": find_chinese_name(verb) or None,
            "about": english,
            "about_chinese": describe_in_chinese(verb) or None,
        }
        for verb, english in COMMANDS.items()
    ]
    print_result(plain, _format_overview(), as_json=as_json)


def _format_overview() -> Iterator[str]:
    from twiceshy.cli.lazy_group import describe_commands

    rows = [(verb, find_chinese_name(verb), does) for verb, does in describe_commands().items()]
    yield worded("Commands for you and, as /twiceshy:NAME, for your agent:")
    yield from _format_table([(f"{verb} / {other}", does) for verb, other, does in rows if other])
    yield worded("\nMore, on the command line:")
    yield from _format_table([(verb, does) for verb, other, does in rows if not other])


def _format_table(rows: list[tuple[str, str]]) -> Iterator[str]:
    widest = max(_count_columns(name) for name, _ in rows)
    for name, does in rows:
        yield f"  {name}{' ' * (widest - _count_columns(name))}  {does}"


def _count_columns(text: str) -> int:
    """Count the terminal columns of a text; a Chinese character takes two."""
    from unicodedata import east_asian_width

    return sum(1 + (east_asian_width(char) in "WF") for char in text)
