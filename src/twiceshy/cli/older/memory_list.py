"""``twiceshy memory-list``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.cli.older.page_view import condition_words
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, the_scope
from twiceshy.cli.output import flat, show
from twiceshy.notes.pages import STABLE
from twiceshy.project.pages.inventory import list_memory
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FILLED, _EMPTY = "✓", "○"
_WIDTH = 16


@click.command("memory-list")
@project_option
@click.option("--everywhere", "-g", is_flag=True, help="Only what holds for every project.")
@json_option
def command(*, as_json: bool, **where: Any) -> None:
    """List the pages of a project with their sizes, and count other records.

    A ✓ marks each of the three stable pages that has text, a ○ an empty one.

    Example: twiceshy memory-list --json
    """
    with opened() as app:
        listed = list_memory(app, the_scope(app, skill=None, **where).project)
    show(listed, _lines(listed), as_json=as_json)


def _lines(listed: Mapping[str, Any]) -> Iterator[str]:
    for one in listed["stable"]:
        yield _line(_FILLED if one["filled"] else _EMPTY, one)
    for one in listed["topics"]:
        yield _line(" ", one)
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


def _line(mark: str, one: Mapping[str, Any]) -> str:
    name = f"{flat(one['name'], limit=60):<{_WIDTH}}"
    if not one["lines"]:
        return worded("{mark} {name} empty", mark=mark, name=name)
    size = worded("lines: {lines}, bytes: {bytes}", lines=one["lines"], bytes=f"{one['bytes']:,}")
    where = [worded("everywhere")] if one["everywhere"] else []
    wrong = condition_words(filter(None, one["condition"].split(", ")))
    return f"{mark} {name} {size}" + "".join(f", {word}" for word in (*where, *wrong))
