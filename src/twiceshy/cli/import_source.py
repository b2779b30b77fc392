"""Import notes of other programs: offer sources, import them, print the result."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy import app as composition
from twiceshy.cli.import_view import print_reports
from twiceshy.cli.opening import opened
from twiceshy.cli.options import the_project
from twiceshy.cli.output import print_json, say
from twiceshy.cli.progress import watch_list
from twiceshy.interop.imports.importing import Found, around, bring, found, identity_of, places_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.interop.imports import Place, Source


def run(
    source: Source | None,
    path: str,
    name: str | None,
    *,
    everything: bool,
    plan: bool,
    as_json: bool,
) -> None:
    """Import from a source, or offer the sources found.

    ``name`` is the project that receives notes without a project of their own.
    """
    with opened() as app:
        project = identity_of(app, the_project(app, name), name) if name else None
        where = around(app, given=path, chosen=project)
        if source:
            chosen = [Found(source, places_of(source, where))]
        else:
            there = found(where)
            chosen = there if everything or plan else _offer(there, as_json=as_json)
        if chosen:
            reports = [
                bring(app, each, where, plan=plan, watch=watch_list, tell=say) for each in chosen
            ]
            print_reports(reports, plan=plan, as_json=as_json)


def _offer(there: Sequence[Found], *, as_json: bool) -> list[Found]:
    """List the sources found, and ask about each in a terminal."""
    if as_json:
        print_json([_listed(each) for each in there])
        return []
    for each in there:
        click.echo(f"{each.source.NAME:<18}  {_where(each.places)}")
    if not there:
        say(worded("no notes of other programs were found here"))
        return []
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        say(worded("hint: twiceshy import SOURCE --plan, or --all for all of them"))
        return []
    return [
        each
        for each in there
        if click.confirm(worded("import {name}?", name=each.source.TITLE), err=True)
    ]


def _where(places: Sequence[Place]) -> str:
    """Describe the paths of a source in one line."""
    paths = sorted({place.path for place in places})
    home = os.path.join(composition.user_home(), "")
    first = f"~/{paths[0].removeprefix(home)}" if paths[0].startswith(home) else paths[0]
    match len(paths):
        case 1:
            return first
        case 2:
            return first + worded(" and one more file")
        case count:
            return first + worded(" and {count} more files", count=count - 1)


def _listed(each: Found) -> Mapping[str, object]:
    return {
        "source": each.source.NAME,
        "title": each.source.TITLE,
        "places": [
            {
                "path": place.path,
                "project": place.project,
                "skill": place.skill or None,
                "count": place.count or None,
                "problem": place.problem or None,
            }
            for place in each.places
        ],
    }
