"""``twiceshy memory-set``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import writer
from twiceshy.cli.older.page_view import say_page_size
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, project_option, the_scope
from twiceshy.cli.output import note_json, say, show
from twiceshy.cli.reading import given_text
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.pages.condition import line_count
from twiceshy.notes.pages.write import Part
from twiceshy.project.pages.paging import Words, path_in_project, set_page
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.project.pages.paging import SetPage


@click.command("memory-set", cls=TextCommand)
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[TEXT | -]")
@click.option("--file", metavar="F", help="Take the text from this file.")
@click.option("--append", is_flag=True, help="Add it at the end, and keep the rest.")
@click.option("--section", default="", metavar="HEADING", help="Set only what is below this.")
@click.option("--concept", "concepts", multiple=True, help="What it is about; may be repeated.")
@click.option("--about", multiple=True, metavar="PATH", help="A folder or file it is about.")
@project_option
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
    as_json: bool,
    **where: Any,
) -> None:
    """Set the page NAME: project, architecture, conventions, or a topic.

    TEXT - reads stdin. The history keeps the old text, and `undo` restores it. A topic page is
    shown to sessions that start in a folder named by --about.

    Example: twiceshy memory-set architecture --file ARCHITECTURE.md
    """
    text = given_text(words, file)
    if not text.strip():
        raise NoteError(
            worded("there is no text to set"),
            hint=worded("give it as words, as --file F, or - and on stdin"),
        )
    with opened() as app:
        asked = Words(
            text=text,
            source=writer(),
            part=Part(section=section, append=append),
            files=tuple(path_in_project(app, path) for path in about),
            concepts=concepts,
        )
        done = set_page(app, name, asked, scope=the_scope(app, skill=None, **where))
        if done.changed:
            embed_new(app, tell=say)
    outcome = "revised" if done.changed else "unchanged"
    plain = {"outcome": outcome if done.before else "written", "page": note_json(done.page)}
    show(plain, [done.page.handle], as_json=as_json)
    if not as_json:
        say(_became(done))
        say_page_size(done.page)


def _became(done: SetPage) -> str:
    page, lines = done.page, line_count(done.page.text)
    if page.status not in SHOWN:
        return worded(
            "written, but shown to nobody: {reason}; see: twiceshy review", reason=page.reason
        )
    if done.before is None:
        return worded("page {name} is new, lines: {lines}", name=page.tag, lines=lines)
    if not done.changed:
        return worded("page {name} says this already; nothing was changed", name=page.tag)
    return worded(
        "page {name} is revision {revision} now, lines: {lines}; what it said before is "
        "kept: twiceshy history {handle}",
        name=page.tag,
        revision=page.revision,
        lines=lines,
        handle=page.handle,
    )
