"""Do the same to every note that was named: all of them, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.approval import approve, hint_for, keeping_approvals, without_approval
from twiceshy.cli.opening import opened
from twiceshy.cli.output import as_json, line, print_json, say
from twiceshy.notes.approve import same_words
from twiceshy.notes.naming import the_note

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.app import App
    from twiceshy.core.note import Note


def each_note(
    names: tuple[str, ...],
    act: Callable[[App, Note], Note],
    *,
    done: str,
    json_wanted: bool,
    approving: bool = False,
) -> None:
    """Act on each note in one change, which one ``undo`` takes back.

    ``approving`` says that whoever does this to a rule approves of it.
    """
    with opened() as app:
        notes = [the_note(app, name) for name in dict.fromkeys(names)]
        with keeping_approvals(app):
            changed = [act(app, note) for note in notes]
        if approving:
            pairs = zip(notes, changed, strict=True)
            same = [after for before, after in pairs if same_words(before, after)]
            for rule in approve(app, same):
                say(f"approved: {line(rule)}")
        unapproved = without_approval(app, changed)
    if json_wanted:
        print_json([as_json(note) for note in changed])
        return
    for note in changed:
        click.echo(note.handle)
    say(done)
    if unapproved:
        say(hint_for(unapproved))
