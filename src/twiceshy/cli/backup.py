"""``twiceshy backup``."""

from __future__ import annotations

import click

from twiceshy.cli.options import yes_option
from twiceshy.cli.sharing import share, sharing_options
from twiceshy.sync.run import Way
from twiceshy.wording import worded


@click.command("backup")
@sharing_options
@click.option(
    "--purge", is_flag=True, help="Rewrite the remote's history without forgotten texts."
)
@yes_option
def command(
    *, plan: bool, remote: str | None, accept: bool, as_json: bool, purge: bool, yes: bool
) -> None:
    """Commit what was learned and push it to a git repository of yours.

    Takes nothing in; for that there are recover and sync. Everything is scanned for secrets once
    more. A note that was forgotten leaves the files at once; with --purge it leaves the history
    as well, also that of other devices, which accept it when they sync next.

    Example: twiceshy backup --remote git@example.org:me/notes.git
    """
    if purge and not (yes or plan):
        click.confirm(worded("Rewrite the history of the remote?"), abort=True, err=True)
    # nothing may be written anew that this device has not taken in
    way = Way(take=purge, give=True, plan=plan, purge=purge, accept=accept)
    share(way, remote=remote, as_json=as_json)
