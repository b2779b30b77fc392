"""memory-keeper's facts: ``extract-facts`` from a session file, and ``facts`` to count them."""

import os
from collections.abc import Iterator, Sequence

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, list_visible_projects, open_app, project_option
from twiceshy.cli.output import (
    flatten_text,
    format_note,
    note_json,
    print_json,
    print_message,
    print_result,
)
from twiceshy.cli.text_input import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.jsontext import parse_object
from twiceshy.core.note import KINDS, SHOWN, Note
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS
from twiceshy.notes.embed import embed_new_notes
from twiceshy.project.episodes.find import list_sessions
from twiceshy.project.facts.items import FACT_KINDS, summarise_facts
from twiceshy.project.facts.write import FactsResult, find_session_file, take_session_facts

_MEGABYTES = 4  # a session file has a thousandth of that
_WIDTH = 80
_MANY = 100_000
_HINT = "to search: twiceshy search WORDS --kind decision --concept C --file PART --type T"


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
    lines = (one.note.handle for one in taken.kept)
    print_result(plain, lines, talk=_list_remarks(taken), as_json=as_json)
    if not taken.kept:
        raise NoteError(
            "the session file has no facts",
            hint="write them as list items below ## Decisions, ## Patterns or ## Issues",
        )


@click.command("facts")
@project_option
@json_option
def facts(*, project: str | None, as_json: bool) -> None:
    """Count decisions, patterns and issues of a project; list open issues.

    --json prints the facts.json of memory-keeper; each fact has its number and the id of its note.

    Example: twiceshy facts --json
    """
    with open_app(for_agents=True) as app:
        ids = list_visible_projects(app, project)[:-1]
        notes = _gather_facts(app, ids, gone=as_json)
    if as_json:
        print_json(parse_object(KEEPER_FACTS.render(notes, FileContext(ids[0]))))
        return
    _print_facts(notes)
    print_message(_HINT)


def print_overview(app: App) -> None:
    """Print what there is to search: facts, open issues, sessions and other notes."""
    ids = list_visible_projects(app, None)
    _print_facts(_gather_facts(app, ids))
    sessions = list_sessions(app.store, ids[:-1], limit=_MANY)
    click.echo(f"sessions: {len(sessions)}")
    for kind in KINDS:
        shown = NoteFilter(projects=ids, kinds=(kind,))
        if kind not in FACT_KINDS and (count := app.store.count_notes(shown)):
            click.echo(f"{kind}s: {count}")
    print_message(f"{_HINT}; to list notes: twiceshy list")


def _gather_facts(app: App, ids: Sequence[str], *, gone: bool = False) -> list[Note]:
    """Return the facts of a project, on request with those that are not shown any more."""
    which = NoteFilter(projects=tuple(ids), kinds=FACT_KINDS, statuses=() if gone else SHOWN)
    return app.store.notes(which, limit=max(1, app.store.count_notes(which)))


def _print_facts(notes: Sequence[Note]) -> None:
    for told in summarise_facts(notes):
        click.echo(told)
    for note in notes:
        if note.kind == "issue" and note.state == "open":
            click.echo(format_note(note))


def _list_remarks(taken: FactsResult) -> Iterator[str]:
    for kept in taken.kept:
        what = f"{kept.note.kind}, {kept.outcome}"
        yield f"line {kept.line}: {what}: {flatten_text(kept.note.text, limit=_WIDTH)}"
    for lost in taken.unused:
        yield f"line {lost.line}: not used, {lost.reason}: {flatten_text(lost.text, limit=_WIDTH)}"
    if any(kept.outcome == "waiting" for kept in taken.kept):
        yield "hint: not shown until you decide: twiceshy review"
