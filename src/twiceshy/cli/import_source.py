"""Import notes of other programs: offer sources, import them, print the result."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import click

from twiceshy import app as composition
from twiceshy.cli.options import open_app, resolve_project
from twiceshy.cli.output import (
    first_few,
    flatten_text,
    name_object,
    print_json,
    print_message,
    print_messages,
    print_worded,
)
from twiceshy.cli.person import confirm_person
from twiceshy.cli.progress import show_list_progress
from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports import ImportPlace, ImportSource
from twiceshy.interop.imports import find_sources as sources
from twiceshy.interop.imports.find_sources import FoundSource
from twiceshy.interop.imports.import_run import ImportReport
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
            _print_reports(reports, plan=plan, as_json=as_json)


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


def _print_reports(reports: Sequence[ImportReport], *, plan: bool, as_json: bool) -> None:
    """Print what became of imports."""
    if as_json:
        print_json([report.fields() | {"planned": plan} for report in reports])
        return
    for report in reports:
        counts = ", ".join(f"{what} {count}" for what, count in _count_results(report).items())
        click.echo(f"{report.source}: {counts}")
        print_messages((*_list_remarks(report), *_list_hidden_notes(report, plan=plan)))
        if report.batch:
            print_worded("to take it back: twiceshy undo b{change}", change=report.batch[-4:])
    if plan:
        print_worded("this is a plan; nothing was changed")


def _count_results(report: ImportReport) -> dict[str, int]:
    """Count the results: offered and new always, the rest only above zero."""
    always = {worded("offered"): report.offered, worded("new"): len(report.imported)}
    rest = {
        worded("merged"): len(report.merged),
        worded("known"): report.known,
        worded("episodes"): report.episodes,
        worded("signals"): report.signals,
        worded("use of skills"): report.counts,
        worded("waiting"): len(report.waiting),
        worded("over the cap"): report.retired,
        worded("redacted"): len(report.secrets),
        worded("conflicts"): len(report.conflicts),
        worded("refused"): len(report.refused),
    }
    return always | {what: count for what, count in rest.items() if count}


def _list_remarks(report: ImportReport) -> Iterator[str]:
    yield from first_few(
        worded("left out {what}: {why}", what=what, why=why)
        for what, why in report.refused.items()
    )
    yield from first_few(
        worded("conflict with the content here, {what}: {why}", what=what, why=why)
        for what, why in report.conflicts.items()
    )
    yield from first_few(
        worded("a secret was taken out of {what}", what=what) for what in report.secrets
    )


def _list_hidden_notes(report: ImportReport, *, plan: bool) -> Iterator[str]:
    """Yield remarks on new notes that stay hidden, with advice."""
    names = ("" if plan else f"{name_object(each)}, " for each in report.waiting)  # none in a plan
    told = (name + where for name, where in zip(names, report.waiting.values(), strict=True))
    yield from first_few(worded("held back {where}", where=where) for where in told)
    if report.waiting and plan:
        yield worded("{count} would wait until you decide", count=len(report.waiting))
    elif report.waiting:
        yield worded("agents are not told these until you decide: twiceshy review")
    if report.retired:
        yield worded(
            "{count} are kept for search only: notes.global_max or notes.skill_max allows no more, "
            "and --project says where notes belong that name no project",
            count=report.retired,
        )
