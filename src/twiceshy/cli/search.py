"""``twiceshy search``."""

from __future__ import annotations

from typing import Any

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import chosen, filter_options, json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import line, print_json, say
from twiceshy.recall import search


@click.command("search")
@click.argument("query", nargs=-1)
@filter_options
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@json_option
def command(*, query: tuple[str, ...], limit: int, as_json: bool, **given: Any) -> None:
    """Find notes by words and filters; retired ones are found with --life any.

    Looks in this project and in what holds everywhere; --all looks in every project.

    Example: twiceshy search lock file --kind lesson --concept packaging
    """
    with opened() as app:
        which = chosen(app, **given)
        hits = search(app.store, " ".join(query), which, limit=limit)
        elsewhere = 0
        if not hits and which.projects is not None:
            elsewhere = len(
                search(app.store, " ".join(query), which.but(projects=None), limit=limit)
            )
    if as_json:
        print_json([{"score": round(hit.score, 6), **note_json(hit.note)} for hit in hits])
    else:
        for hit in hits:
            click.echo(line(hit.note))
    if not hits:
        say(
            "nothing found here" + (f"; {elsewhere} in other projects: --all" if elsewhere else "")
        )
