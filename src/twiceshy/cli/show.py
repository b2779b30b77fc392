"""``twiceshy show``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, known_skill, projects_seen, the_note
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import details, print_json, print_notes
from twiceshy.core.filter import Filter


@click.command("show")
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--skill", metavar="S", help="Show everything this skill knows here.")
@json_option
def command(*, names: tuple[str, ...], skill: str | None, as_json: bool) -> None:
    """Show a note in full, or all that a skill knows.

    Example: twiceshy show n7k2x
    """
    if bool(names) == bool(skill):
        raise click.UsageError("give the id of a note, or --skill")
    with opened() as app:
        if skill:
            which = Filter(projects=projects_seen(app, None), skill=known_skill(app, skill))
            print_notes(app.store.notes(which, limit=1000), json_wanted=as_json)
            return
        notes = [the_note(app, name) for name in names]
        projects = app.store.projects()
    if as_json:
        print_json([note_json(note) for note in notes])
        return
    for note in notes:
        for text in details(note, projects=projects):
            click.echo(text)
