"""Commands for one action on each named note; any error cancels every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import approval_hint, line, notes_json, say, show
from twiceshy.notes import edit
from twiceshy.notes.user_changes import change_notes
from twiceshy.project.facts import write as facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.app import App
    from twiceshy.core.note import Note

    Act = Callable[[App, Note], Note]


def mark_notes(
    names: Iterable[str], act: Act, *, done: str, as_json: bool, approving: bool = False
) -> None:
    """Apply an action to notes, and print the changed notes."""
    with opened() as app:
        changed = change_notes(app, names, act, approving=approving)
    for rule in changed.approved:
        say(f"approved: {line(rule)}")
    lines = (note.handle for note in changed.notes)
    talk = [done, *approval_hint(changed.unapproved)]
    show(notes_json(changed.notes), lines, talk=talk, as_json=as_json)


def _verb(name: str, act: Act, done: str, about: str, *, approving: bool = False) -> click.Command:
    @click.command(name, help=f"{about}\n\nExample: twiceshy {name} n7k2x")
    @click.argument("names", nargs=-1, required=True, metavar="ID...")
    @json_option
    def command(*, names: tuple[str, ...], as_json: bool) -> None:
        mark_notes(names, act, done=done, as_json=as_json, approving=approving)

    return command


pin = _verb("pin", edit.pin, "pinned", "Show a note first, and never retire it by itself.")
unpin = _verb("unpin", edit.unpin, "no longer pinned", "Take a pin off.")
retire = _verb(
    "retire",
    edit.retire,
    "retired",
    "Show a note no longer. It stays searchable and can be restored.",
)
restore = _verb(
    "restore",
    edit.restore,
    "active",
    "Show a note again, whatever took it out of sight.",
    approving=True,
)
resolve = _verb(
    "resolve",
    facts.resolve,
    "resolved",
    "Say of an issue that it is resolved. It stays searchable and can be reopened.",
)
reopen = _verb(
    "reopen", facts.reopen, "reopened", "Say of a resolved issue that it is open again."
)
