"""``twiceshy extract-facts``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.cli.session_file import session_text
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.scope import Scope
from twiceshy.core.text import clean, fingerprint, one_line
from twiceshy.notes.meaning import embed_new
from twiceshy.project.facts.extract import facts
from twiceshy.project.facts.write import take_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.facts.write import Taken

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
    with opened() as app:
        here = app.here()
        name, text = session_text(session, root=here.root, cwd=app.cwd)
        read = facts(text, redact=app.redact)
        # an agent wrote the file, whoever hands it in
        draft = Draft("decision", "", Scope(here.id, ""), "agent")
        taken = take_facts(
            app,
            read,
            draft=draft.but(origin_session=read.session or app.redact(name) or _nameless(text)),
        )
        embed_new(app, tell=say)
    if as_json:
        print_json(taken.fields() | {"kept": _kept(taken), "unused": _unused(taken)})
    else:
        for one in taken.kept:
            click.echo(one.note.handle)
        for line in _talk(taken):
            say(line)
    if not taken.kept:
        raise NoteError(
            "there are no facts in it",
            hint="put them as items below ## Decisions, ## Patterns or ## Issues",
        )


def _nameless(text: str) -> str:
    return f"stdin-{fingerprint('session', text)[:12]}"


def _kept(taken: Taken) -> list[dict[str, object]]:
    return [
        {"line": one.line, "outcome": one.became, "note": note_json(one.note)}
        for one in taken.kept
    ]


def _unused(taken: Taken) -> list[dict[str, object]]:
    return [one.fields() for one in taken.unused]


def _talk(taken: Taken) -> Iterator[str]:
    for kept in taken.kept:
        what = f"{kept.note.kind}, {kept.became}"
        yield f"line {kept.line}: {what}: {one_line(clean(kept.note.text), limit=_WIDTH)}"
    for lost in taken.unused:
        quoted = one_line(clean(lost.text), limit=_WIDTH)
        yield f"line {lost.line}: not used, {lost.reason}: {quoted}"
    if any(kept.became == "waiting" for kept in taken.kept):
        yield "hint: not shown until you decide: twiceshy review"
