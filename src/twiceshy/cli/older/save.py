"""``twiceshy save``."""

import click

from twiceshy.app import command_author
from twiceshy.cli.older.pages import warn_page_size
from twiceshy.cli.options import TextCommand, json_option, open_app, place_options, resolve_scope
from twiceshy.cli.output import (
    flatten_text,
    format_note,
    is_interactive,
    note_json,
    print_json,
    print_message,
    print_worded,
)
from twiceshy.cli.text_input import read_text_argument
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.notes.embed import embed_new_notes
from twiceshy.project.pages.project_pages import describe_page
from twiceshy.project.save import (
    SavedAlready,
    SaveResult,
    ToNote,
    ToPage,
    UnclearRoute,
    choose_destination,
    find_saved,
    save_text,
)
from twiceshy.wording import worded

_MOST = 8


@click.command("save", cls=TextCommand)
@click.argument("words", nargs=-1, required=True, metavar="TEXT | -")
@click.option(
    "--to",
    default="",
    metavar="WHERE",
    help="Destination: a page, note, or a kind such as decision.",
)
@click.option("--new", "anyway", is_flag=True, help="Save the text even if already known.")
@place_options("For every project.")
@json_option
def command(
    *,
    words: tuple[str, ...],
    to: str,
    anyway: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Save a text on the right page or as a note, unless already known.

    First searches notes, pages, and the CLAUDE.md and AGENTS.md of the project. A text that names
    a topic page goes there, any other text becomes a note. If the place is unclear, a terminal asks;
    otherwise the text becomes a note.

    Example: twiceshy save "We decided to deploy on Fridays only"
    """
    text = read_text_argument(words)
    if not text.strip():
        raise NoteError(worded("there is no text to save"), hint='twiceshy save "…"')
    with open_app() as app:
        scope = resolve_scope(app, skill=None, project=project, everywhere=everywhere)
        known = None if anyway else find_saved(app, text, scope.project)
        if known:
            _print_known(known, as_json=as_json)
            return
        where = choose_destination(app, text, scope.project, to=to)
        if isinstance(where, UnclearRoute):
            ask = is_interactive() and not as_json
            where = _ask_destination(where) if ask else where.otherwise
        saved = save_text(app, text, where, scope=scope, source=command_author())
        embed_new_notes(app, tell=print_message)
        page = describe_page(saved.note, app.store.now()) if saved.note.kind == "page" else {}
    if as_json:
        plain = {"outcome": "saved", "note": note_json(saved.note)}
        print_json({**plain, "section": saved.section or None, "page": page})
    else:
        click.echo(saved.note.handle)
    print_message(_describe_result(saved))
    if page:
        warn_page_size(saved.note)


def _ask_destination(where: UnclearRoute) -> ToPage | ToNote:
    """Ask for the destination."""
    pages = where.pages[:_MOST]
    options: list[ToPage | ToNote] = [ToPage(page, "") for page in pages]
    options += [ToNote(kind) for kind in where.kinds]
    said = [worded("page {name}", name=flatten_text(page.tag, limit=60)) for page in pages]
    said += [worded("a note: {kind}", kind=kind) for kind in where.kinds]
    for number, option in enumerate(said, start=1):
        click.echo(f"{number}  {option}", err=True)
    chosen = click.prompt(
        worded("where does it belong"), type=click.IntRange(1, len(options)), err=True
    )
    return options[chosen - 1]


def _print_known(known: SavedAlready, *, as_json: bool) -> None:
    note = known.note
    if as_json:
        place = {"section": known.section or None, "file": known.file or None}
        said_by = note_json(note) if note else None
        print_json({"outcome": "known", "note": said_by, **place, "line": known.line or None})
        return
    click.echo(note.handle if note else f"{known.file}:{known.line}")
    if note is None:
        said = worded("{file} says this already, line {line}", file=known.file, line=known.line)
    elif note.kind == "page":
        said = worded(
            "page {name} says this already, line {line} {section}",
            name=note.tag,
            line=known.line,
            section=f"({flatten_text(known.section, limit=60)})" if known.section else "",
        ).rstrip()
    else:
        said = worded("known already: {note}", note=" ".join(format_note(note).split()))
    print_message(said)
    print_worded("nothing was saved; --new saves it all the same")


def _describe_result(saved: SaveResult) -> str:
    note, section = saved.note, saved.section
    if note.status not in SHOWN:
        return worded(
            "written, but shown to nobody: {reason}; see: twiceshy review", reason=note.reason
        )
    if note.kind != "page":
        return worded("saved as a note: {kind}", kind=note.kind)
    if section:
        return worded("saved on page {name}, section {section}", name=note.tag, section=section)
    return worded("saved at the end of page {name}", name=note.tag)
