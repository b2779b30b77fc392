"""``twiceshy checkpoint``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NoteError
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean
from twiceshy.interop.checkpoints import checkpoint
from twiceshy.interop.skill_notes import skill_named
from twiceshy.notes.write import bounds_of

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.evidence import Signal

_MOST = 10_000


@click.command("checkpoint")
@click.option("--skill", required=True, metavar="S", help="The skill it is about.")
@click.option("--note", "text", required=True, metavar="TEXT", help="What to write down.")
@json_option
def command(*, skill: str, text: str, as_json: bool) -> None:
    """Write something down in passing; what it teaches is decided later, by flush.

    Nobody is told about it before. Prints the checkpoint's id; `show --skill S --checkpoints` lists
    all of them. Secrets are taken out before it is written.

    Example: twiceshy checkpoint --skill release --note "The tag was on an old commit again"
    """
    name = skill_named(skill)
    raw = clean(text)
    if not raw:
        raise NoteError("the checkpoint is empty", hint='say what happened: --note "…"')
    with opened() as app:
        longest = bounds_of(app.config).longest
        if len(raw) > longest:
            raise NoteError(
                f"the checkpoint has {len(raw):,} characters; {longest:,} is the most",
                hint="write down less at a time, or keep it in a file and flush that",
            )
        store = app.store
        made = checkpoint(app.redact(raw), skill=name, name=store.new_id(), at=store.now())
        acknowledged = store.capture(made)
    if as_json:
        print_json({"id": made.key, "skill": name, "note": made.excerpt, "kept": acknowledged})
        return
    click.echo(made.key)
    say("written down" if acknowledged == "stored" else "the store is busy; kept beside it")


def checkpoints_of(app: App, skill: str) -> list[Signal]:
    """Return what was written down about a skill, the oldest first."""
    newest = app.store.signals_of(EVERYWHERE, "checkpoint", limit=_MOST)
    return [one for one in reversed(newest) if one.skill == skill]
