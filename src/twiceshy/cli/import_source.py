"""Import notes of other programs: offer sources, import them, print the result."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import click

from twiceshy import app as composition
from twiceshy.cli.import_view import print_reports
from twiceshy.cli.options import open_app, resolve_project
from twiceshy.cli.output import (
    flatten_text,
    print_json,
    print_message,
    print_worded,
)
from twiceshy.cli.person import confirm_person
from twiceshy.cli.progress import show_list_progress
from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports import ImportPlace, ImportSource
from twiceshy.interop.imports import find_sources as sources
from twiceshy.interop.imports.find_sources import FoundSource
from twiceshy.notes.person import PersonNeededError, person_confirmed
from twiceshy.wording import worded

_FEW = 10
_LONGEST_RULE = 200


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
        project = sources.identify_named(app, resolve_project(app, name), name) if name else None
        where = sources.build_context(app, given=path, chosen=project)
        if source:
            chosen = [FoundSource(source, sources.list_source_places(source, where))]
        else:
            there = sources.find_sources(where)
            chosen = there if everything or plan else _offer_sources(there, as_json=as_json)
        if chosen:
            rules = () if plan else tuple(sources.list_own_rules(app, chosen, where))
            with _confirm_rules(rules):
                reports = [
                    sources.import_found(
                        app, each, where, plan=plan, watch=show_list_progress, tell=print_message
                    )
                    for each in chosen
                ]
            print_reports(reports, plan=plan, as_json=as_json)


def _confirm_rules(rules: Sequence[str]) -> AbstractContextManager[None]:
    """Ask the person at a terminal whether rules of an imported notebook hold; else they wait."""
    if not rules:
        return nullcontext()
    about = [*(flatten_text(rule, limit=_LONGEST_RULE) for rule in rules[:_FEW])]
    about += [worded("and {count} more", count=len(rules) - _FEW)] if len(rules) > _FEW else []
    try:
        confirm_person(PersonNeededError("sign", about))
    except TwiceshyError:
        print_worded("{count} rules of your notebook wait: twiceshy review", count=len(rules))
        return nullcontext()
    return person_confirmed()


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
    more = {1: "", 2: worded(" and one more file")}
    return first + more.get(len(paths), worded(" and {count} more files", count=len(paths) - 1))


def _source_to_json(each: FoundSource) -> Mapping[str, object]:
    return {
        "source": each.source.NAME,
        "title": each.source.TITLE,
        "places": [
            {"path": place.path, "project": place.project_id}
            | {name: getattr(place, name) or None for name in ("skill", "count", "problem")}
            for place in each.places
        ],
    }
