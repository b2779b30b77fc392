"""``twiceshy memory-get``."""

from __future__ import annotations

from typing import Any

import click

from twiceshy.app import App
from twiceshy.cli.older.page_view import warn_hub_size
from twiceshy.cli.options import json_option, open_app, place_options, resolve_scope
from twiceshy.cli.output import note_json, print_json, print_result
from twiceshy.core.text import strip_unsafe
from twiceshy.notes.pages import HUB, is_hub, page_name
from twiceshy.project.pages.project_pages import (
    build_project_hub,
    describe_page,
    get_page,
    list_shown_pages,
)
from twiceshy.wording import worded


@click.command("memory-get")
@click.argument("name", required=False)
@place_options("Only global pages.")
@json_option
def command(*, name: str | None, as_json: bool, **where: Any) -> None:
    """Print the page NAME, or the first lines of every page.

    `index` prints MEMORY.md, the hub.

    Example: twiceshy memory-get conventions
    """
    with open_app() as app:
        project = resolve_scope(app, skill=None, **where).project
        if name is None:
            _print_previews(app, project, as_json=as_json)
        elif is_hub(page_name(name)):
            _print_hub(app, project, as_json=as_json)
        else:
            page = get_page(app, name, project)
            plain = note_json(page) | describe_page(page, app.store.now())
            print_result(plain, [strip_unsafe(page.text)], as_json=as_json)


def _print_hub(app: App, project: str, *, as_json: bool) -> None:
    made = build_project_hub(app, project)
    if as_json:
        size = {"lines": len(made.lines), "folded": made.folded}
        print_json({"name": HUB, "text": made.text, **size})
    else:
        click.echo(made.text, nl=False)
    warn_hub_size(made)


def _print_previews(app: App, project: str, *, as_json: bool) -> None:
    facts = [describe_page(page, app.store.now()) for page in list_shown_pages(app, project)]
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
    print_result(facts, lines, talk=() if facts else (none,), as_json=as_json)
