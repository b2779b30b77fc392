"""memory-keeper's verbs for one fact: ``add-decision``, ``add-pattern`` and ``add-issue``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import command_author
from twiceshy.cli.options import TextCommand, combine_options, json_option, open_app
from twiceshy.cli.output import note_json, print_message, print_result
from twiceshy.core.admit import SeenAgain
from twiceshy.core.draft import Draft
from twiceshy.core.note import KINDS, SHOWN
from twiceshy.core.scope import Scope
from twiceshy.notes.embed import embed_new_notes
from twiceshy.notes.write import require_written
from twiceshy.project.facts.items import OTHER, STATES, parse_state, parse_subtype, split_list
from twiceshy.project.facts.write import add_fact

if TYPE_CHECKING:
    from twiceshy.project.facts.items import FactKind


_label_arguments = combine_options(
    click.argument("subtype", default="", metavar="[TYPE]"),
    click.argument("files", default="", metavar="[FILES]"),
    click.argument("concepts", default="", metavar="[CONCEPTS]"),
    json_option,
)


@click.command("add-decision", cls=TextCommand)
@click.argument("content")
@click.argument("reason", default="", metavar="[REASON]")
@_label_arguments
def add_decision(*, content: str, reason: str, **labels: Any) -> None:
    """Record a decision and its reason.

    TYPE is architecture, technology, approach or other. FILES and CONCEPTS are comma-separated
    lists.

    Example: twiceshy add-decision "Postgres over MySQL" "partial indexes" technology db/schema.sql storage
    """
    _add_fact("decision", content, why=reason, **labels)


@click.command("add-pattern", cls=TextCommand)
@click.argument("content")
@_label_arguments
def add_pattern(*, content: str, **labels: Any) -> None:
    """Record a pattern or an anti-pattern of this project.

    TYPE is convention, best-practice, anti-pattern or other. FILES and CONCEPTS are
    comma-separated lists.

    Example: twiceshy add-pattern "Errors carry a hint" convention src/errors.py errors
    """
    _add_fact("pattern", content, **labels)


@click.command("add-issue", cls=TextCommand)
@click.argument("content")
@click.argument("status", default="open", metavar="[STATUS]")
@_label_arguments
def add_issue(*, content: str, status: str, **labels: Any) -> None:
    """Record an issue; STATUS is open or resolved.

    TYPE is bugfix, performance, security, feature or other. FILES and CONCEPTS are comma-separated
    lists. To change the status later: `resolve` and `reopen`.

    Example: twiceshy add-issue "Login fails on Safari" open bugfix src/login.ts auth,safari
    """
    state = parse_state(status)
    if not state:
        known = ", ".join(dict.fromkeys(STATES.values()))
        raise click.UsageError(f"{status!r} is no status of an issue; one of: {known}")
    _add_fact("issue", content, state=state, **labels)


def _add_fact(
    kind: FactKind,
    text: str,
    *,
    subtype: str,
    files: str,
    concepts: str,
    as_json: bool,
    **said: str,
) -> None:
    """Write a fact; an unknown type becomes ``other``."""
    known = parse_subtype(kind, subtype)
    if subtype and known == OTHER != subtype.strip().casefold():
        print_message(
            f"{subtype!r} is no type of {kind}, so it is other; known: {', '.join(KINDS[kind][0])}"
        )
    with open_app() as app:
        draft = Draft(
            kind=kind,
            text=text,
            scope=Scope(app.current_project().id, ""),
            source=command_author(),
            subtype=known,
            files=split_list(files),
            concepts=split_list(concepts),
        ).but(**said)
        outcome = require_written(add_fact(app, draft))
        embed_new_notes(app, tell=print_message)
    note, merged = outcome.note, isinstance(outcome, SeenAgain)
    plain = {"outcome": "merged" if merged else "noted", "note": note_json(note)}
    if merged:
        talk = f"known already; seen {note.sightings} times now: {note.text}"
    elif note.status not in SHOWN:
        talk = f"noted, but shown to nobody: {note.reason}; see: twiceshy review"
    else:
        talk = "noted"
    print_result(plain, [note.handle], talk=[talk], as_json=as_json)
