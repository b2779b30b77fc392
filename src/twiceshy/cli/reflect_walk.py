"""Ask the four reflection questions in a terminal; each answer is a separate change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from twiceshy.app import App
from twiceshy.cli.output import format_note, print_message, print_worded
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.note import Note
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.project.reflect import reflection
from twiceshy.project.reflect.questions import (
    CoveredByRule,
    Keep,
    Remove,
    ReviewCandidate,
    Shorten,
    answer_word,
)
from twiceshy.project.reflect.reflection import Reflection
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.project.reflect.questions import Answer

_LONGEST = 2_000


def ask_questions(app: App, found: Sequence[Reflection]) -> None:
    """Ask about every candidate and removable note of the reflections."""
    try:
        for each in found:
            for number, candidate in enumerate(each.candidates, start=1):
                click.echo(f"\n{number}/{len(each.candidates)}")
                _ask_about_note(app, candidate)
            for note in each.removable:
                _confirm_removal(app, note)
    except click.Abort:
        print_message("\n" + worded("stopped; what you decided before stays decided"))
        return
    print_worded("kept as {name}", name=found[0].file)


def _ask_about_note(app: App, candidate: ReviewCandidate) -> None:
    """Ask until an answer is valid, and apply the answer."""
    note, seen = candidate.note, candidate.reviewed
    click.echo(f"{note.handle}  {fold_to_line(strip_unsafe(note.text), limit=_LONGEST)}")
    for evidence in (seen.mark, *filter(None, (seen.pitfall_status,)), *seen.evidence):
        click.echo(f"  {evidence}")
    while True:
        given = _ask_four_questions(candidate)
        try:
            reflection.answer_question(app, note.id, given)
        except TwiceshyError as error:
            print_message(f"{error}; {error.hint}" if error.hint else str(error))
        else:
            print_message(answer_word(given))
            return


def _ask_four_questions(candidate: ReviewCandidate) -> Answer:
    """Ask the four questions; stop after a shorter text or a covering rule."""
    serves = _ask_yes_no(worded("Does it serve?"), default=candidate.is_useful)
    if _ask_yes_no(worded("Can it be shorter?"), default=bool(candidate.shorter) and serves):
        return Shorten(_ask_text(worded("In which words?"), default=candidate.shorter))
    if _ask_yes_no(
        worded("Does a rule cover it already?"), default=bool(candidate.rule) and serves
    ):
        return CoveredByRule(_ask_text(worded("Which rule?"), default=candidate.rule))
    must_go = candidate.must_go if serves == candidate.is_useful else not serves
    return Remove() if _ask_yes_no(worded("Must it go?"), default=must_go) else Keep()


def _confirm_removal(app: App, note: Note) -> None:
    click.echo("\n" + format_note(note))
    if _ask_yes_no(
        worded("It was marked in an earlier reflection. Remove it now?"), default=False
    ):
        print_message(format_note(reflection.remove_note(app, note)))


def _ask_yes_no(question: str, *, default: bool) -> bool:
    return click.confirm(question, default=default, err=True)


def _ask_text(question: str, *, default: str) -> str:
    return str(click.prompt(question, default=default or None, err=True)).strip()
