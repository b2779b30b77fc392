"""``twiceshy edit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.approval import approve, hint_for, keeping_approvals, without_approval
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.notes.approve import adds_up
from twiceshy.notes.edit import edit
from twiceshy.notes.naming import the_note

if TYPE_CHECKING:
    from twiceshy.core.note import Note


@click.command("edit", cls=TextCommand)
@click.argument("name", metavar="ID")
@click.argument("text", required=False)
@click.option("--why", help="When it applies, or the reason.")
@click.option("--tag", help="What it is about.")
@click.option("--type", "subtype", metavar="T", help="gotcha, fix, architecture …")
@click.option("--state", help="open, resolved, done, cleared …")
@click.option("--file", "files", multiple=True, help="The files it concerns, instead of before.")
@click.option("--concept", "concepts", multiple=True, help="Its concepts, instead of before.")
@json_option
def command(*, name: str, text: str | None, as_json: bool, **given: str | tuple[str, ...]) -> None:
    """Change a note; without TEXT or options, in your editor.

    Its old wording stays in its history, and `undo` brings it back.

    Example: twiceshy edit n7k2x "Lock with uv lock --locked before tagging"
    """
    with opened() as app:
        note = the_note(app, name)
        fields: dict[str, object] = {
            key: value for key, value in given.items() if value not in (None, ())
        }
        if text is not None:
            fields["text"] = text
        fields = fields or _in_editor(note)
        sound = adds_up(app.store, note)
        with keeping_approvals(app, changing=fields):
            edited = edit(app, note, fields)
        if "text" in fields and sound:
            approve(app, [edited])
        unapproved = without_approval(app, [edited])
    if as_json:
        print_json(note_json(edited))
    else:
        click.echo(edited.handle)
        say("unchanged" if edited == note else f"now revision {edited.revision}")
        if unapproved:
            say(hint_for(unapproved))


def _in_editor(note: Note) -> dict[str, object]:
    changed = click.edit(note.text + "\n", extension=".md")
    return {} if changed is None else {"text": changed}
