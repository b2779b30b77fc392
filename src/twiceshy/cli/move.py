"""``twiceshy move``."""

from __future__ import annotations

import click

from twiceshy.cli.options import json_option, open_app, resolve_project
from twiceshy.cli.output import note_json, print_result
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.edit import move_note
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.user_changes import keep_approvals
from twiceshy.safety.names import check_name


@click.command("move")
@click.argument("name", metavar="ID")
@click.option("--project", metavar="P", help="To this project: a path, name or id.")
@click.option("--everywhere", "-g", is_flag=True, help="Make the note global.")
@click.option("--skill", metavar="S", help="To this skill.")
@click.option("--no-skill", is_flag=True, help="Remove the skill from the note.")
@json_option
def command(
    *,
    name: str,
    project: str | None,
    everywhere: bool,
    skill: str | None,
    no_skill: bool,
    as_json: bool,
) -> None:
    """Move a note to a project or skill; identical notes there are merged.

    Example: twiceshy move n7k2x --everywhere
    """
    if not (project or everywhere or skill or no_skill):
        raise click.UsageError("say where to: --project, --everywhere, --skill or --no-skill")
    with open_app() as app:
        note = find_only_note(app, name)
        where = EVERYWHERE if everywhere else resolve_project(app, project) if project else None
        about = "" if no_skill else check_name(skill, what="skill") if skill else None
        scope = Scope(
            note.scope.project if where is None else where,
            note.scope.skill if about is None else about,
        )
        with keep_approvals(app, changing=("scope",)):
            moved = move_note(app, note, scope)
    said = f"merged into {moved.handle}" if moved.id != note.id else f"moved to {scope}"
    print_result(note_json(moved), [moved.handle], talk=[said], as_json=as_json)
