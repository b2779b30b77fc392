"""Commands for one action on each named note; any error cancels every change."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import approval_hint, format_note, notes_json, print_message, print_result
from twiceshy.core.note import Note
from twiceshy.notes import edit
from twiceshy.notes.user_changes import change_notes
from twiceshy.project.facts import write as facts

Act = Callable[[App, Note], Note]


def mark_notes(
    names: Iterable[str], act: Act, *, done: str, as_json: bool, approving: bool = False
) -> None:
    """Apply an action to notes, and print the changed notes."""
    with open_app() as app:
        changed = change_notes(app, names, act, approving=approving)
    for rule in changed.approved:
        print_message(f"approved: {format_note(rule)}")
    lines = (note.handle for note in changed.notes)
    talk = [done, *approval_hint(changed.unapproved)]
    print_result(notes_json(changed.notes), lines, talk=talk, as_json=as_json)


def _build_command(
    name: str, act: Act, done: str, about: str, *, approving: bool = False
) -> click.Command:
    @click.command(name, help=f"{about}\n\nExample: twiceshy {name} n7k2x")
    @click.argument("names", nargs=-1, required=True, metavar="ID...")
    @json_option
    def command(*, names: tuple[str, ...], as_json: bool) -> None:
        mark_notes(names, act, done=done, as_json=as_json, approving=approving)

    return command


pin = _build_command(
    "pin", edit.pin_note, "pinned", "Pin a note: show it first, never retire it automatically."
)
unpin = _build_command("unpin", edit.unpin_note, "no longer pinned", "Unpin a note.")
retire = _build_command(
    "retire",
    edit.retire_note,
    "retired",
    "Hide a note (reversible). It stays searchable; `restore` shows it again.",
)
restore = _build_command(
    "restore",
    edit.restore_note,
    "active",
    "Show a hidden note again, whatever the reason.",
    approving=True,
)
resolve = _build_command(
    "resolve",
    facts.resolve_issue,
    "resolved",
    "Mark an issue resolved. It stays searchable and can be reopened.",
)
reopen = _build_command("reopen", facts.reopen_issue, "reopened", "Reopen a resolved issue.")
