"""``twiceshy facts``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, projects_seen
from twiceshy.cli.output import line, print_json, say
from twiceshy.core.facts_file import FACTS, facts_file, facts_summary
from twiceshy.core.filter import Filter


@click.command("facts")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@json_option
def command(*, project: str | None, as_json: bool) -> None:
    """Count the decisions, patterns and issues of a project, and list the open issues.

    --json prints all of them in the shape of memory-keeper's facts.json.

    Example: twiceshy facts --json
    """
    with opened() as app:
        which = Filter(projects=projects_seen(app, project)[:-1], kinds=FACTS)
        notes = app.store.notes(which, limit=max(1, app.store.count(which)))
    if as_json:
        print_json(facts_file(notes))
        return
    for told in facts_summary(notes):
        click.echo(told)
    for note in notes:
        if note.kind == "issue" and note.state == "open":
            click.echo(line(note))
    say("to search them: twiceshy search --kind decision --concept C --file PART --type T")
