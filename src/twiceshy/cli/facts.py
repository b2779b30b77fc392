"""``twiceshy facts``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, projects_seen
from twiceshy.cli.output import line, print_json, say
from twiceshy.core.filter import Filter
from twiceshy.core.jsontext import parse_object
from twiceshy.core.note import SHOWN
from twiceshy.interop.formats import About, joined, keeper_facts
from twiceshy.project.facts.file import FACTS, facts_summary


@click.command("facts")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@json_option
def command(*, project: str | None, as_json: bool) -> None:
    """Count the decisions, patterns and issues of a project, and list the open issues.

    --json prints memory-keeper's facts.json; a fact has its number there, and the id of its note.

    Example: twiceshy facts --json
    """
    with opened() as app:
        ids = projects_seen(app, project)[:-1]
        which = Filter(projects=ids, kinds=FACTS, lives=() if as_json else SHOWN)
        notes = app.store.notes(which, limit=max(1, app.store.count(which)))
    if as_json:
        print_json(parse_object(joined(keeper_facts.items(notes, About(ids[0])))))
        return
    for told in facts_summary(notes):
        click.echo(told)
    for note in notes:
        if note.kind == "issue" and note.state == "open":
            click.echo(line(note))
    say("to search them: twiceshy search --kind decision --concept C --file PART --type T")
