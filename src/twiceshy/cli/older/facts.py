"""memory-keeper's verbs for one fact: ``add-decision``, ``add-pattern`` and ``add-issue``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import writer
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option
from twiceshy.cli.output import note_json, say, show
from twiceshy.core.admit import Seen
from twiceshy.core.draft import Draft
from twiceshy.core.note import KINDS, SHOWN
from twiceshy.core.scope import Scope
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.write import require_written
from twiceshy.project.facts.items import OTHER, STATES, listed, state_of, subtype_of
from twiceshy.project.facts.write import add_fact

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.project.facts.items import FactKind


def _labels(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add [TYPE] [FILES] [CONCEPTS] and --json."""
    for argument in (
        json_option,
        click.argument("concepts", default="", metavar="[CONCEPTS]"),
        click.argument("files", default="", metavar="[FILES]"),
        click.argument("subtype", default="", metavar="[TYPE]"),
    ):
        function = argument(function)
    return function


@click.command("add-decision", cls=TextCommand)
@click.argument("content")
@click.argument("reason", default="", metavar="[REASON]")
@_labels
def add_decision(*, content: str, reason: str, **labels: Any) -> None:
    """Record a decision and its reason.

    TYPE is architecture, technology, approach or other. FILES and CONCEPTS are comma-separated
    lists.

    Example: twiceshy add-decision "Postgres over MySQL" "partial indexes" technology db/schema.sql storage
    """
    _add("decision", content, why=reason, **labels)


@click.command("add-pattern", cls=TextCommand)
@click.argument("content")
@_labels
def add_pattern(*, content: str, **labels: Any) -> None:
    """Record a pattern or an anti-pattern of this project.

    TYPE is convention, best-practice, anti-pattern or other. FILES and CONCEPTS are
    comma-separated lists.

    Example: twiceshy add-pattern "Errors carry a hint" convention src/errors.py errors
    """
    _add("pattern", content, **labels)


@click.command("add-issue", cls=TextCommand)
@click.argument("content")
@click.argument("status", default="open", metavar="[STATUS]")
@_labels
def add_issue(*, content: str, status: str, **labels: Any) -> None:
    """Record an issue; STATUS is open or resolved.

    TYPE is bugfix, performance, security, feature or other. FILES and CONCEPTS are comma-separated
    lists. To change the status later: `resolve` and `reopen`.

    Example: twiceshy add-issue "Login fails on Safari" open bugfix src/login.ts auth,safari
    """
    state = state_of(status)
    if not state:
        known = ", ".join(dict.fromkeys(STATES.values()))
        raise click.UsageError(f"{status!r} is no status of an issue; one of: {known}")
    _add("issue", content, state=state, **labels)


def _add(
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
    known = subtype_of(kind, subtype)
    if subtype and known == OTHER != subtype.strip().casefold():
        say(
            f"{subtype!r} is no type of {kind}, so it is other; known: {', '.join(KINDS[kind][0])}"
        )
    with opened() as app:
        draft = Draft(
            kind=kind,
            text=text,
            scope=Scope(app.here().id, ""),
            source=writer(),
            subtype=known,
            files=listed(files),
            concepts=listed(concepts),
        ).but(**said)
        outcome = require_written(add_fact(app, draft))
        embed_new(app, tell=say)
    note, merged = outcome.note, isinstance(outcome, Seen)
    plain = {"outcome": "merged" if merged else "noted", "note": note_json(note)}
    if merged:
        talk = f"known already; seen {note.sightings} times now: {note.text}"
    elif note.status not in SHOWN:
        talk = f"noted, but shown to nobody: {note.reason}; see: twiceshy review"
    else:
        talk = "noted"
    show(plain, [note.handle], talk=[talk], as_json=as_json)
