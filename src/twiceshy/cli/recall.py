"""``twiceshy recall``."""

from __future__ import annotations

import click

from twiceshy.cli.options import json_option, open_app, resolve_scope, scope_options
from twiceshy.cli.output import note_json, print_json, print_message
from twiceshy.interop.imports.in_place import read_in_place
from twiceshy.recall.request import brief_scope


@click.command("recall")
@click.argument("intent", default="")
@scope_options("Only global notes.")
@click.option("--tokens", type=click.IntRange(min=50), help="Token budget of the brief.")
@click.option("--top", type=click.IntRange(min=1), help="Maximum number of notes.")
@json_option
def command(
    *,
    intent: str,
    skill: str | None,
    project: str | None,
    everywhere: bool,
    tokens: int | None,
    top: int | None,
    as_json: bool,
) -> None:
    """Show the brief that an agent would get, for a skill or the project.

    INTENT describes the next step of the agent. Prints nothing if no note applies.

    Example: twiceshy recall "cut a release" --skill release
    """
    with open_app() as app:
        scope = resolve_scope(app, skill=skill, project=project, everywhere=everywhere)
        brief, remark = read_in_place(
            app,
            lambda: brief_scope(app, scope, intent, tokens=tokens, notes=top, tell=print_message),
        )
    if as_json:
        notes = [note_json(note) for note in brief.notes]
        print_json({"mode": brief.mode, "text": brief.text, "notes": notes})
    elif brief.text:
        click.echo(brief.text)
    else:
        print_message(f"nothing is known yet for {scope}")
    if remark:
        print_message(remark)
