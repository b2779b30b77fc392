"""Commands about past changes: ``history`` and ``undo``."""

import click

from twiceshy.cli.note_view import change_json, format_change
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import approval_hint, format_note, notes_json, print_result
from twiceshy.core.note import short_handle
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.undo import undo_change


@click.command("history")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--limit", type=click.IntRange(1, 100_000), default=30, show_default=True)
@json_option
def history(*, name: str | None, limit: int, as_json: bool) -> None:
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


@click.command("undo")
@click.argument("change", required=False)
@click.option("--redo", is_flag=True, help="Redo: revert the last undo.")
@json_option
def undo(*, change: str | None, redo: bool, as_json: bool) -> None:
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
