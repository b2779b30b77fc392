"""``twiceshy diary``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import open_app
from twiceshy.cli.options import json_option, project_option, resolve_project
from twiceshy.cli.output import print_json
from twiceshy.project.diary import write_diary
from twiceshy.project.local_day import format_local_day


@click.command("diary")
@click.argument("day", required=False, metavar="[DAY]")
@click.option("--add", default="", metavar="TEXT", help="Add a remark for next time.")
@project_option
@json_option
def command(*, day: str | None, add: str, project: str | None, as_json: bool) -> None:
    """Write and print the diary of a day in this project (under 30 lines).

    The diary is built from the sessions and notes of that day in your local time. Running the
    command again updates the page; your additions stay.

    Example: twiceshy diary --add "The release notes still lack the fix"
    """
    with open_app() as app:
        episode = write_diary(app, resolve_project(app, project), day or "", add=add)
    if as_json:
        fields = {"id": episode.id, "project": episode.project}
        told = {"day": format_local_day(episode.started_at), "added": list(episode.requests)}
        print_json({**fields, **told, "page": episode.summary})
        return
    click.echo(episode.summary, nl=False)
