"""``twiceshy extract-facts``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import open_app
from twiceshy.cli.options import json_option
from twiceshy.cli.output import flatten_text, note_json, print_message, print_result
from twiceshy.cli.text_input import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.notes.embed_text import embed_new_notes
from twiceshy.project.facts.session_file import find_session_file
from twiceshy.project.facts.write import take_session_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.facts.write import FactsResult

_MEGABYTES = 4  # a session file has a thousandth of that
_WIDTH = 80


@click.command("extract-facts")
@click.argument("session", required=False, metavar="[FILE|-]")
@json_option
def command(*, session: str | None, as_json: bool) -> None:
    """Make notes of the decisions, patterns and issues in a session file.

    \b
      ## Decisions
      - [architecture] What was decided: the reason
        - files: src/a.py, src/b.py
        - concepts: storage
      ## Patterns
      - [convention] How things are done
      ## Issues
      - [bugfix] What is wrong: open

    FILE is a path within the project, or the name of a session in .claude/memory/sessions; the
    default is the newest one there, and - reads stdin. What is known already is merged, and every
    line that could not be used is told with its number. Doing it again changes nothing.

    Example: twiceshy extract-facts 2026-11-02_1030
    """
    with open_app() as app:
        path = name = ""
        if session != STDIN:
            path = find_session_file(session, root=app.current_project().root, cwd=app.cwd)
            name = os.path.splitext(os.path.basename(path))[0]
        content = read_input(
            path or STDIN,
            megabytes=_MEGABYTES,
            give="",
            too_large="that is no session file; cut out the part with the facts",
        )
        taken = take_session_facts(app, content.decode("utf-8-sig", "replace"), name)
        embed_new_notes(app, tell=print_message)
    kept = [
        {"line": one.line, "outcome": one.outcome, "note": note_json(one.note)}
        for one in taken.kept
    ]
    plain = taken.fields() | {"kept": kept, "unused": [one.fields() for one in taken.unused]}
    print_result(plain, (one.note.handle for one in taken.kept), as_json=as_json)
    for line in () if as_json else _list_remarks(taken):
        print_message(line)
    if not taken.kept:
        raise NoteError(
            "there are no facts in it",
            hint="put them as items below ## Decisions, ## Patterns or ## Issues",
        )


def _list_remarks(taken: FactsResult) -> Iterator[str]:
    for kept in taken.kept:
        what = f"{kept.note.kind}, {kept.outcome}"
        yield f"line {kept.line}: {what}: {flatten_text(kept.note.text, limit=_WIDTH)}"
    for lost in taken.unused:
        yield f"line {lost.line}: not used, {lost.reason}: {flatten_text(lost.text, limit=_WIDTH)}"
    if any(kept.outcome == "waiting" for kept in taken.kept):
        yield "hint: not shown until you decide: twiceshy review"
