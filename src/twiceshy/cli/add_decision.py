"""``twiceshy add-decision``."""

from __future__ import annotations

import click

from twiceshy.cli.adding import add_fact, label_arguments
from twiceshy.cli.options import TextCommand


@click.command("add-decision", cls=TextCommand)
@click.argument("content")
@click.argument("reason", default="", metavar="[REASON]")
@label_arguments
def command(
    *, content: str, reason: str, subtype: str, files: str, concepts: str, as_json: bool
) -> None:
    """Write down what was decided, and why.

    TYPE is architecture, technology, approach or other. FILES and CONCEPTS are lists with commas.

    Example: twiceshy add-decision "Postgres over MySQL" "partial indexes" technology db/schema.sql storage
    """
    add_fact(
        "decision",
        content,
        why=reason,
        subtype=subtype,
        files=files,
        concepts=concepts,
        as_json=as_json,
    )
