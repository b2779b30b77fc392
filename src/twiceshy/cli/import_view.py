"""Print what became of an import of other programs' notes."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.cli.output import first_few, name_object, print_json, print_messages, print_worded
from twiceshy.interop.imports.import_run import ImportReport
from twiceshy.wording import worded


def print_reports(reports: Sequence[ImportReport], *, plan: bool, as_json: bool) -> None:
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
