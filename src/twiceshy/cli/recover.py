"""``twiceshy recover``."""

from __future__ import annotations

import click

from twiceshy.cli.sharing import share, sharing_options
from twiceshy.sync.run import Way


@click.command("recover")
@sharing_options
def command(*, plan: bool, remote: str | None, accept: bool, as_json: bool) -> None:
    """Take in what your devices pushed: on a new machine that is everything.

    What is here stays: both are merged, change by change, the later edit of a note stands, and
    `undo` takes all of it back. Rules wait until you approve of them on this machine. Pushes
    nothing; for that there are backup and sync.

    Example: twiceshy recover --remote git@example.org:me/notes.git
    """
    share(Way(give=False, plan=plan, accept=accept), remote=remote, as_json=as_json)
