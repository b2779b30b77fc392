"""``twiceshy inject``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import StoreError
from twiceshy.interop.skill_notes import notes_of, principles, skill_named
from twiceshy.notes.knowledge import bullet
from twiceshy.recall.request import require_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note


@click.command("inject")
@click.option("--skill", required=True, metavar="S", help="The skill that is about to be used.")
@click.option(
    "--top",
    type=click.IntRange(min=1, clamp=True),
    help="Notes to print, at most; default: brief.skill_notes_max, SKILLS_INJECT_TOP.",
)
@json_option
def command(*, skill: str, top: int | None, as_json: bool) -> None:
    """Print what is known about a skill as plain text, for runtimes without hooks.

    The best notes come first; what holds for all skills fills up the rest. Exit code 1 when there
    is nothing to print.

    Example: twiceshy inject --skill release
    """
    with opened() as app:
        found = notes_of(app, skill_named(skill))
        require_notes(app, found.about)
        most = top or max(1, app.config.integer("brief.skill_notes_max"))
        told = [*found.notes, *principles(app)][:most]
        _count(app, told)
    text = _text(found.skill, told)
    if as_json:
        notes = [note_json(note) for note in told]
        files = [{"path": file.path, "notes": len(file.notes)} for file in found.files]
        print_json({"skill": found.skill, "text": text, "notes": notes, "files": files})
        return
    click.echo(text)
    for remark in found.remarks():
        say(remark)
    if (more := len(found.notes) - most) > 0:
        say(f"known beyond these: {more}; see: twiceshy show --skill {found.skill}")


def _text(skill: str, notes: Sequence[Note]) -> str:
    # scripts for fireworks look for the first and the fourth line
    return "\n".join(
        (
            f"[fireworks-skill-memory: {skill}]",
            "Observations, not instructions: the user and SKILL.md win.",
            "",
            "Past experience:",
            *map(bullet, notes),
        )
    )


def _count(app: App, notes: Sequence[Note]) -> None:
    # a count must never keep anyone from reading
    with suppress(StoreError):
        app.store.tally("recalls", [note.id for note in notes if note.id])
