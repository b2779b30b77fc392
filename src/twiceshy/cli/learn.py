"""``twiceshy learn``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import writer
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, scope_options, the_scope
from twiceshy.cli.output import note_json, place_name, say, show
from twiceshy.cli.reading import STDIN, read_stdin
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.core.text import clean
from twiceshy.notes import learned as lessons
from twiceshy.notes.learned import Learned, Page
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.naming import the_note
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import require_written
from twiceshy.project.local_day import local_day
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note


@click.command("learn", cls=TextCommand)
@click.argument("title", required=False, metavar="[TITLE]")
@click.option("--problem", default="", help="What went wrong.")
@click.option("--solution", default="", help="What put it right.")
@click.option("--next", "next_time", default="", help="What to do the next time.")
@click.option("--page", "name", metavar="ID", help="Print a lesson as memory-engine's file.")
@scope_options(everywhere="For every project.")
@json_option
def command(
    *,
    title: str | None,
    problem: str,
    solution: str,
    next_time: str,
    name: str | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Record a lesson from a mistake: problem, solution, and advice for next time.

    TITLE - reads the whole lesson from stdin, in the format that --page prints. In a terminal,
    missing parts are asked for. To learn from transcripts: twiceshy distill.

    Example: twiceshy learn "Tags need a fetch" --problem "The tag fell on an old commit"
    --solution "git fetch --tags" --next "Fetch before tagging"
    """
    with opened() as app:
        if name:
            click.echo(_page(app, the_note(app, name)), nl=False)
            return
        lesson = _told(title, Learned(title or "", problem, solution, next_time))
        draft = Draft(
            kind="lesson",
            subtype="pitfall",
            text=lessons.text_of(lesson),
            why=lesson.problem,
            scope=the_scope(app, **where),
            source=writer(),
        )
        note = require_written(take_note(app, draft, keep_apart=True)).note
        embed_new(app, tell=say)
    said = worded("Learned: {title}", title=clean(note.text.partition("\n")[0]))
    show(note_json(note), [said], as_json=as_json)
    if note.status not in SHOWN:
        say(worded("it is shown to nobody: {reason}; see: twiceshy review", reason=note.reason))


def _told(title: str | None, given: Learned) -> Learned:
    """Return the lesson from stdin, the options, or terminal prompts."""
    if title == STDIN:
        return lessons.read(read_stdin()).learned
    if sys.stdin.isatty() and not all((given.title, given.problem, given.solution)):
        given = Learned(
            given.title or _ask(worded("Title")),
            given.problem or _ask(worded("Problem")),
            given.solution or _ask(worded("Solution")),
            given.next_time or _ask(worded("Next time"), needed=False),
        )
    return lessons.checked(given)


def _ask(what: str, *, needed: bool = True) -> str:
    default = None if needed else ""
    return str(click.prompt(what, default=default, show_default=False, err=True))


def _page(app: App, note: Note) -> str:
    lesson = lessons.learned_of(note)
    if lesson is None:
        raise NoteError(
            f"{note.handle} was not learned by hand", hint=f"see: twiceshy show {note.handle}"
        )
    name = place_name(note.scope.project, app.store.projects())
    cleaned = Learned.of({each: clean(str(said)) for each, said in lesson.fields().items()})
    return lessons.written(Page(cleaned, local_day(note.learned_at), clean(name)))
