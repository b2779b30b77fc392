"""``twiceshy add-pattern``."""

from __future__ import annotations

import click

from twiceshy.cli.adding import add_fact, label_arguments
from twiceshy.cli.options import TextCommand


@click.command("add-pattern", cls=TextCommand)
@click.argument("content")
@label_arguments
def command(*, content: str, subtype: str, files: str, concepts: str, as_json: bool) -> None:
    """Write down how things are done here, or should not be.

    TYPE is convention, best-practice, anti-pattern or other. FILES and CONCEPTS are lists with
    commas.

    Example: twiceshy add-pattern "Errors carry a hint" convention src/errors.py errors
    """
    add_fact("pattern", content, subtype=subtype, files=files, concepts=concepts, as_json=as_json)
