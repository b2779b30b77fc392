"""``twiceshy reflect``."""

from collections.abc import Sequence
from functools import partial

import click

from twiceshy.app import App, is_started_by_agent
from twiceshy.cli.audit_view import audit_json, finding_json
from twiceshy.cli.options import json_option, open_app, resolve_project, yes_option
from twiceshy.cli.output import (
    format_note,
    is_interactive,
    note_json,
    notes_json,
    print_json,
    print_message,
    print_page,
    print_result,
    print_worded,
)
from twiceshy.cli.progress import announced
from twiceshy.core.note import Note
from twiceshy.notes.person import require_person
from twiceshy.project.audit.facts import AuditResult
from twiceshy.project.local_day import format_local_day
from twiceshy.project.reflect import reflection
from twiceshy.project.reflect.questions import ANSWER_HELP, candidate_facts, parse_answer
from twiceshy.project.reflect.reflection import Reflection
from twiceshy.project.reflect.report import report_file_name, summarise_report
from twiceshy.upkeep.doctor import audit_project
from twiceshy.wording import worded


@click.command("reflect")
@click.argument("project", required=False, metavar="[PROJECT]")
@click.option("--all", "-a", "everything", is_flag=True, help="Reflect on every project.")
@click.option(
    "--show", "shown", is_flag=True, help="Print the last report, or the report with this ID."
)
@click.option("--answer", "answers", multiple=True, metavar="ID=ANSWER", help=f"{ANSWER_HELP}.")
@click.option(
    "--remove",
    "removed",
    multiple=True,
    metavar="ID",
    help="Confirm the removal of a marked note.",
)
@yes_option
@json_option
def command(
    *,
    project: str | None,
    everything: bool,
    shown: bool,
    answers: tuple[str, ...],
    removed: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """Review a week: useful, recurring and removable notes; keep a report.

    In a terminal, asks four questions about each doubtful note: is the note useful, can it be
    shorter, does a rule cover it, must it go? Without a terminal, answer with --answer. A note
    that must go is only marked; a later reflection, on another day, removes it after you confirm
    with --remove. `undo` reverts each change.

    Example: twiceshy reflect --answer n7k2x=keep --answer n81cq=remove
    """
    if sum(map(bool, (everything, shown, answers, removed))) > 1:
        raise click.UsageError("--all, --show, --answer and --remove exclude each other")
    with open_app(for_agents=True) as app:
        if shown:
            _print_report(app, project, as_json=as_json)
        elif answers or removed:
            notes = (
                _apply_answers(app, answers) if answers else _remove_notes(app, removed, yes=yes)
            )
            talk = [worded("done; `twiceshy undo` takes it back")]
            print_result(notes_json(notes), map(format_note, notes), talk=talk, as_json=as_json)
        else:
            _reflect_on_projects(app, project, everything=everything, as_json=as_json)


def _reflect_on_projects(app: App, given: str | None, *, everything: bool, as_json: bool) -> None:
    projects = (
        reflection.list_projects_with_notes(app) if everything else [resolve_project(app, given)]
    )
    found = [
        reflection.reflect_on_project(app, each, partial(_look_over, app, each))
        for each in projects
    ]
    if as_json:
        plain = [_reflection_to_json(each) for each in found]
        print_json(plain if everything else plain[0])
        return
    for each in found:
        for line in summarise_report(each.report):
            click.echo(line)
        click.echo(worded("health: {verdict}", verdict=each.report.verdict))
    if is_interactive() and not is_started_by_agent():
        from twiceshy.cli.reflect_walk import ask_questions

        ask_questions(app, found)
        return
    for each in found:
        print_worded("kept as {name}", name=each.file)
        for note in each.restored:
            print_worded("shown again, since it was needed: {note}", note=format_note(note))


def _look_over(app: App, project: str) -> AuditResult:
    here = None if project == app.current_project().id else project
    with announced(worded("looking everything over …")):
        return audit_project(app.config, app, project=here)


def _print_report(app: App, given: str | None, *, as_json: bool) -> None:
    is_id = given is not None and reflection.is_report_name(app, given)
    project = "" if is_id else resolve_project(app, given)
    episode = reflection.get_report(app, project, (given or "") if is_id else "")
    print_page(reflection.report_facts(episode), episode.summary, as_json=as_json)
    if not as_json:
        print_message(report_file_name(format_local_day(episode.ended_at)))


def _apply_answers(app: App, answers: Sequence[str]) -> list[Note]:
    """Apply answers in a single change; an invalid answer cancels every answer."""
    pairs = [given.partition("=") for given in answers]
    if not all(name and between for name, between, _ in pairs):
        raise click.UsageError(f"write an answer as ID=ANSWER; ANSWER is {ANSWER_HELP}")
    read = [(name.strip(), parse_answer(said)) for name, _, said in pairs]
    with app.store.change():
        return [reflection.answer_question(app, name, given) for name, given in read]


def _remove_notes(app: App, names: Sequence[str], *, yes: bool) -> list[Note]:
    notes = [reflection.check_removal(app, name) for name in dict.fromkeys(names)]
    require_person("decide", map(format_note, notes))
    if not yes:
        click.confirm(worded("Remove {count} notes?", count=len(notes)), abort=True, err=True)
    with app.store.change():
        return [reflection.remove_note(app, note) for note in notes]


def _reflection_to_json(found: Reflection) -> dict[str, object]:
    asked = [note_json(each.note) | candidate_facts(each) for each in found.candidates]
    doubts = [finding_json(each, "health") for each in found.doubts]
    return reflection.report_facts(found.episode) | {
        "audit": audit_json(found.audit) | {"findings": doubts},
        "candidates": asked,
        "removable": notes_json(found.removable),
        "spared": notes_json(found.restored),
    }
