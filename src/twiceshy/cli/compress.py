"""``twiceshy compress``."""

from collections.abc import Iterator

import click

from twiceshy.cli.options import json_option, open_app, resolve_project
from twiceshy.cli.output import print_page, print_result, print_worded
from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import parse_day
from twiceshy.project.episodes.archive import render_archive
from twiceshy.upkeep.compress import CompressReport, compress_home, list_archives
from twiceshy.wording import worded

_KILO = 1024
_SHOWN = 5  # files that are named


@click.command("compress")
@click.option("--plan", is_flag=True, help="Show the planned changes; change nothing.")
@click.option(
    "--as-file", "month", metavar="MONTH", help="Print the archive of a month, such as 2026-09."
)
@click.option("--project", metavar="P", help="With --as-file: the project; default: here.")
@json_option
def command(*, plan: bool, month: str | None, project: str | None, as_json: bool) -> None:
    """Fold old sessions into monthly archives, and prune old records.

    A project keeps its newest 30 session summaries, each for 30 days; search finds archived
    sessions as well. Notes, their history and your own texts stay. The retention settings define
    how long each kind of record is kept. With --as-file, print the archive of a month as a file of
    memory-keeper, and change nothing.

    Example: twiceshy compress --plan
    """
    if month is not None:
        _print_archive(month, project, as_json=as_json)
        return
    if project:
        raise click.UsageError("--project needs --as-file: all projects are compressed together")
    with open_app() as app:
        done = compress_home(app, plan=plan)
    if plan and not done.is_empty and not as_json:
        print_worded("nothing was changed; this would be done:")
    plain = {"planned": plan, **done.fields(), "pruned": dict(done.pruned)}
    print_result(plain, _format_report(done), as_json=as_json)


def _format_report(done: CompressReport) -> Iterator[str]:
    if done.is_empty:
        yield worded("there is nothing to compress")
    if done.folded:
        yield worded(
            "{count} summaries of sessions into {archives} archives",
            count=done.folded,
            archives=done.archives,
        )
    if done.outlived:
        yield worded("{count} archives whose time is over removed", count=done.outlived)
    if done.pruned:
        count = sum(done.pruned.values())
        tables = ", ".join(f"{table} {rows}" for table, rows in sorted(done.pruned.items()))
        yield worded("{count} rows pruned: {tables}", count=count, tables=tables)
    if done.swept:
        named = ", ".join(done.swept[:_SHOWN]) + (", …" if len(done.swept) > _SHOWN else "")
        yield worded("{count} files removed: {named}", count=len(done.swept), named=named)
    if done.freed:
        yield worded("{count} kilobytes given back", count=done.freed // _KILO)


def _print_archive(month: str, project: str | None, *, as_json: bool) -> None:
    try:
        parse_day(month)
    except ValueError:
        raise click.BadParameter(f"{month!r} is no month; write it like 2026-09") from None
    with open_app() as app:
        same = app.store.list_project_ids(resolve_project(app, project))
        archives = list_archives(app.store, month=month[:7], projects=same)
    if not archives:
        raise NotFoundError(
            f"nothing of {month[:7]} is in an archive here",
            hint="see: twiceshy episodes; twiceshy compress folds what is old",
        )
    page = render_archive(archives)
    print_page({"name": f"{month[:7]}.md", "text": page}, page, as_json=as_json)
