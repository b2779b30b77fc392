"""``twiceshy forget``."""

from __future__ import annotations

import click

from twiceshy.cli.options import open_app, yes_option
from twiceshy.cli.output import format_note, print_message
from twiceshy.interop.views.refresh import erase_forgotten
from twiceshy.notes.find_by_name import find_named_notes


@click.command("forget")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@yes_option
def command(*, names: tuple[str, ...], yes: bool) -> None:
    """Erase notes from store, history, index and backups. Cannot be undone.

    Erased notes are not learned again automatically. To only hide a note, use retire.

    Example: twiceshy forget n7k2x
    """
    with open_app() as app:
        notes = find_named_notes(app, names)
        for note in notes:
            print_message(format_note(note))
        if not yes:
            click.confirm("Erase for good?", abort=True, err=True)
        left: list[str] = []
        for note in notes:
            left = app.store.forget(note)
            click.echo(note.id)
        shown = erase_forgotten(app)
    print_message("forgotten")
    for path in shown:
        print_message(f"{path} may still tell of it; delete it")
    for place in left:
        print_message(f"{place} is in use by another process and is wiped when that ends")
