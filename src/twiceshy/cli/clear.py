"""``twiceshy clear``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import projects_seen, the_project, yes_option
from twiceshy.cli.output import say
from twiceshy.core.filter import Filter
from twiceshy.core.moment import DAY
from twiceshy.core.scope import EVERYWHERE
from twiceshy.notes.edit import clear
from twiceshy.notes.user_changes import keep_approvals


@click.command("clear")
@click.argument("what", type=click.Choice(["all", "old", "facts"]))
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--everywhere", "-g", is_flag=True, help="What holds for every project.")
@click.option("--days", type=click.IntRange(min=1), help="With old: not learned for so long.")
@yes_option
def command(
    *, what: str, project: str | None, everywhere: bool, days: int | None, yes: bool
) -> None:
    """Retire many notes of a project: all, old ones, or facts.

    Facts are decisions, patterns and issues. Pinned notes stay, except with all. One `undo`
    restores the notes; to erase notes, use `forget`.

    Example: twiceshy clear old --days 90
    """
    with opened() as app:
        own = (EVERYWHERE,) if everywhere else projects_seen(app, project)[:-1]
        limit = days or app.config.integer("retention.archive_days")
        which = {
            "all": Filter(projects=own),
            "old": Filter(projects=own, pinned=False, until=app.store.now() - limit * DAY),
            "facts": Filter(projects=own, pinned=False, kinds=("decision", "pattern", "issue")),
        }[what]
        count = app.store.count(which)
        if count and not yes:
            where = "everywhere" if everywhere else the_project(app, project)
            click.confirm(f"Retire {count} notes of {where}?", abort=True, err=True)
        with keep_approvals(app):
            retired = clear(app, which, reason=f"cleared: {what}")
        click.echo(retired)
    say("retired; `twiceshy undo` takes it back" if count else "there was nothing to clear")
