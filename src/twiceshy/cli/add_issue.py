"""``twiceshy add-issue``."""

from __future__ import annotations

import click

from twiceshy.cli.adding import add_fact, label_arguments
from twiceshy.cli.options import TextCommand
from twiceshy.project.facts.items import STATES, state_of


@click.command("add-issue", cls=TextCommand)
@click.argument("content")
@click.argument("status", default="open", metavar="[STATUS]")
@label_arguments
def command(
    *, content: str, status: str, subtype: str, files: str, concepts: str, as_json: bool
) -> None:
    """Write down what is wrong; STATUS is open or resolved.

    TYPE is bugfix, performance, security, feature or other. FILES and CONCEPTS are lists with
    commas. Later: `resolve` and `reopen`.

    Example: twiceshy add-issue "Login fails on Safari" open bugfix src/login.ts auth,safari
    """
    state = state_of(status)
    if not state:
        known = ", ".join(dict.fromkeys(STATES.values()))
        raise click.UsageError(f"{status!r} is no status of an issue; one of: {known}")
    add_fact(
        "issue",
        content,
        state=state,
        subtype=subtype,
        files=files,
        concepts=concepts,
        as_json=as_json,
    )
