"""``twiceshy flush``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.checkpoint import checkpoints_of
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import one_line
from twiceshy.interop.skill_notes import skill_named
from twiceshy.learning.flush import flush
from twiceshy.learning.lesson_sections import lessons, passages
from twiceshy.notes.meaning import embed_new

if TYPE_CHECKING:
    from twiceshy.learning.flush import Flushed

_LARGEST = 32 * 1024 * 1024  # bytes; a long session has a tenth of that
_USUAL = 3


@click.command("flush")
@click.option("--skill", required=True, metavar="S", help="The skill they are about.")
@click.option("--summary-file", metavar="FILE", help="A summary with a section of lessons.")
@click.option("--session-file", metavar="FILE", help="A session: .md, .txt, .json or .jsonl.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Read a summary from stdin.")
@click.option("--include-checkpoints", is_flag=True, help="Make notes of checkpoints as well.")
@click.option("--keep-checkpoints", is_flag=True, help="Leave these open for the next flush.")
@click.option(
    "--max-lessons",
    type=click.IntRange(min=1, clamp=True),
    default=_USUAL,
    show_default=True,
    help="Lessons to keep, at most.",
)
@json_option
def command(
    *,
    skill: str,
    summary_file: str | None,
    session_file: str | None,
    from_stdin: bool,
    include_checkpoints: bool,
    keep_checkpoints: bool,
    max_lessons: int,
    as_json: bool,
) -> None:
    """Keep the lessons that a session wrote down, as notes of a skill in every project.

    Lessons are the items and short lines below a heading such as Lessons, Takeaways, Insights or
    经验. What a tool printed, and what asks for something risky, waits for `review`. Checkpoints are
    never deleted: those that became notes say so, and are not taken again.

    Example: twiceshy flush --skill release --summary-file summary.md
    """
    if sum((summary_file is not None, session_file is not None, from_stdin)) != 1:
        raise click.UsageError("give one of --summary-file, --session-file and --stdin")
    name = skill_named(skill)
    text = _stdin() if from_stdin else _file(summary_file or session_file or "")
    suffix = os.path.splitext(session_file or "")[1]
    with opened() as app:
        flushed = flush(
            app,
            lessons(passages(text, suffix=suffix), redact=app.redact),
            checkpoints_of(app, name) if include_checkpoints else (),
            draft=Draft("lesson", "", Scope(EVERYWHERE, name), "agent" if by_agent() else "user"),
            most=max_lessons,
            close=not keep_checkpoints,
        )
        embed_new(app, tell=say)
    _refuse_nothing(flushed)
    _tell(flushed, as_json=as_json)


def _refuse_nothing(flushed: Flushed) -> None:
    if flushed.kept:
        return
    if flushed.refused:
        text, reason = flushed.refused[0]
        raise NoteError(f"{one_line(text, limit=60)!r} was not kept: {reason}")
    raise NoteError(
        "there are no lessons in it",
        hint="put them as items below a heading such as ## Lessons, ## Takeaways or ## 经验",
    )


def _tell(flushed: Flushed, *, as_json: bool) -> None:
    if as_json:
        kept = [{"outcome": one.became, "note": note_json(one.note)} for one in flushed.kept]
        refused = [{"text": text, "reason": reason} for text, reason in flushed.refused]
        print_json(flushed.fields() | {"kept": kept, "refused": refused})
        return
    for one in flushed.kept:
        click.echo(one.note.handle)
        say(f"{one.became}: {one_line(one.note.text, limit=80)}")
    for text, reason in flushed.refused:
        say(f"left out: {one_line(text, limit=60)}: {reason}")
    if any(one.became == "waiting" for one in flushed.kept):
        say("hint: not shown until you decide: twiceshy review")
    if flushed.left:
        say(f"lessons beyond --max-lessons: {flushed.left}")
    if flushed.closed:
        say(f"checkpoints that are notes now: {len(flushed.closed)}")


def _stdin() -> str:
    text = _decoded(sys.stdin.buffer.read(_LARGEST + 1), "stdin")
    if not text.strip():
        raise NoteError(
            "stdin is empty", hint="pipe a summary into it: … | twiceshy flush --stdin"
        )
    return text


def _file(path: str) -> str:
    try:
        with open(os.path.expanduser(path), "rb") as file:
            return _decoded(file.read(_LARGEST + 1), path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotFoundError(
            f"cannot read {path!r}: {reason}", hint="give the path of a summary or a session"
        ) from error


def _decoded(content: bytes, name: str) -> str:
    if len(content) > _LARGEST:
        raise NoteError(
            f"{name} is larger than {_LARGEST // 1024 // 1024} MiB",
            hint="cut out the part with the lessons and give that with --stdin",
        )
    return content.decode("utf-8-sig", "replace")
