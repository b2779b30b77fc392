"""``twiceshy flush``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import open_app
from twiceshy.cli.options import json_option
from twiceshy.cli.output import note_json, print_message, print_result
from twiceshy.cli.text_input import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.text import fold_to_line
from twiceshy.interop.checkpoints import flush_lessons
from twiceshy.interop.skill_notes import normalise_skill_name
from twiceshy.notes.embed import embed_new_notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.learning.flush import FlushResult

_MEGABYTES = 32  # a long session has a tenth of that
_USUAL = 3


@click.command("flush")
@click.option("--skill", required=True, metavar="S", help="The skill of the lessons.")
@click.option("--summary-file", metavar="FILE", help="A summary with a section of lessons.")
@click.option("--session-file", metavar="FILE", help="A session: .md, .txt, .json or .jsonl.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Read a summary from stdin.")
@click.option("--include-checkpoints", is_flag=True, help="Turn checkpoints into notes as well.")
@click.option(
    "--keep-checkpoints", is_flag=True, help="Keep used checkpoints open for the next flush."
)
@click.option(
    "--max-lessons",
    type=click.IntRange(min=1, clamp=True),
    default=_USUAL,
    show_default=True,
    help="Maximum number of lessons.",
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
    """Keep the lessons of a session as notes of a skill in every project.

    Lessons are the items and short lines below a heading such as Lessons, Takeaways, Insights or
    经验. Tool output and requests for risky actions wait for `review`. Checkpoints are never
    deleted: those that became notes are marked, and are not used again.

    Example: twiceshy flush --skill release --summary-file summary.md
    """
    if sum((summary_file is not None, session_file is not None, from_stdin)) != 1:
        raise click.UsageError("give one of --summary-file, --session-file and --stdin")
    name = normalise_skill_name(skill)
    text = _read_lessons(STDIN if from_stdin else summary_file or session_file or "")
    with open_app() as app:
        flushed = flush_lessons(
            app,
            name,
            text,
            suffix=os.path.splitext(session_file or "")[1],
            checkpoints=include_checkpoints,
            close=not keep_checkpoints,
            most=max_lessons,
        )
        embed_new_notes(app, tell=print_message)
    if not flushed.kept:
        raise _build_refusal(flushed)
    kept = [{"outcome": one.became, "note": note_json(one.note)} for one in flushed.kept]
    refused = [{"text": lesson, "reason": reason} for lesson, reason in flushed.refused]
    plain = flushed.fields() | {"kept": kept, "refused": refused}
    lines = (one.note.handle for one in flushed.kept)
    print_result(plain, lines, talk=_print_outcome(flushed), as_json=as_json)


def _read_lessons(path: str) -> str:
    content = read_input(
        path,
        megabytes=_MEGABYTES,
        give="give the path of a summary or a session",
        too_large="cut out the part with the lessons and give that with --stdin",
    )
    if path == STDIN and not content.strip():
        raise NoteError(
            "stdin is empty", hint="pipe a summary into it: … | twiceshy flush --stdin"
        )
    return content.decode("utf-8-sig", "replace")


def _build_refusal(flushed: FlushResult) -> NoteError:
    if flushed.refused:
        text, reason = flushed.refused[0]
        return NoteError(f"{fold_to_line(text, limit=60)!r} was not kept: {reason}")
    return NoteError(
        "there are no lessons in it",
        hint="put them as items below a heading such as ## Lessons, ## Takeaways or ## 经验",
    )


def _print_outcome(flushed: FlushResult) -> Iterator[str]:
    for one in flushed.kept:
        yield f"{one.became}: {fold_to_line(one.note.text, limit=80)}"
    for text, reason in flushed.refused:
        yield f"left out: {fold_to_line(text, limit=60)}: {reason}"
    if any(one.became == "waiting" for one in flushed.kept):
        yield "hint: not shown until you decide: twiceshy review"
    if flushed.left:
        yield f"lessons beyond --max-lessons: {flushed.left}"
    if flushed.closed:
        yield f"checkpoints that are notes now: {len(flushed.closed)}"
