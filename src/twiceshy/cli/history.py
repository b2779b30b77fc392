"""``twiceshy history``."""

from __future__ import annotations

import click

from twiceshy.cli.note_view import change_json, format_change
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import print_result
from twiceshy.core.note import short_handle
from twiceshy.notes.find_by_name import find_only_note


@click.command("history")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--limit", type=click.IntRange(1, 100_000), default=30, show_default=True)
@json_option
def command(*, name: str | None, limit: int, as_json: bool) -> None:
    """Show the changes of a note, or recent changes of every note, newest first.

    Example: twiceshy history n7k2x
    """
    with open_app() as app:
        about = find_only_note(app, name).id if name else ""
        entries = app.store.history(about, limit=limit)[::-1]
    lines = (
        ("" if name else f"{short_handle(one.object)}  ") + format_change(one) for one in entries
    )
    print_result([change_json(entry) for entry in entries], lines, as_json=as_json)
