"""``twiceshy memory-get``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_scope
from twiceshy.cli.output import note_json, print_json, say
from twiceshy.core.text import clean
from twiceshy.notes.pages import HUB, is_hub, page_name
from twiceshy.project.pages.paging import hub_of, page_facts, shown_pages, the_page
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.project.pages.hub import Hub


@click.command("memory-get")
@click.argument("name", required=False)
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--everywhere", "-g", is_flag=True, help="Only what holds for every project.")
@json_option
def command(*, name: str | None, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Print the page NAME; without one, how each page begins. `index` is MEMORY.md, the hub.

    Example: twiceshy memory-get conventions
    """
    with opened() as app:
        where = the_scope(app, skill=None, project=project, everywhere=everywhere).project
        if name is None:
            _preview(app, where, as_json=as_json)
        elif is_hub(page_name(name)):
            _hub(hub_of(app, where), as_json=as_json)
        else:
            page = the_page(app, name, where)
            if as_json:
                print_json(note_json(page) | page_facts(page, app.store.now()))
            else:
                click.echo(clean(page.text))


def warn_of_hub(made: Hub) -> None:
    """Say that a hub is nearly full, or that it could not name every topic."""
    if made.folded:
        say(
            worded(
                "MEMORY.md is full: {count} topics have no line of their own", count=made.folded
            )
        )
    elif made.crowded:
        say(worded("MEMORY.md has {lines} lines; merge or retire topics", lines=len(made.lines)))


def _hub(made: Hub, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {"name": HUB, "text": made.text, "lines": len(made.lines), "folded": made.folded}
        )
    else:
        click.echo(made.text, nl=False)
    warn_of_hub(made)


def _preview(app: App, where: str, *, as_json: bool) -> None:
    facts = [page_facts(page, app.store.now()) for page in shown_pages(app, where)]
    if as_json:
        print_json(facts)
        return
    for one in facts:
        click.echo(
            worded(
                "{name}  lines: {lines}  {preview}",
                name=f"{one['name']:<16}",
                lines=f"{one['lines']:<4}",
                preview=one["preview"],
            )
        )
    if not facts:
        say(worded('no pages yet; the first one: twiceshy memory-set project "…"'))
