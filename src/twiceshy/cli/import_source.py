"""Import notes of other programs: offer sources, import them, print the result."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy import app as composition
from twiceshy.cli.opening import opened
from twiceshy.cli.options import the_project
from twiceshy.cli.output import print_json, say
from twiceshy.cli.progress import watch_list
from twiceshy.core.note import handle
from twiceshy.interop.imports.importing import Found, around, bring, found, identity_of, places_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.interop.imports import Place, Source
    from twiceshy.interop.imports.bringing import Report

_FEW = 10


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
            _print(reports, plan=plan, as_json=as_json)


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


def _print(reports: Sequence[Report], *, plan: bool, as_json: bool) -> None:
    if as_json:
        print_json([report.fields() | {"planned": plan} for report in reports])
        return
    for report in reports:
        counts = ", ".join(f"{what} {count}" for what, count in _counts(report).items())
        click.echo(f"{report.source}: {counts}")
        for line in (*_remarks(report), *_not_shown(report, plan=plan)):
            say(line)
        if report.batch:
            say(worded("to take it back: twiceshy undo b{change}", change=report.batch[-4:]))
    if plan:
        say(worded("this is a plan; nothing was changed"))


def _counts(report: Report) -> dict[str, int]:
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


def _remarks(report: Report) -> Iterator[str]:
    yield from _some(
        worded("left out {what}: {why}", what=what, why=why)
        for what, why in report.refused.items()
    )
    yield from _some(
        worded("another stands there, {what}: {why}", what=what, why=why)
        for what, why in report.conflicts.items()
    )
    yield from _some(
        worded("a secret was taken out of {what}", what=what) for what in report.secrets
    )


def _not_shown(report: Report, *, plan: bool) -> Iterator[str]:
    """Yield remarks on new notes that stay hidden, with advice."""
    few = " ".join(handle(note) for note in report.waiting[:_FEW])
    if report.waiting and plan:  # nothing goes by these names yet
        yield worded("{count} would wait until you decide", count=len(report.waiting))
    elif report.waiting:
        yield worded("not shown until you decide: twiceshy review ({few})", few=few)
    if report.retired:
        yield worded(
            "{count} are kept for search only: notes.global_max or notes.skill_max allows no more, "
            "and --project says where notes belong that name no project",
            count=report.retired,
        )


def _some(lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    yield from told[:_FEW]
    if len(told) > _FEW:
        yield worded("… and {count} more; --json lists them", count=len(told) - _FEW)


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
