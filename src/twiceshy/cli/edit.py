"""``twiceshy edit``."""

from __future__ import annotations

import click

from twiceshy.cli.options import TextCommand, json_option, open_app
from twiceshy.cli.output import approval_hint, note_json, print_result
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.user_changes import edit_note


@click.command("edit", cls=TextCommand)
@click.argument("name", metavar="ID")
@click.argument("text", required=False)
@click.option("--why", help="When the note applies, or the reason.")
@click.option("--tag", help="Topic of the note.")
@click.option("--type", "subtype", metavar="T", help="gotcha, fix, architecture …")
@click.option("--state", help="open, resolved, done, cleared …")
@click.option(
    "--file", "files", multiple=True, help="Related file; replaces the old list; may be repeated."
)
@click.option(
    "--concept", "concepts", multiple=True, help="Concept; replaces the old list; may be repeated."
)
@json_option
def command(*, name: str, as_json: bool, **given: str | tuple[str, ...] | None) -> None:
    """Change a note; without TEXT or options, in your editor.

    The history keeps the old wording, and `undo` restores it.

    Example: twiceshy edit n7k2x "Lock with uv lock --locked before tagging"
    """
    with open_app() as app:
        note = find_only_note(app, name)
        fields = {key: value for key, value in given.items() if value not in (None, ())}
        if not fields and (text := click.edit(note.text + "\n", extension=".md")) is not None:
            fields = {"text": text}
        changed = edit_note(app, note, fields)
    (edited,) = changed.notes
    said = "unchanged" if edited == note else f"now revision {edited.revision}"
    talk = [said, *approval_hint(changed.unapproved)]
    print_result(note_json(edited), [edited.handle], talk=talk, as_json=as_json)
