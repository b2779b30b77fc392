"""``twiceshy history``."""

from __future__ import annotations

import click

from twiceshy.cli.note_view import change_json, change_line
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import show
from twiceshy.core.note import handle
from twiceshy.notes.naming import the_note


@click.command("history")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--limit", type=click.IntRange(1, 100_000), default=30, show_default=True)
@json_option
def command(*, name: str | None, limit: int, as_json: bool) -> None:
    """Show the changes of a note, or recent changes of every note, newest first.

    Example: twiceshy history n7k2x
    """
    with opened() as app:
        about = the_note(app, name).id if name else ""
        entries = app.store.history(about, limit=limit)[::-1]
    lines = (("" if name else f"{handle(one.object)}  ") + change_line(one) for one in entries)
    show([change_json(entry) for entry in entries], lines, as_json=as_json)
