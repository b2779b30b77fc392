"""``twiceshy memory-list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_scope
from twiceshy.cli.output import print_json
from twiceshy.core.filter import Filter
from twiceshy.core.moment import day
from twiceshy.core.text import clean, one_line
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.pages import STABLE
from twiceshy.notes.pages.condition import STALE, TOO_LARGE
from twiceshy.project.facts.file import FACTS
from twiceshy.project.pages.paging import last_sessions, page_facts, shown_pages
from twiceshy.project.tasks.tasks import tasks_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from twiceshy.app import App

_FILLED, _EMPTY = "✓", "○"
_MANY = 100_000
_WIDTH = 16


@click.command("memory-list")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--everywhere", "-g", is_flag=True, help="Only what holds for every project.")
@json_option
def command(*, project: str | None, everywhere: bool, as_json: bool) -> None:
    """List the pages of a project with their size, and count what else is kept for it.

    A ✓ stands before each of the three stable pages that is filled, a ○ before an empty one.

    Example: twiceshy memory-list --json
    """
    with opened() as app:
        where = the_scope(app, skill=None, project=project, everywhere=everywhere).project
        listed = _listed(app, where)
    if as_json:
        print_json(listed)
        return
    for one in listed["stable"]:
        click.echo(_line(_FILLED if one["filled"] else _EMPTY, one))
    for one in listed["topics"]:
        click.echo(_line(" ", one))
    for told in _counts(listed):
        click.echo(told)


def _listed(app: App, where: str) -> dict[str, Any]:
    """Return all that the list tells."""
    pages = [page_facts(page, app.store.now()) for page in shown_pages(app, where)]
    first: dict[str, dict[str, object]] = {}
    for one in pages:
        first.setdefault(str(one["name"]), one)
    sessions = last_sessions(app, where, limit=_MANY)
    tasks = tasks_of(app, where)
    places = projects_seen(app, where)
    stable = [
        {"name": name, "filled": name in first, **first.get(name, {"lines": 0, "bytes": 0})}
        for name in STABLE
    ]
    return {
        "stable": stable,
        "topics": [one for one in pages if one["name"] not in STABLE],
        "filled": sum(1 for one in stable if one["filled"]),
        "log": {
            "entries": len(sessions),
            "last": day(sessions[0].ended_at) if sessions else None,
        },
        "facts": {
            f"{kind}s": app.store.count(Filter(projects=places, kinds=(kind,))) for kind in FACTS
        },
        "tasks": {
            "open": sum(1 for task in tasks if task.state == "open"),
            "total": len(tasks),
        },
    }


def _line(mark: str, one: Mapping[str, Any]) -> str:
    name = f"{one_line(clean(one['name']), limit=60):<{_WIDTH}}"
    if not one["lines"]:
        return worded("{mark} {name} empty", mark=mark, name=name)
    size = worded("lines: {lines}, bytes: {bytes}", lines=one["lines"], bytes=f"{one['bytes']:,}")
    where = [worded("everywhere")] if one["everywhere"] else []
    more = "".join(f", {word}" for word in (*where, *_conditions(one["condition"])))
    return f"{mark} {name} {size}{more}"


def _conditions(said: str) -> list[str]:
    words = {STALE: worded("stale"), TOO_LARGE: worded("too large")}
    return [words[one] for one in said.split(", ") if one]


def _counts(listed: Mapping[str, Any]) -> list[str]:
    log, facts, tasks = listed["log"], listed["facts"], listed["tasks"]
    return [
        worded(
            "rolling log: sessions {entries}, the last on {day}",
            entries=log["entries"],
            day=log["last"],
        )
        if log["entries"]
        else worded("rolling log: empty"),
        worded(
            "facts: decisions {decisions}, patterns {patterns}, issues {issues}",
            decisions=facts["decisions"],
            patterns=facts["patterns"],
            issues=facts["issues"],
        ),
        worded("tasks: {open} open of {total}", open=tasks["open"], total=tasks["total"]),
        worded("stable pages: {filled}/{all}", filled=listed["filled"], all=len(STABLE)),
    ]
