"""``twiceshy why``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.learned import how_learned
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import change_line, details, print_json, times
from twiceshy.core.history import runtime_of
from twiceshy.core.moment import stamp
from twiceshy.notes.decay import POLICIES, exempt
from twiceshy.notes.naming import the_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note


@click.command("why")
@click.argument("name", metavar="ID")
@json_option
def command(*, name: str, as_json: bool) -> None:
    """Tell where a note comes from, how far it is trusted, and what became of it.

    Example: twiceshy why n7k2x
    """
    with opened() as app:
        note = the_note(app, name)
        entries = app.store.history(note.id)
        projects = app.store.projects()
        policy = app.config.text("eviction.policy")
        worth = POLICIES[policy](note, app.store.now())
        learned = how_learned(app.store, note)
    worded = (str(e.after["variant"]) for e in entries if e.after and e.after.get("variant"))
    variants = list(dict.fromkeys(worded))
    if as_json:
        history = [entry.fields() | {"id": entry.id, "at": stamp(entry.at)} for entry in entries]
        told = {"worth": worth, "variants": variants, "learned": learned.fields()}
        told["runtime"] = runtime_of(entries) or None
        print_json({"note": note_json(note), **told, "history": history})
        return
    for text in details(note, projects=projects):
        click.echo(text)
    runtime = runtime_of(entries)
    for text in (*_story(note, projects, worth, policy, runtime), *learned.lines()):
        click.echo(f"  {text}")
    for variant in variants:
        click.echo(f"  also worded: {variant}")
    click.echo("  history:")
    for entry in entries:
        click.echo(f"    {change_line(entry)}")


def _story(
    note: Note, projects: dict[str, tuple[str, str]], worth: float, policy: str, runtime: str
) -> Iterator[str]:
    origin = projects.get(note.origin_project, (note.origin_project, ""))[0]
    yield f"written by: {note.source}" + (f", in {origin}" if origin else "")
    if note.origin_session:
        yield f"session:    {note.origin_session}"
    if runtime:
        yield f"runtime:    {runtime}"
    yield f"trust:      {note.trust:g} of 1"
    yield f"shown:      {times(note.recalls)}" + (
        f", helped {note.helped}, harmed {note.harmed}" if note.helped or note.harmed else ""
    )
    kept = "kept whatever it is worth" if exempt(note) else f"worth {worth:.3g} by {policy}"
    yield f"keeping:    {kept}"
