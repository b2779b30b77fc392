"""``twiceshy history``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import change_line, print_json
from twiceshy.core.moment import stamp
from twiceshy.core.note import handle
from twiceshy.notes.naming import the_note


@click.command("history")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--limit", type=click.IntRange(1, 100_000), default=30, show_default=True)
@json_option
def command(*, name: str | None, limit: int, as_json: bool) -> None:
    """Show what changed in a note, or lately in all of them, newest first.

    Example: twiceshy history n7k2x
    """
    with opened() as app:
        about = the_note(app, name).id if name else ""
        entries = app.store.history(about, limit=limit)[::-1]
    if as_json:
        print_json([entry.fields() | {"id": entry.id, "at": stamp(entry.at)} for entry in entries])
        return
    for entry in entries:
        handled = "" if name else f"{handle(entry.object)}  "
        click.echo(handled + change_line(entry))
