"""``twiceshy reembed``."""

from __future__ import annotations

import sys

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.filter import Filter
from twiceshy.notes.embed import embed_missing


@click.command("reembed")
@json_option
def command(*, as_json: bool) -> None:
    """Find out what notes mean, where that is not known.

    By the table of words that comes with twiceshy, which calls no model; and by the model chosen
    with embed.backend, if there is one. Recall goes on meanwhile.

    Example: twiceshy reembed
    """
    with opened() as app:
        total = app.store.count(Filter(lives=()))  # at most: those that are known are passed over
        with click.progressbar(
            app.store.rebuild(only="meanings"),
            length=total,
            label="by the table of words",
            file=sys.stderr,
        ) as ids:
            known = sum(1 for _ in ids)
        embedder = app.embedder()
        asked = 0
        if embedder:
            with click.progressbar(
                embed_missing(app.store, embedder),
                length=total,
                label=f"by {embedder.identity}",
                file=sys.stderr,
            ) as ids:
                asked = sum(1 for _ in ids)
    if as_json:
        model = embedder.identity if embedder else None
        print_json({"notes": known, "model": model, "embedded": asked})
    else:
        say(
            f"{known} notes by the table of words"
            + (f", {asked} by the model" if embedder else "")
        )
