"""Commands that show notes: ``show``, and ``recall`` as an agent would see them."""

import click

from twiceshy.app import App
from twiceshy.cli.held_back import say_held_back
from twiceshy.cli.history import format_details
from twiceshy.cli.hits_json import answer_json, error_json
from twiceshy.cli.options import json_option, open_app, resolve_scope, scope_options
from twiceshy.cli.output import (
    fields_json,
    notes_json,
    print_json,
    print_message,
    print_messages,
    print_page,
    print_result,
)
from twiceshy.core.errors import NotFoundError, SwitchedOffError
from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.moment import format_day
from twiceshy.core.scope import Scope
from twiceshy.interop.imports.find_sources import read_in_place
from twiceshy.interop.skill_notes import gather_skill_notes, normalise_skill_name
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.recall.nearest import UNSURE, RecallAnswer
from twiceshy.recall.request import brief_scope


@click.command("show")
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--skill", metavar="S", help="Show all notes of this skill here.")
@click.option("--checkpoints", is_flag=True, help="With --skill: show its checkpoints.")
@json_option
def show(*, names: tuple[str, ...], skill: str | None, checkpoints: bool, as_json: bool) -> None:
    """Show a note in full, or the notes of a skill as KNOWLEDGE.md.

    Example: twiceshy show n7k2x
    """
    if bool(names) == (skill is not None):
        raise click.UsageError("give the id of a note, or --skill")
    if checkpoints and skill is None:
        raise click.UsageError("--checkpoints needs --skill")
    with open_app() as app:
        if skill is None:
            _show_notes(app, names, as_json=as_json)
        elif checkpoints:
            _show_checkpoints(app, normalise_skill_name(skill), as_json=as_json)
        else:
            _show_skill(app, normalise_skill_name(skill), as_json=as_json)


def _show_notes(app: App, names: tuple[str, ...], *, as_json: bool) -> None:
    notes = [find_only_note(app, name) for name in names]
    projects = app.store.list_projects()
    lines = (text for note in notes for text in format_details(note, projects=projects))
    print_result(notes_json(notes), lines, as_json=as_json)


def _show_skill(app: App, skill: str, *, as_json: bool) -> None:
    from twiceshy.notes.knowledge import render_knowledge

    found = gather_skill_notes(app, skill)
    page = render_knowledge(skill, found.list_notes, format_day(app.store.now()))
    print_page(notes_json(found.list_notes), page, as_json=as_json)
    print_messages(() if as_json else found.list_remarks())


def _show_checkpoints(app: App, skill: str, *, as_json: bool) -> None:
    from twiceshy.interop.checkpoints import list_checkpoints, render_checkpoints

    found = list_checkpoints(app, skill)
    if not found:
        raise NotFoundError(
            f"nothing was written down about skill {skill!r}",
            hint=f'twiceshy checkpoint --skill {skill} --note "…" writes the first one',
        )
    plain = [
        {"id": one.key, **fields_json(one, "at"), "note": one.excerpt, "became": one.pair or None}
        for one in found
    ]
    print_result(plain, render_checkpoints(skill, found).splitlines(), as_json=as_json)


@click.command("recall")
@click.argument("intent", default="")
@scope_options("Only global notes.")
@click.option("--tokens", type=click.IntRange(min=50), help="Token budget of the brief.")
@click.option("--top", type=click.IntRange(min=1), help="Maximum number of notes.")
@json_option
def recall(
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

    INTENT describes the next step of the agent. Tasks and pages about it are shown, too. If no
    note fits it well, the nearest are shown, and marked as such. What else there is to say is
    printed to stderr: no notes yet, none about this, notes about it that wait, are retired or may
    not be told, a question without a telling word, or a budget that is too small. In --json,
    "fit" is good, weak, none or null, and "reason" is empty, unsure, unrelated, wordless, budget,
    withheld or null; beside an error it is unknown (skill or project) or disabled (notes of the
    skill).

    Notes of older systems that were not imported are shown here, with a remark; agents get them
    after an import.

    Example: twiceshy recall "cut a release" --skill release
    """
    with open_app(for_agents=True) as app:
        try:
            scope = resolve_scope(app, skill=skill, project=project, everywhere=everywhere)
            answer, remark = read_in_place(
                app,
                lambda: brief_scope(
                    app, scope, intent, tokens=tokens, notes=top, tell=print_message
                ),
            )
        except (NotFoundError, SwitchedOffError) as error:
            if as_json:
                print_json(error_json(error))
            raise
        held = _list_held(app, intent, scope, answer)
    if as_json:
        print_json(answer_json(answer))
    else:
        _print_answer(answer)
    print_messages(held)
    if remark:
        print_message(remark)


def _list_held(app: App, intent: str, scope: Scope, answer: RecallAnswer) -> list[str]:
    """Say how many notes about a question are held back, of any skill, unless the answer says so."""
    if any("twiceshy review" in hint for hint in (answer.said.hints if answer.said else ())):
        return []
    around = filter_visible_notes(app.store, scope).but(skill=scope.skill or None, kinds=())
    return say_held_back(app, intent, around)


def _print_answer(answer: RecallAnswer) -> None:
    """Print a brief; say why no note fits, unless the brief does, and where to look next."""
    if answer.brief.text:
        click.echo(answer.brief.text)
    if answer.said and (answer.said.reason != "unsure" or UNSURE not in answer.brief.text):
        print_message(answer.said.message)
    print_messages(f"hint: {hint}" for hint in (answer.said.hints if answer.said else ()))
