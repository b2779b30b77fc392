"""Commands that retire or erase many notes: ``clear`` and ``forget``."""

from collections.abc import Sequence
from contextlib import suppress

import click

from twiceshy.app import App, is_started_by_agent
from twiceshy.cli.options import (
    list_visible_projects,
    needless_yes_option,
    open_app,
    place_options,
    resolve_project,
    yes_option,
)
from twiceshy.cli.output import format_note, print_message
from twiceshy.core.errors import DiskFullError, StoreError, TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.views.refresh import erase_forgotten
from twiceshy.notes.edit import clear_notes
from twiceshy.notes.find_by_name import find_named_notes
from twiceshy.notes.person import require_person
from twiceshy.notes.user_changes import keep_approvals, require_owner
from twiceshy.sync.copies import has_copies, write_copy


@click.command("clear")
@click.argument("what", type=click.Choice(["all", "old", "facts"]))
@place_options("Only global notes.")
@click.option(
    "--days", type=click.IntRange(min=1), help="With old: not learned for this many days."
)
@yes_option
def clear(
    *, what: str, project: str | None, everywhere: bool, days: int | None, yes: bool
) -> None:
    """Retire many notes of a project: all, old ones, or facts.

    Facts are decisions, patterns and issues. Pinned notes stay, except with all. One `undo`
    restores the notes; to erase notes, use `forget`.

    Example: twiceshy clear old --days 90
    """
    with open_app() as app:
        own = (EVERYWHERE,) if everywhere else list_visible_projects(app, project)[:-1]
        limit = days or app.config.integer("retention.archive_days")
        which = {
            "all": NoteFilter(projects=own),
            "old": NoteFilter(
                projects=own, pinned=False, until=app.store.now(believed=True) - limit * DAY
            ),
            "facts": NoteFilter(
                projects=own, pinned=False, kinds=("decision", "pattern", "issue")
            ),
        }[what]
        count = app.store.count_notes(which)
        if count and not yes:
            where = "everywhere" if everywhere else resolve_project(app, project)
            click.confirm(f"Retire {count} notes of {where}?", abort=True, err=True)
        if is_started_by_agent():
            require_owner(app.store.notes(which, limit=None))
        with keep_approvals(app):
            retired = clear_notes(app, which, reason=f"cleared: {what}")
        click.echo(retired)
    print_message(
        "retired; `twiceshy undo` takes it back" if count else "there was nothing to clear"
    )


@click.command("forget")
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@needless_yes_option
def forget(*, names: tuple[str, ...]) -> None:
    """Erase notes from store, history, index, copies and backups. Cannot be undone.

    Erased notes are not learned again automatically. To only hide a note, use retire.

    Example: twiceshy forget n7k2x
    """
    with open_app() as app:
        notes = find_named_notes(app, names)
        require_person("forget", map(format_note, notes))
        had_copies = has_copies(app)
        left = _forget_notes(app, notes)
        try:
            shown = erase_forgotten(app)
        except (OSError, StoreError) as error:
            raise StoreError(
                f"forgotten in the store, but views may still show it: {error}",
                hint="then write them anew: twiceshy views write",
            ) from error
        if had_copies:
            with suppress(TwiceshyError):  # it is forgotten; the next session's process writes one
                write_copy(app)
    print_message("forgotten")
    for path in shown:
        print_message(f"{path} may still contain a forgotten note; delete it")
    for place in left:
        print_message(
            f"{place} may still hold it until no other process uses it and there is room"
        )


def _forget_notes(app: App, notes: Sequence[Note]) -> list[str]:
    """Forget notes one by one; return the places not yet clean."""
    left: dict[str, None] = {}
    for number, note in enumerate(notes):
        try:
            left |= dict.fromkeys(app.store.forget(note))
        except DiskFullError as error:
            if not number:
                raise
            said = f"the disk is full; {number} of {len(notes)} notes are forgotten"
            raise DiskFullError(said, hint=error.hint) from error
        click.echo(note.id)
    return list(left)
