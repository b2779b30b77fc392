"""Do the same to every note that was named: all of them, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import the_note
from twiceshy.cli.output import as_json, print_json, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.core.note import Note
    from twiceshy.core.ports import Store


def each_note(
    names: tuple[str, ...], act: Callable[[Store, Note], Note], *, done: str, json_wanted: bool
) -> None:
    """Act on each note in one change, which one ``undo`` takes back."""
    with opened() as app:
        notes = [the_note(app, name) for name in dict.fromkeys(names)]
        with app.store.change():
            changed = [act(app.store, note) for note in notes]
    if json_wanted:
        print_json([as_json(note) for note in changed])
        return
    for note in changed:
        click.echo(note.handle)
    say(done)
