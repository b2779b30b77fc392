"""``twiceshy forget``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import yes_option
from twiceshy.cli.output import line, say
from twiceshy.interop.views.update import leave_out_forgotten
from twiceshy.notes.naming import the_notes


@click.command("forget")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@yes_option
def command(*, names: tuple[str, ...], yes: bool) -> None:
    """Erase notes from store, history, index and backups. Cannot be undone.

    Erased notes are not learned again automatically. To only hide a note, use retire.

    Example: twiceshy forget n7k2x
    """
    with opened() as app:
        notes = the_notes(app, names)
        for note in notes:
            say(line(note))
        if not yes:
            click.confirm("Erase for good?", abort=True, err=True)
        left: list[str] = []
        for note in notes:
            left = app.store.forget(note)
            click.echo(note.id)
        shown = leave_out_forgotten(app)
    say("forgotten")
    for path in shown:
        say(f"{path} may still tell of it; delete it")
    for place in left:
        say(f"{place} is in use by another process and is wiped when that ends")
