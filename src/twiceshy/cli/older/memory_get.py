"""``twiceshy memory-get``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.cli.older.page_view import say_hub_size
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, the_scope
from twiceshy.cli.output import note_json, print_json, show
from twiceshy.core.text import clean
from twiceshy.notes.pages import HUB, is_hub, page_name
from twiceshy.project.pages.paging import hub_of, page_facts, shown_pages, the_page
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App


@click.command("memory-get")
@click.argument("name", required=False)
@project_option
@click.option("--everywhere", "-g", is_flag=True, help="Only what holds for every project.")
@json_option
def command(*, name: str | None, as_json: bool, **where: Any) -> None:
    """Print the page NAME, or the first lines of every page.

    `index` prints MEMORY.md, the hub.

    Example: twiceshy memory-get conventions
    """
    with opened() as app:
        project = the_scope(app, skill=None, **where).project
        if name is None:
            _print_previews(app, project, as_json=as_json)
        elif is_hub(page_name(name)):
            _print_hub(app, project, as_json=as_json)
        else:
            page = the_page(app, name, project)
            plain = note_json(page) | page_facts(page, app.store.now())
            show(plain, [clean(page.text)], as_json=as_json)


def _print_hub(app: App, project: str, *, as_json: bool) -> None:
    made = hub_of(app, project)
    if as_json:
        size = {"lines": len(made.lines), "folded": made.folded}
        print_json({"name": HUB, "text": made.text, **size})
    else:
        click.echo(made.text, nl=False)
    say_hub_size(made)


def _print_previews(app: App, project: str, *, as_json: bool) -> None:
    facts = [page_facts(page, app.store.now()) for page in shown_pages(app, project)]
    lines = (
        worded(
            "{name}  lines: {lines}  {preview}",
            name=f"{one['name']:<16}",
            lines=f"{one['lines']:<4}",
            preview=one["preview"],
        )
        for one in facts
    )
    none = worded('no pages yet; the first one: twiceshy memory-set project "…"')
    show(facts, lines, talk=() if facts else (none,), as_json=as_json)
