"""``twiceshy show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.note_view import details
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import notes_json, print_json, say, show
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import day, stamp
from twiceshy.interop.skill_notes import notes_of, skill_named
from twiceshy.notes.naming import the_note

if TYPE_CHECKING:
    from twiceshy.app import App


@click.command("show")
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--skill", metavar="S", help="Show everything this skill knows here.")
@click.option("--checkpoints", is_flag=True, help="With --skill: what was written in passing.")
@json_option
def command(
    *, names: tuple[str, ...], skill: str | None, checkpoints: bool, as_json: bool
) -> None:
    """Show a note in full, or the notes of a skill as KNOWLEDGE.md.

    Example: twiceshy show n7k2x
    """
    if bool(names) == (skill is not None):
        raise click.UsageError("give the id of a note, or --skill")
    if checkpoints and skill is None:
        raise click.UsageError("--checkpoints needs --skill")
    with opened() as app:
        if skill is None:
            _show_notes(app, names, as_json=as_json)
        elif checkpoints:
            _show_checkpoints(app, skill_named(skill), as_json=as_json)
        else:
            _show_skill(app, skill_named(skill), as_json=as_json)


def _show_notes(app: App, names: tuple[str, ...], *, as_json: bool) -> None:
    notes = [the_note(app, name) for name in names]
    projects = app.store.projects()
    lines = (text for note in notes for text in details(note, projects=projects))
    show(notes_json(notes), lines, as_json=as_json)


def _show_skill(app: App, skill: str, *, as_json: bool) -> None:
    from twiceshy.notes.knowledge import rendered

    found = notes_of(app, skill)
    if as_json:
        print_json(notes_json(found.notes))
        return
    click.echo(rendered(skill, found.notes, day(app.store.now())), nl=False)
    for remark in found.remarks():
        say(remark)


def _show_checkpoints(app: App, skill: str, *, as_json: bool) -> None:
    from twiceshy.interop.checkpoints import list_checkpoints, rendered

    found = list_checkpoints(app, skill)
    if not found:
        raise NotFoundError(
            f"nothing was written down about skill {skill!r}",
            hint=f'twiceshy checkpoint --skill {skill} --note "…" writes the first one',
        )
    plain = [
        {"id": one.key, "at": stamp(one.at), "note": one.excerpt, "became": one.pair or None}
        for one in found
    ]
    show(plain, rendered(skill, found).splitlines(), as_json=as_json)
