"""``twiceshy memory-set``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent, identify
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, the_scope
from twiceshy.cli.output import note_json, print_json, say
from twiceshy.cli.reading import given_text
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.pages.condition import LARGEST, WARN, line_count
from twiceshy.notes.pages.write import Part
from twiceshy.project.pages.paging import Words, set_page
from twiceshy.safety.names import safe_relative
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.project.pages.paging import SetPage


@click.command("memory-set", cls=TextCommand)
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[TEXT | -]")
@click.option("--file", metavar="F", help="Take the text from this file.")
@click.option("--append", is_flag=True, help="Add it at the end, and keep the rest.")
@click.option("--section", default="", metavar="HEADING", help="Set only what is below this.")
@click.option("--concept", "concepts", multiple=True, help="What it is about; may be repeated.")
@click.option("--about", multiple=True, metavar="PATH", help="A folder or file it is about.")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--everywhere", "-g", is_flag=True, help="For every project.")
@json_option
def command(
    *,
    name: str,
    words: tuple[str, ...],
    file: str | None,
    append: bool,
    section: str,
    concepts: tuple[str, ...],
    about: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Set the page NAME: project, architecture, conventions, or a topic. TEXT - reads stdin.

    What it said before stays in its history, and `undo` brings it back. A topic is shown to
    sessions that begin in a folder which it is about.

    Example: twiceshy memory-set architecture --file ARCHITECTURE.md
    """
    text = given_text(words, file)
    if not text.strip():
        raise NoteError(
            worded("there is no text to set"),
            hint=worded("give it as words, as --file F, or - and on stdin"),
        )
    with opened() as app:
        scope = the_scope(app, skill=None, project=project, everywhere=everywhere)
        asked = Words(
            text=text,
            source="agent" if by_agent() else "user",
            part=Part(section=section, append=append),
            files=tuple(_inside(app, path) for path in about),
            concepts=concepts,
        )
        done = set_page(app, name, asked, scope=scope)
        if done.changed:
            embed_new(app, tell=say)
    if as_json:
        print_json({"outcome": _outcome(done), "page": note_json(done.page)})
        return
    click.echo(done.page.handle)
    _tell(done)
    warn_of_length(done.page)


def warn_of_length(page: Note) -> None:
    """Say that a page should be split, before it is too large."""
    lines = line_count(page.text)
    if lines > WARN:
        say(
            worded(
                "page {name} has {lines} lines, and beyond {most} it is too large; split it: "
                "twiceshy memory-set TOPIC",
                name=page.tag,
                lines=lines,
                most=LARGEST,
            )
        )


def _outcome(done: SetPage) -> str:
    if done.before is None:
        return "written"
    return "revised" if done.changed else "unchanged"


def _tell(done: SetPage) -> None:
    page, lines = done.page, line_count(done.page.text)
    if page.life not in SHOWN:
        say(
            worded(
                "written, but shown to nobody: {reason}; see: twiceshy review", reason=page.reason
            )
        )
    elif done.before is None:
        say(worded("page {name} is new, lines: {lines}", name=page.tag, lines=lines))
    elif not done.changed:
        say(worded("page {name} says this already; nothing was changed", name=page.tag))
    else:
        say(
            worded(
                "page {name} is revision {revision} now, lines: {lines}; what it said before is "
                "kept: twiceshy history {handle}",
                name=page.tag,
                revision=page.revision,
                lines=lines,
                handle=page.handle,
            )
        )


def _inside(app: App, path: str) -> str:
    """Return a path as seen from the project's root."""
    here = identify(app.cwd, app.config)
    whole = os.path.normpath(os.path.join(app.cwd, path))
    return safe_relative(os.path.relpath(whole, here.root or app.cwd).replace(os.sep, "/"))
