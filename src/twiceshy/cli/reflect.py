"""``twiceshy reflect``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_project, yes_option
from twiceshy.cli.output import (
    is_interactive,
    line,
    note_json,
    notes_json,
    print_json,
    say,
    show,
)
from twiceshy.core.errors import TwiceshyError
from twiceshy.project.local_day import local_day
from twiceshy.project.reflect import reflecting
from twiceshy.project.reflect.questions import HOW, answer_of, candidate_facts
from twiceshy.project.reflect.report import file_name
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.project.reflect.reflecting import Reflected


@click.command("reflect")
@click.argument("project", required=False, metavar="[PROJECT]")
@click.option("--all", "-a", "everything", is_flag=True, help="On every project, one by one.")
@click.option(
    "--show", "shown", is_flag=True, help="Print the last report, or the one whose ID is given."
)
@click.option("--answer", "answers", multiple=True, metavar="ID=ANSWER", help=f"{HOW}.")
@click.option("--remove", "removed", multiple=True, metavar="ID", help="Confirm a removal.")
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
    with opened() as app:
        if shown:
            _show(app, project, as_json=as_json)
        elif answers or removed:
            notes = _answer(app, answers) if answers else _remove(app, removed, yes=yes)
            talk = [worded("done; `twiceshy undo` takes it back")]
            show(notes_json(notes), map(line, notes), talk=talk, as_json=as_json)
        else:
            _reflect(app, project, everything=everything, as_json=as_json)


def _reflect(app: App, given: str | None, *, everything: bool, as_json: bool) -> None:
    projects = reflecting.with_notes(app) if everything else [the_project(app, given)]
    found = [reflecting.reflect(app, project) for project in projects]
    if as_json:
        plain = [_plain(each) for each in found]
        print_json(plain if everything else plain[0])
        return
    for each in found:
        click.echo(each.episode.summary, nl=False)
    if is_interactive() and not by_agent():
        from twiceshy.cli.reflect_walk import walk

        walk(app, found)
        return
    for each in found:
        say(worded("kept as {name}", name=each.file))
        for note in each.spared:
            say(worded("shown again, since it was needed: {note}", note=line(note)))
        if each.candidates:
            first = each.candidates[0].note.handle
            say(worded("hint: twiceshy reflect --answer {note}=keep", note=first))


def _show(app: App, given: str | None, *, as_json: bool) -> None:
    is_id = given is not None and reflecting.is_report(app, given)
    project = "" if is_id else the_project(app, given)
    episode = reflecting.kept_report(app, project, (given or "") if is_id else "")
    if as_json:
        print_json(reflecting.report_facts(episode))
        return
    click.echo(episode.summary, nl=False)
    say(file_name(local_day(episode.ended_at)))


def _answer(app: App, answers: Sequence[str]) -> list[Note]:
    """Apply answers in a single change; an invalid answer cancels every answer."""
    pairs = [given.partition("=") for given in answers]
    if not all(name and between for name, between, _ in pairs):
        raise click.UsageError(f"write an answer as ID=ANSWER; ANSWER is {HOW}")
    read = [(name.strip(), answer_of(said)) for name, _, said in pairs]
    with app.store.change():
        return [reflecting.answer(app, name, given) for name, given in read]


def _remove(app: App, names: Sequence[str], *, yes: bool) -> list[Note]:
    if by_agent():
        raise TwiceshyError(
            worded("an agent cannot confirm that a note must go"),
            hint=worded("call twiceshy reflect --remove in a terminal of your own"),
        )
    notes = [reflecting.check(app, name) for name in dict.fromkeys(names)]
    for note in notes:
        say(line(note))
    if not yes:
        click.confirm(worded("Remove {count} notes?", count=len(notes)), abort=True, err=True)
    with app.store.change():
        return [reflecting.remove(app, note) for note in notes]


def _plain(found: Reflected) -> dict[str, object]:
    asked = [note_json(each.note) | candidate_facts(each) for each in found.candidates]
    return reflecting.report_facts(found.episode) | {
        "candidates": asked,
        "removable": notes_json(found.removable),
        "spared": notes_json(found.spared),
    }
