"""``twiceshy memory-list``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.cli.older.page_view import translate_conditions
from twiceshy.cli.opening import open_app
from twiceshy.cli.options import json_option, project_option, resolve_scope
from twiceshy.cli.output import flatten_text, print_result
from twiceshy.notes.pages import STABLE
from twiceshy.project.pages.project_pages import list_memory
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FILLED, _EMPTY = "✓", "○"
_WIDTH = 16


@click.command("memory-list")
@project_option
@click.option("--everywhere", "-g", is_flag=True, help="Only global pages.")
@json_option
def command(*, as_json: bool, **where: Any) -> None:
    """List the pages of a project with their sizes, and count other records.

    A ✓ marks each of the three stable pages that has text, a ○ an empty one.

    Example: twiceshy memory-list --json
    """
    with open_app() as app:
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
