"""fireworks' verbs for runtimes without hooks: ``inject``, ``checkpoint`` and ``flush``."""

import os
from collections.abc import Iterator

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import note_json, notes_json, print_message, print_result
from twiceshy.cli.text_input import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.text import fold_to_line
from twiceshy.interop.checkpoints import flush_lessons, write_checkpoint
from twiceshy.interop.skill_notes import brief_skill, normalise_skill_name
from twiceshy.learning.flush import FlushResult
from twiceshy.notes.embed import embed_new_notes


@click.command("inject")
@click.option("--skill", required=True, metavar="S", help="The skill to use next.")
@click.option(
    "--top",
    type=click.IntRange(min=1, clamp=True),
    help="Maximum number of notes; default: brief.skill_notes_max, SKILLS_INJECT_TOP.",
)
@json_option
def inject(*, skill: str, top: int | None, as_json: bool) -> None:
    """Print the notes of a skill as plain text, for runtimes without hooks.

    The best notes come first; notes for all skills fill up the rest. Exit code 1 if there is
    nothing to print.

    Example: twiceshy inject --skill release
    """
    with open_app(for_agents=True) as app:
        found, told, text = brief_skill(app, normalise_skill_name(skill), most=top)
    files = [{"path": file.path, "notes": len(file.notes)} for file in found.files]
    plain = {"skill": found.skill, "text": text, "notes": notes_json(told), "files": files}
    talk = found.list_remarks()
    if (more := len(found.list_notes) - len(told)) > 0:
        talk.append(f"more notes: {more}; see: twiceshy show --skill {found.skill}")
    print_result(plain, [text], talk=talk, as_json=as_json)


@click.command("checkpoint")
@click.option("--skill", required=True, metavar="S", help="The skill of the remark.")
@click.option("--note", "text", required=True, metavar="TEXT", help="Text of the remark.")
@json_option
def checkpoint(*, skill: str, text: str, as_json: bool) -> None:
    """Write a quick remark about a skill; flush later turns it into lessons.

    Agents do not see it before. Prints the id of the checkpoint; `show --skill S --checkpoints`
    lists all checkpoints. Secrets are removed before it is written.

    Example: twiceshy checkpoint --skill release --note "The tag was on an old commit again"
    """
    with open_app() as app:
        made, kept = write_checkpoint(app, normalise_skill_name(skill), text)
    plain = {"id": made.key, "skill": made.skill, "note": made.excerpt, "kept": kept}
    said = (
        "written down" if kept == "stored" else "the store is busy; the remark waits in the spool"
    )
    print_result(plain, [made.key], talk=[said], as_json=as_json)


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
    default=3,
    show_default=True,
    help="Maximum number of lessons.",
)
@json_option
def flush(
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
    print_result(plain, lines, talk=_list_remarks(flushed), as_json=as_json)


def _read_lessons(path: str) -> str:
    content = read_input(
        path,
        megabytes=32,  # a long session has a tenth of that
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
        "the input has no lessons",
        hint="write them as list items below a heading such as ## Lessons, ## Takeaways or ## 经验",
    )


def _list_remarks(flushed: FlushResult) -> Iterator[str]:
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
