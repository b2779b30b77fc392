"""``twiceshy reload``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.older.page_view import say_hub_size
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, the_project
from twiceshy.cli.output import line, notes_json, print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.core.text import clean
from twiceshy.project.reloading import everything, topic
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.reloading import Everything, Topic


@click.command("reload")
@click.argument("about", required=False, metavar="[TOPIC]")
@project_option
@json_option
def command(*, about: str | None, project: str | None, as_json: bool) -> None:
    """Print the project memory: MEMORY.md, open tasks, and recent pages.

    Prints at most three pages that changed in the last 24 hours. With TOPIC: only the page of that
    name, and the notes with that tag or concept. Writes nothing.

    Example: twiceshy reload deploy
    """
    with opened() as app:
        where = the_project(app, project)
        if about is None:
            _print_everything(everything(app, where), as_json=as_json)
        else:
            _print_topic(topic(app, about, where), about, as_json=as_json)


def _print_everything(read: Everything, *, as_json: bool) -> None:
    if as_json:
        tasks, pages = notes_json(read.tasks), notes_json(read.pages)
        print_json({"hub": read.hub.text, "tasks": tasks, "pages": pages, "changed": read.changed})
    else:
        click.echo(read.hub.text, nl=False)
        for task in read.tasks:
            click.echo(f"- [ ] {task.handle} {' '.join(clean(task.text).split())}")
        _print_pages(read.pages)
    say_hub_size(read.hub)
    counts = {"lines": len(read.hub.lines), "tasks": len(read.tasks), "pages": len(read.pages)}
    say(worded("read: MEMORY.md, lines: {lines}; open tasks: {tasks}; pages: {pages}", **counts))
    if (more := read.changed - len(read.pages)) > 0:
        say(worded("{count} more pages changed; see: twiceshy memory-list", count=more))


def _print_topic(read: Topic, about: str, *, as_json: bool) -> None:
    pages = [read.page] if read.page else []
    if not pages and not read.notes:
        raise NotFoundError(
            worded("nothing is kept about {topic!r} here", topic=about),
            hint="twiceshy memory-list, twiceshy search",
        )
    if as_json:
        print_json({"pages": notes_json(pages), "notes": notes_json(read.notes)})
    else:
        _print_pages(pages)
        for note in read.notes:
            click.echo(line(note))
    say(worded("read: pages: {pages}; notes: {notes}", pages=len(pages), notes=len(read.notes)))


def _print_pages(pages: Sequence[Note]) -> None:
    for page in pages:
        click.echo(f"\n---- {clean(page.tag)} ----\n\n{clean(page.text)}")
