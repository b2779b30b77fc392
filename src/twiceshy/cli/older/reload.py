"""``twiceshy reload``."""

from collections.abc import Sequence

import click

from twiceshy.cli.older.pages import warn_hub_size
from twiceshy.cli.options import json_option, open_app, project_option, resolve_project
from twiceshy.cli.output import format_note, notes_json, print_json, print_worded
from twiceshy.core.errors import NotFoundError
from twiceshy.core.note import Note
from twiceshy.core.text import strip_unsafe
from twiceshy.project.pages.project_pages import (
    ProjectContent,
    TopicContent,
    load_project,
    load_topic,
)
from twiceshy.wording import worded


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
    with open_app(for_agents=True) as app:
        where = resolve_project(app, project)
        if about is None:
            _print_everything(load_project(app, where), as_json=as_json)
        else:
            _print_topic(load_topic(app, about, where), about, as_json=as_json)


def _print_everything(read: ProjectContent, *, as_json: bool) -> None:
    if as_json:
        tasks, pages = notes_json(read.tasks), notes_json(read.pages)
        print_json({"hub": read.hub.text, "tasks": tasks, "pages": pages, "changed": read.changed})
    else:
        click.echo(read.hub.text, nl=False)
        for task in read.tasks:
            click.echo(f"- [ ] {task.handle} {' '.join(strip_unsafe(task.text).split())}")
        _print_pages(read.pages)
    warn_hub_size(read.hub)
    counts = {"lines": len(read.hub.lines), "tasks": len(read.tasks), "pages": len(read.pages)}
    print_worded("read: MEMORY.md, lines: {lines}; open tasks: {tasks}; pages: {pages}", **counts)
    if (more := read.changed - len(read.pages)) > 0:
        print_worded("{count} more pages changed; see: twiceshy memory-list", count=more)


def _print_topic(read: TopicContent, about: str, *, as_json: bool) -> None:
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
            click.echo(format_note(note))
    print_worded("read: pages: {pages}; notes: {notes}", pages=len(pages), notes=len(read.notes))


def _print_pages(pages: Sequence[Note]) -> None:
    for page in pages:
        click.echo(f"\n---- {strip_unsafe(page.tag)} ----\n\n{strip_unsafe(page.text)}")
