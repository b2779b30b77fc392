"""``twiceshy undo``."""

from __future__ import annotations

import click

from twiceshy.cli.approval import hint_for, keeping_approvals, without_approval
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import line, print_json, say
from twiceshy.notes.review import ACCEPT
from twiceshy.notes.undo import named, undo
from twiceshy.safety.signing import Signature


@click.command("undo")
@click.argument("change", required=False)
@click.option("--redo", is_flag=True, help="Take back the last undo.")
@json_option
def command(*, change: str | None, redo: bool, as_json: bool) -> None:
    """Take back the last change, or the one that `history` calls CHANGE.

    Called again, it walks further back. A note that was written is retired, not erased.

    Example: twiceshy undo
    """
    with opened() as app:
        batch = named(app.store, change) if change else None
        with keeping_approvals(app):
            undone = undo(app.store, batch, redo=redo)
            for note in undone.notes if ACCEPT in undone.ops else ():
                app.store.drop(Signature, note.id)
        unapproved = without_approval(app, undone.notes)
    if as_json:
        notes = [note_json(note) for note in undone.notes]
        print_json(
            {"change": undone.batch, "ops": undone.ops, "notes": notes, "kept": undone.kept}
        )
        return
    for note in undone.notes:
        click.echo(line(note))
    say(f"{'redone' if redo else 'undone'}: {', '.join(undone.ops)}")
    if unapproved:
        say(hint_for(unapproved))
    for field in undone.kept:
        say(f"kept as it is, changed since: {field}")
