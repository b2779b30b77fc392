"""Import notes of other programs: offer sources, import them, print the result."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import click

from twiceshy import app as composition
from twiceshy.cli.import_view import print_reports
from twiceshy.cli.options import open_app, resolve_project
from twiceshy.cli.output import print_json, print_message, print_worded
from twiceshy.cli.progress import show_list_progress
from twiceshy.interop.imports import ImportPlace, ImportSource
from twiceshy.interop.imports.find_sources import (
    FoundSource,
    build_context,
    find_sources,
    identify_named,
    import_found,
    list_source_places,
)
from twiceshy.wording import worded


def import_from_source(
    source: ImportSource | None,
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
    with open_app() as app:
        project = identify_named(app, resolve_project(app, name), name) if name else None
        where = build_context(app, given=path, chosen=project)
        if source:
            chosen = [FoundSource(source, list_source_places(source, where))]
        else:
            there = find_sources(where)
            chosen = there if everything or plan else _offer_sources(there, as_json=as_json)
        if chosen:
            reports = [
                import_found(
                    app, each, where, plan=plan, watch=show_list_progress, tell=print_message
                )
                for each in chosen
            ]
            print_reports(reports, plan=plan, as_json=as_json)


def _offer_sources(there: Sequence[FoundSource], *, as_json: bool) -> list[FoundSource]:
    """List the sources found, and ask about each in a terminal."""
    if as_json:
        print_json([_source_to_json(each) for each in there])
        return []
    for each in there:
        click.echo(f"{each.source.NAME:<18}  {_describe_places(each.places)}")
    if not there:
        print_worded("no notes of other programs were found here")
        return []
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print_worded("hint: twiceshy import SOURCE --plan, or --all for all of them")
        return []
    return [
        each
        for each in there
        if click.confirm(worded("import {name}?", name=each.source.TITLE), err=True)
    ]


def _describe_places(places: Sequence[ImportPlace]) -> str:
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


def _source_to_json(each: FoundSource) -> Mapping[str, object]:
    return {
        "source": each.source.NAME,
        "title": each.source.TITLE,
        "places": [
            {
                "path": place.path,
                "project": place.project_id,
                "skill": place.skill or None,
                "count": place.count or None,
                "problem": place.problem or None,
            }
            for place in each.places
        ],
    }
