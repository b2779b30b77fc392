"""memory-keeper's verbs that show pages, ``memory-get`` and ``memory-list``, and warnings on pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app, place_options, resolve_scope
from twiceshy.cli.output import flatten_text, note_json, print_page, print_result, print_worded
from twiceshy.core.note import Note
from twiceshy.core.text import strip_unsafe
from twiceshy.notes.pages import (
    HUB,
    LARGEST,
    STABLE,
    STALE,
    TOO_LARGE,
    WARN,
    count_lines,
    is_hub,
    page_name,
)
from twiceshy.project.pages.hub import HubPage
from twiceshy.project.pages.project_pages import (
    build_project_hub,
    describe_page,
    get_page,
    list_memory,
    list_shown_pages,
)
from twiceshy.wording import worded

_FILLED, _EMPTY = "✓", "○"
_WIDTH = 16


@click.command("memory-get")
@click.argument("name", required=False)
@place_options("Only global pages.")
@json_option
def memory_get(*, name: str | None, as_json: bool, **where: Any) -> None:
    """Print the page NAME, or the first lines of every page.

    `index` prints MEMORY.md, the hub.

    Example: twiceshy memory-get conventions
    """
    with open_app(for_agents=True) as app:
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
    size = {"lines": len(made.lines), "folded": made.folded}
    print_page({"name": HUB, "text": made.text, **size}, made.text, as_json=as_json)
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


@click.command("memory-list")
@place_options("Only global pages.")
@json_option
def memory_list(*, as_json: bool, **where: Any) -> None:
    """List the pages of a project with their sizes, and count other records.

    A ✓ marks each of the three stable pages that has text, a ○ an empty one.

    Example: twiceshy memory-list --json
    """
    with open_app(for_agents=True) as app:
        listed = list_memory(app, resolve_scope(app, skill=None, **where).project)
    print_result(listed, _format_list(listed), as_json=as_json)


def _format_list(listed: Mapping[str, Any]) -> Iterator[str]:
    for one in listed["stable"]:
        yield _format_page(_FILLED if one["filled"] else _EMPTY, one)
    for one in listed["topics"]:
        yield _format_page(" ", one)
    log = listed["log"]
    if log["entries"]:
        yield worded(
            "rolling log: sessions {entries}, the last on {day}",
            entries=log["entries"],
            day=log["last"],
        )
    else:
        yield worded("rolling log: empty")
    yield worded(
        "facts: decisions {decisions}, patterns {patterns}, issues {issues}", **listed["facts"]
    )
    yield worded("tasks: {open} open of {total}", **listed["tasks"])
    yield worded("stable pages: {filled}/{all}", filled=listed["filled"], all=len(STABLE))


def _format_page(mark: str, one: Mapping[str, Any]) -> str:
    name = f"{flatten_text(one['name'], limit=60):<{_WIDTH}}"
    if not one["lines"]:
        return worded("{mark} {name} empty", mark=mark, name=name)
    size = worded("lines: {lines}, bytes: {bytes}", lines=one["lines"], bytes=f"{one['bytes']:,}")
    where = [worded("everywhere")] if one["everywhere"] else []
    wrong = translate_conditions(filter(None, one["condition"].split(", ")))
    return f"{mark} {name} {size}" + "".join(f", {word}" for word in (*where, *wrong))


def translate_conditions(conditions: Iterable[str]) -> list[str]:
    """Return the translated words for the problems of a page."""
    words = {STALE: worded("stale"), TOO_LARGE: worded("too large")}
    return [words[one] for one in conditions]


def warn_page_size(page: Note) -> None:
    """Warn about a page close to or above the size limit."""
    lines = count_lines(page.text)
    if lines > WARN:
        print_worded(
            "page {name} has {lines} lines, and beyond {most} it is too large; split it: "
            "twiceshy memory-set TOPIC",
            name=page.tag,
            lines=lines,
            most=LARGEST,
        )


def warn_hub_size(made: HubPage) -> None:
    """Warn about a hub that is nearly full or omits topics."""
    if made.folded:
        print_worded(
            "MEMORY.md is full: {count} topics have no line of their own", count=made.folded
        )
    elif made.is_crowded:
        print_worded("MEMORY.md has {lines} lines; merge or retire topics", lines=len(made.lines))
