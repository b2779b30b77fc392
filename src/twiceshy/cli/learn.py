"""``twiceshy learn``."""

import sys
from typing import Any

import click

from twiceshy.app import App, command_author
from twiceshy.cli.options import TextCommand, json_option, open_app, resolve_scope, scope_options
from twiceshy.cli.output import name_project, note_json, print_message, print_result, print_worded
from twiceshy.cli.text_input import STDIN, read_stdin
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.text import strip_unsafe
from twiceshy.notes import learned_lesson as lessons
from twiceshy.notes.embed import embed_new_notes
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.learned_lesson import LearnedLesson, LessonPage
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import require_written
from twiceshy.project.local_day import format_local_day
from twiceshy.wording import worded


@click.command("learn", cls=TextCommand)
@click.argument("title", required=False, metavar="[TITLE]")
@click.option("--problem", default="", help="The problem.")
@click.option("--solution", default="", help="The solution.")
@click.option("--next", "next_time", default="", help="Advice for next time.")
@click.option("--page", "name", metavar="ID", help="Print a lesson as a file of memory-engine.")
@scope_options("For every project.")
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
    with open_app() as app:
        if name:
            click.echo(_render_page(app, find_only_note(app, name)), nl=False)
            return
        lesson = _read_lesson(title, LearnedLesson(title or "", problem, solution, next_time))
        draft = Draft(
            kind="lesson",
            subtype="pitfall",
            text=lessons.lesson_text(lesson),
            why=lesson.problem,
            scope=resolve_scope(app, **where),
            source=command_author(),
        )
        note = require_written(take_note(app, draft, keep_apart=True)).note
        embed_new_notes(app, tell=print_message)
    said = worded("Learned: {title}", title=strip_unsafe(note.text.partition("\n")[0]))
    print_result(note_json(note), [f"{said} [{note.handle}]"], as_json=as_json)
    if note.status not in SHOWN:
        print_worded("it is shown to nobody: {reason}; see: twiceshy review", reason=note.reason)


def _read_lesson(title: str | None, given: LearnedLesson) -> LearnedLesson:
    """Return the lesson from stdin, the options, or terminal prompts."""
    if title == STDIN:
        return lessons.parse_lesson_file(read_stdin()).learned
    if sys.stdin.isatty() and not all((given.title, given.problem, given.solution)):
        given = LearnedLesson(
            given.title or _prompt_field(worded("Title")),
            given.problem or _prompt_field(worded("Problem")),
            given.solution or _prompt_field(worded("Solution")),
            given.next_time or _prompt_field(worded("Next time"), needed=False),
        )
    return lessons.check_lesson(given)


def _prompt_field(what: str, *, needed: bool = True) -> str:
    default = None if needed else ""
    return str(click.prompt(what, default=default, show_default=False, err=True))


def _render_page(app: App, note: Note) -> str:
    lesson = lessons.lesson_of_note(note)
    if lesson is None:
        raise NoteError(
            f"{note.handle} was not learned by hand", hint=f"see: twiceshy show {note.handle}"
        )
    name = name_project(note.scope.project, app.store.list_projects())
    cleaned = LearnedLesson.of(
        {each: strip_unsafe(str(said)) for each, said in lesson.fields().items()}
    )
    return lessons.render_lesson_file(
        LessonPage(cleaned, format_local_day(note.learned_at), strip_unsafe(name))
    )
