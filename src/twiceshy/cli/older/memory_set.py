"""``twiceshy memory-set``."""

import difflib
from typing import Any

import click

from twiceshy.app import command_author
from twiceshy.cli.older.pages import warn_page_size
from twiceshy.cli.options import TextCommand, json_option, open_app, place_options, resolve_scope
from twiceshy.cli.output import note_json, print_message, print_result
from twiceshy.cli.text_input import read_text_argument
from twiceshy.core.errors import NoteError
from twiceshy.core.note import SHOWN
from twiceshy.notes.embed import embed_new_notes
from twiceshy.notes.pages import STABLE, count_lines
from twiceshy.notes.pages.write import PagePart, PageUpdate
from twiceshy.project.pages.project_pages import PageContent, path_in_project, set_page
from twiceshy.wording import worded


@click.command("memory-set", cls=TextCommand)
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[TEXT | -]")
@click.option("--file", metavar="F", help="Read the text from this file.")
@click.option("--append", is_flag=True, help="Append the text to the page.")
@click.option(
    "--section", default="", metavar="HEADING", help="Replace only the section below this heading."
)
@click.option("--concept", "concepts", multiple=True, help="A concept; may be repeated.")
@click.option(
    "--about", multiple=True, metavar="PATH", help="Related folder or file; may be repeated."
)
@place_options("For every project.")
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
    text = read_text_argument(words, file)
    if not text.strip():
        raise NoteError(
            worded("there is no text to set"),
            hint=worded("give it as words, as --file F, or - and on stdin"),
        )
    with open_app() as app:
        asked = PageContent(
            text=text,
            source=command_author(),
            part=PagePart(section=section, append=append),
            files=tuple(path_in_project(app, path) for path in about),
            concepts=concepts,
        )
        done = set_page(app, name, asked, scope=resolve_scope(app, skill=None, **where))
        if done.is_changed:
            embed_new_notes(app, tell=print_message)
    outcome = "revised" if done.is_changed else "unchanged"
    plain = {"outcome": outcome if done.before else "written", "page": note_json(done.page)}
    print_result(plain, [done.page.handle], as_json=as_json)
    if not as_json:
        print_message(_describe_result(done))
        warn_page_size(done.page)


def _describe_result(done: PageUpdate) -> str:
    page, lines = done.page, count_lines(done.page.text)
    if page.status not in SHOWN:
        return worded(
            "written, but shown to nobody: {reason}; see: twiceshy review", reason=page.reason
        )
    if done.before is None and page.tag in STABLE:
        return worded("page {name} is new, lines: {lines}", name=page.tag, lines=lines)
    if done.before is None:
        meant = next(iter(difflib.get_close_matches(page.tag, STABLE, n=1)), "")
        return worded(
            "page {name} is new, a topic beside {stable}, lines: {lines}; to take it back: twiceshy undo",
            name=page.tag,
            stable=", ".join(STABLE),
            lines=lines,
        ) + (worded("; did you mean {name}?", name=meant) if meant else "")
    if not done.is_changed:
        return worded("page {name} says this already; nothing was changed", name=page.tag)
    return worded(
        "page {name} is revision {revision} now, lines: {lines}; what it said before is "
        "kept: twiceshy history {handle}",
        name=page.tag,
        revision=page.revision,
        lines=lines,
        handle=page.handle,
    )
