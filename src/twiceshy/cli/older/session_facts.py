"""memory-keeper's facts: ``extract-facts`` from a session file, and ``facts`` to count them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, projects_seen
from twiceshy.cli.output import flat, line, note_json, print_json, say, show
from twiceshy.cli.reading import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import Filter
from twiceshy.core.jsontext import parse_object
from twiceshy.core.note import SHOWN
from twiceshy.interop.formats import About, joined, keeper_facts
from twiceshy.notes.meaning import embed_new
from twiceshy.project.facts.file import FACTS, facts_summary
from twiceshy.project.facts.session_file import find_session_file
from twiceshy.project.facts.write import take_session_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.facts.write import Taken

_MEGABYTES = 4  # a session file has a thousandth of that
_WIDTH = 80


@click.command("extract-facts")
@click.argument("session", required=False, metavar="[FILE|-]")
@json_option
def extract_facts(*, session: str | None, as_json: bool) -> None:
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
    with opened() as app:
        path = name = ""
        if session != STDIN:
            path = find_session_file(session, root=app.here().root, cwd=app.cwd)
            name = os.path.splitext(os.path.basename(path))[0]
        content = read_input(
            path or STDIN,
            megabytes=_MEGABYTES,
            give="",
            too_large="that is no session file; cut out the part with the facts",
        )
        taken = take_session_facts(app, content.decode("utf-8-sig", "replace"), name)
        embed_new(app, tell=say)
    kept = [
        {"line": one.line, "outcome": one.became, "note": note_json(one.note)}
        for one in taken.kept
    ]
    plain = taken.fields() | {"kept": kept, "unused": [one.fields() for one in taken.unused]}
    lines = (one.note.handle for one in taken.kept)
    show(plain, lines, talk=_talk(taken), as_json=as_json)
    if not taken.kept:
        raise NoteError(
            "there are no facts in it",
            hint="put them as items below ## Decisions, ## Patterns or ## Issues",
        )


@click.command("facts")
@project_option
@json_option
def facts(*, project: str | None, as_json: bool) -> None:
    """Count decisions, patterns and issues of a project; list open issues.

    --json prints the facts.json of memory-keeper; each fact has its number and the id of its note.

    Example: twiceshy facts --json
    """
    with opened() as app:
        ids = projects_seen(app, project)[:-1]
        which = Filter(projects=ids, kinds=FACTS, statuses=() if as_json else SHOWN)
        notes = app.store.notes(which, limit=max(1, app.store.count(which)))
    if as_json:
        print_json(parse_object(joined(keeper_facts.items(notes, About(ids[0])))))
        return
    for told in facts_summary(notes):
        click.echo(told)
    for note in notes:
        if note.kind == "issue" and note.state == "open":
            click.echo(line(note))
    say("to search them: twiceshy search --kind decision --concept C --file PART --type T")


def _talk(taken: Taken) -> Iterator[str]:
    for kept in taken.kept:
        what = f"{kept.note.kind}, {kept.became}"
        yield f"line {kept.line}: {what}: {flat(kept.note.text, limit=_WIDTH)}"
    for lost in taken.unused:
        yield f"line {lost.line}: not used, {lost.reason}: {flat(lost.text, limit=_WIDTH)}"
    if any(kept.became == "waiting" for kept in taken.kept):
        yield "hint: not shown until you decide: twiceshy review"
