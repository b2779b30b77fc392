"""``twiceshy save``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.memory_set import warn_of_length
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, the_scope
from twiceshy.cli.output import line, note_json, print_json, say
from twiceshy.cli.reading import given_text
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.core.text import clean, one_line
from twiceshy.notes.meaning import embed_new
from twiceshy.project.pages.paging import page_facts
from twiceshy.project.pages.routing import ToNote, ToPage, Unclear
from twiceshy.project.saving import destination, put, standing
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.project.saving import Route, Saved, Standing

_MOST = 8


@click.command("save", cls=TextCommand)
@click.argument("words", nargs=-1, required=True, metavar="TEXT | -")
@click.option(
    "--to", default="", metavar="WHERE", help="A page, note, or a kind such as decision."
)
@click.option("--new", "anyway", is_flag=True, help="Save it even if it stands somewhere already.")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--everywhere", "-g", is_flag=True, help="For every project.")
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
    """Save something where it belongs, unless it stands somewhere already.

    Looks through notes, pages and the project's CLAUDE.md and AGENTS.md first. What names a topic
    page goes there, anything else becomes a note; where that is unclear, you are asked.

    Example: twiceshy save "We decided to deploy on Fridays only"
    """
    text = given_text(words)
    if not text.strip():
        raise NoteError(worded("there is no text to save"), hint='twiceshy save "…"')
    with opened() as app:
        scope = the_scope(app, skill=None, project=project, everywhere=everywhere)
        known = None if anyway else standing(app, text, scope.project)
        if known:
            _tell_known(known, as_json=as_json)
            return
        where = _clear(destination(app, text, scope.project, to=to), asking=not as_json)
        saved = put(app, text, where, scope=scope, source="agent" if by_agent() else "user")
        embed_new(app, tell=say)
        _tell_saved(app, saved, as_json=as_json)


def _clear(where: Route, *, asking: bool) -> ToPage | ToNote:
    """Return where it goes; if that is unclear, ask, or say what could be meant."""
    if not isinstance(where, Unclear):
        return where
    if not (asking and sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoteError(
            worded("it is unclear where this belongs; nothing was saved"),
            hint=worded(
                "say so with --to; pages: {pages}; kinds: {kinds}, or note",
                pages=", ".join(page.tag for page in where.pages[:_MOST]) or worded("none"),
                kinds=", ".join(where.kinds),
            ),
        )
    return _asked(where)


def _asked(where: Unclear) -> ToPage | ToNote:
    options: list[ToPage | ToNote] = [ToPage(page, "") for page in where.pages[:_MOST]]
    options += [ToNote(kind) for kind in where.kinds]
    for number, option in enumerate(options, start=1):
        if isinstance(option, ToPage):
            said = worded("page {name}", name=one_line(clean(option.page.tag), limit=60))
        else:
            said = worded("a note: {kind}", kind=option.kind)
        click.echo(f"{number}  {said}", err=True)
    chosen = click.prompt(
        worded("where does it belong"), type=click.IntRange(1, len(options)), err=True
    )
    return options[chosen - 1]


def _tell_known(known: Standing, *, as_json: bool) -> None:
    if as_json:
        place = {"section": known.section or None, "file": known.file or None}
        said_by = note_json(known.note) if known.note else None
        print_json({"outcome": "known", "note": said_by, **place, "line": known.line or None})
        return
    note = known.note
    if note is None:
        click.echo(f"{known.file}:{known.line}")
        said = worded("{file} says this already, line {line}", file=known.file, line=known.line)
    elif note.kind == "page":
        click.echo(note.handle)
        said = worded(
            "page {name} says this already, line {line} {section}",
            name=note.tag,
            line=known.line,
            section=f"({one_line(clean(known.section), limit=60)})" if known.section else "",
        ).rstrip()
    else:
        click.echo(note.handle)
        said = worded("known already: {note}", note=" ".join(line(note).split()))
    say(said)
    say(worded("nothing was saved; --new saves it all the same"))


def _tell_saved(app: App, saved: Saved, *, as_json: bool) -> None:
    note = saved.note
    if as_json:
        more = page_facts(note, app.store.now()) if note.kind == "page" else {}
        section = saved.section or None
        print_json({"outcome": "saved", "note": note_json(note), "section": section, "page": more})
    else:
        click.echo(note.handle)
    if note.life not in SHOWN:
        say(
            worded(
                "written, but shown to nobody: {reason}; see: twiceshy review", reason=note.reason
            )
        )
    elif note.kind != "page":
        say(worded("saved as a note: {kind}", kind=note.kind))
    elif saved.section:
        say(
            worded("saved on page {name}, section {section}", name=note.tag, section=saved.section)
        )
    else:
        say(worded("saved at the end of page {name}", name=note.tag))
    if note.kind == "page":
        warn_of_length(note)
