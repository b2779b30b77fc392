"""Commands that change a note: ``edit`` and ``move``, and one action on each named note."""

from collections.abc import Callable, Iterable

import click

from twiceshy.app import App, is_started_by_agent
from twiceshy.cli.options import TextCommand, json_option, open_app, resolve_project
from twiceshy.cli.output import (
    approval_hint,
    format_note,
    note_json,
    notes_json,
    print_message,
    print_result,
)
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.edit import move_note, pin_note, restore_note, retire_note, unpin_note
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.person import require_person
from twiceshy.notes.user_changes import change_notes, edit_note, keep_approvals, require_owner
from twiceshy.project.facts.write import reopen_issue, resolve_issue
from twiceshy.safety.names import check_name
from twiceshy.shell.derive_trigger import parse_when

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
    "pin", pin_note, "pinned", "Pin a note: show it first, never retire it automatically."
)
unpin = _build_command("unpin", unpin_note, "no longer pinned", "Unpin a note.")
retire = _build_command(
    "retire",
    retire_note,
    "retired",
    "Hide a note (reversible). It stays searchable; `restore` shows it again.",
)
restore = _build_command(
    "restore",
    restore_note,
    "active",
    "Show a hidden note again, whatever the reason.",
    approving=True,
)
resolve = _build_command(
    "resolve",
    resolve_issue,
    "resolved",
    "Mark an issue resolved. It stays searchable and can be reopened.",
)
reopen = _build_command("reopen", reopen_issue, "reopened", "Reopen a resolved issue.")


@click.command("edit", cls=TextCommand)
@click.argument("name", metavar="ID")
@click.argument("text", required=False)
@click.option("--why", help="When the note applies, or the reason.")
@click.option("--when", metavar="CALL", help="Show it at such calls: a command, a file, or none.")
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
def edit(
    *, name: str, when: str | None, as_json: bool, **given: str | tuple[str, ...] | None
) -> None:
    """Change a note; without TEXT or options, in your editor.

    The history keeps the old wording, and `undo` restores it.

    Example: twiceshy edit n7k2x "Lock with uv lock --locked before tagging"
    """
    with open_app() as app:
        note = find_only_note(app, name)
        fields = {key: value for key, value in given.items() if value not in (None, ())}
        if when is not None:
            fields["trigger"] = parse_when(when)
        if not fields and (text := click.edit(note.text + "\n", extension=".md")) is not None:
            fields = {"text": text}
        changed = edit_note(app, note, fields)
    (edited,) = changed.notes
    said = "unchanged" if edited == note else f"now revision {edited.revision}"
    talk = [said, *approval_hint(changed.unapproved)]
    print_result(note_json(edited), [edited.handle], talk=talk, as_json=as_json)


@click.command("move")
@click.argument("name", metavar="ID")
@click.option("--project", metavar="P", help="To this project: a path, name or id.")
@click.option("--everywhere", "-g", is_flag=True, help="Make the note global.")
@click.option("--skill", metavar="S", help="To this skill.")
@click.option("--no-skill", is_flag=True, help="Remove the skill from the note.")
@json_option
def move(
    *,
    name: str,
    project: str | None,
    everywhere: bool,
    skill: str | None,
    no_skill: bool,
    as_json: bool,
) -> None:
    """Move a note to a project or skill; identical notes there are merged.

    Example: twiceshy move n7k2x --everywhere
    """
    if not (project or everywhere or skill or no_skill):
        raise click.UsageError("say where to: --project, --everywhere, --skill or --no-skill")
    with open_app() as app:
        note = find_only_note(app, name)
        where = EVERYWHERE if everywhere else resolve_project(app, project) if project else None
        about = "" if no_skill else check_name(skill, what="skill") if skill else None
        scope = Scope(
            note.scope.project if where is None else where,
            note.scope.skill if about is None else about,
        )
        require_owner([note])
        if everywhere and is_started_by_agent() and not scope.skill:
            require_person("everywhere", [format_note(note)])
        with keep_approvals(app, changing=("scope",)):
            moved = move_note(app, note, scope)
    said = f"merged into {moved.handle}" if moved.id != note.id else f"moved to {scope}"
    print_result(note_json(moved), [moved.handle], talk=[said], as_json=as_json)
