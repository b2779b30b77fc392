"""``clear``: retire many notes at once."""

from collections import Counter

import click

from twiceshy.app import is_started_by_agent
from twiceshy.cli.options import (
    list_visible_projects,
    open_app,
    place_options,
    resolve_project,
    yes_option,
)
from twiceshy.cli.output import name_project, print_message
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.scope import EVERYWHERE
from twiceshy.notes.edit import clear_notes
from twiceshy.notes.user_changes import keep_approvals, require_owner


@click.command("clear")
@click.argument("what", type=click.Choice(["all", "old", "facts"]))
@place_options("Only global notes.")
@click.option(
    "--days", type=click.IntRange(min=1), help="With old: not learned for this many days."
)
@yes_option
def command(
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
            here = EVERYWHERE if everywhere else resolve_project(app, project)
            where = (
                "every project" if everywhere else name_project(here, app.store.list_projects())
            )
            kinds = sorted(
                Counter(note.kind for note in app.store.notes(which, limit=None)).items()
            )
            named = ", ".join(f"{number} {kind}" for kind, number in kinds)
            click.confirm(f"Retire {count} notes of {where}: {named}?", abort=True, err=True)
        if is_started_by_agent():
            require_owner(app.store.notes(which, limit=None))
        with keep_approvals(app):
            retired = clear_notes(app, which, reason=f"cleared: {what}")
        click.echo(retired)
    print_message(
        "retired; `twiceshy undo` takes it back" if count else "there was nothing to clear"
    )
