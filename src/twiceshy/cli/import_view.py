"""Reports of imports from other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from twiceshy.cli.output import first_few, print_json, print_message, print_worded
from twiceshy.core.note import short_handle
from twiceshy.interop.imports.import_run import ImportReport
from twiceshy.wording import worded

_FEW = 10


def print_reports(reports: Sequence[ImportReport], *, plan: bool, as_json: bool) -> None:
    """Print what became of imports."""
    if as_json:
        print_json([report.fields() | {"planned": plan} for report in reports])
        return
    for report in reports:
        counts = ", ".join(f"{what} {count}" for what, count in _count_results(report).items())
        click.echo(f"{report.source}: {counts}")
        for line in (*_list_remarks(report), *_list_hidden_notes(report, plan=plan)):
            print_message(line)
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
        worded("another stands there, {what}: {why}", what=what, why=why)
        for what, why in report.conflicts.items()
    )
    yield from first_few(
        worded("a secret was taken out of {what}", what=what) for what in report.secrets
    )


def _list_hidden_notes(report: ImportReport, *, plan: bool) -> Iterator[str]:
    """Yield remarks on new notes that stay hidden, with advice."""
    few = " ".join(short_handle(note) for note in report.waiting[:_FEW])
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
