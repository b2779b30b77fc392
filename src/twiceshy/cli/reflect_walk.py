"""Ask the four reflection questions in a terminal; each answer is a separate change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import line, say
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.text import clean, one_line
from twiceshy.project.reflect import reflecting
from twiceshy.project.reflect.questions import Covered, Keep, Remove, Shorten, written
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.project.reflect.questions import Answer, Candidate
    from twiceshy.project.reflect.reflecting import Reflected

_LONGEST = 2_000


def walk(app: App, found: Sequence[Reflected]) -> None:
    """Ask about every candidate and removable note of the reflections."""
    try:
        for each in found:
            for number, candidate in enumerate(each.candidates, start=1):
                click.echo(f"\n{number}/{len(each.candidates)}")
                _ask_about(app, candidate)
            for note in each.removable:
                _confirm(app, note)
    except click.Abort:
        say("\n" + worded("stopped; what you decided before stays decided"))
        return
    say(worded("kept as {name}", name=found[0].file))


def _ask_about(app: App, candidate: Candidate) -> None:
    """Ask until an answer is valid, and apply the answer."""
    note, seen = candidate.note, candidate.seen
    click.echo(f"{note.handle}  {one_line(clean(note.text), limit=_LONGEST)}")
    for evidence in (seen.mark, *filter(None, (seen.standing,)), *seen.evidence):
        click.echo(f"  {evidence}")
    while True:
        given = _answer(candidate)
        try:
            reflecting.answer(app, note.id, given)
        except TwiceshyError as error:
            say(f"{error}; {error.hint}" if error.hint else str(error))
        else:
            say(written(given))
            return


def _answer(candidate: Candidate) -> Answer:
    """Ask the four questions; stop after a shorter text or a covering rule."""
    serves = _yes(worded("Does it serve?"), default=candidate.serves)
    if _yes(worded("Can it be shorter?"), default=bool(candidate.shorter) and serves):
        return Shorten(_text(worded("In which words?"), default=candidate.shorter))
    if _yes(worded("Does a rule cover it already?"), default=bool(candidate.rule) and serves):
        return Covered(_text(worded("Which rule?"), default=candidate.rule))
    must_go = candidate.must_go if serves == candidate.serves else not serves
    return Remove() if _yes(worded("Must it go?"), default=must_go) else Keep()


def _confirm(app: App, note: Note) -> None:
    click.echo("\n" + line(note))
    if _yes(worded("It was marked in an earlier reflection. Remove it now?"), default=False):
        say(line(reflecting.remove(app, note)))


def _yes(question: str, *, default: bool) -> bool:
    return click.confirm(question, default=default, err=True)


def _text(question: str, *, default: str) -> str:
    return str(click.prompt(question, default=default or None, err=True)).strip()
