"""``twiceshy list``."""

from __future__ import annotations

from typing import Any

import click

from twiceshy.cli.options import build_filter, filter_options, json_option, open_app
from twiceshy.cli.output import format_note, notes_json, print_message, print_result


@click.command("list")
@filter_options
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@json_option
def command(*, limit: int, as_json: bool, **given: Any) -> None:
    """List notes: pinned first, then by date learned, newest first.

    Lists notes of this project and global notes; --all lists the notes of every project.

    Example: twiceshy list --kind decision --since 2026-11-01
    """
    with open_app() as app:
        which = build_filter(app, **given)
        notes = app.store.notes(which, limit=limit)
        total = app.store.count_notes(which) if len(notes) == limit else len(notes)
    print_result(notes_json(notes), map(format_note, notes), as_json=as_json)
    if total > limit:
        print_message(f"{total - limit} more; --limit {total} shows them")
    elif not notes:
        print_message("no notes")
