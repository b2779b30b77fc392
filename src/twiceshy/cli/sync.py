"""``twiceshy sync``."""

from __future__ import annotations

import click

from twiceshy.cli.sharing import share, sharing_options
from twiceshy.sync.run import Way


@click.command("sync")
@sharing_options
def command(*, plan: bool, remote: str | None, accept: bool, as_json: bool) -> None:
    """Take in what your other devices pushed, and push what this one learned.

    The repository is one of yours that git can reach without asking; an empty one will do. Each
    device writes files of its own, so nothing has to be merged by hand. sync.after_sessions backs
    up by itself after sessions.

    Example: twiceshy sync --plan
    """
    share(Way(plan=plan, accept=accept), remote=remote, as_json=as_json)
