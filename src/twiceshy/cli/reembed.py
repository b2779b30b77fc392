"""``twiceshy reembed``."""

from __future__ import annotations

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import print_result
from twiceshy.cli.progress import count_with_progress
from twiceshy.core.filter import NoteFilter
from twiceshy.notes.embed import embed_missing


@click.command("reembed")
@json_option
def command(*, as_json: bool) -> None:
    """Compute missing vectors of notes for search by meaning.

    Uses the word table that comes with twiceshy, without calling a model, and the model set in
    embed.backend, if any. Recall works meanwhile.

    Example: twiceshy reembed
    """
    with open_app() as app:
        total = app.store.count_notes(
            NoteFilter(statuses=())
        )  # at most: those that are known are passed over
        known = count_with_progress(
            app.store.rebuild_derived(only="meanings"), "by the table of words", total=total
        )
        embedder, asked = app.build_embedder(), 0
        if embedder:
            missing = embed_missing(app.store, embedder)
            asked = count_with_progress(missing, f"by {embedder.identity}", total=total)
    model = embedder.identity if embedder else None
    more = f", {asked} by the model" if embedder else ""
    plain = {"notes": known, "model": model, "embedded": asked}
    print_result(plain, (), talk=[f"{known} notes by the table of words{more}"], as_json=as_json)
