"""``twiceshy undo``."""

from __future__ import annotations

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import approval_hint, format_note, notes_json, print_result
from twiceshy.notes.undo import undo_change


@click.command("undo")
@click.argument("change", required=False)
@click.option("--redo", is_flag=True, help="Redo: revert the last undo.")
@json_option
def command(*, change: str | None, redo: bool, as_json: bool) -> None:
    """Undo the last change, or the CHANGE named by `history`.

    Repeated calls go further back. Undoing a new note retires it; nothing is erased.

    Example: twiceshy undo
    """
    with open_app() as app:
        undone, unapproved = undo_change(app, change, redo=redo)
    plain = {"change": undone.batch, "ops": undone.ops, "notes": notes_json(undone.notes)}
    talk = [f"{'redone' if redo else 'undone'}: {', '.join(undone.ops)}"]
    talk += approval_hint(unapproved)
    talk += [f"kept as it is, changed since: {field}" for field in undone.kept]
    print_result(
        plain | {"kept": undone.kept}, map(format_note, undone.notes), talk=talk, as_json=as_json
    )
