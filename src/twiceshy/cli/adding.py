"""Add one fact to this project as memory-keeper's verbs do: type, files and concepts after its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.admit import Refused, Seen
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS, SHOWN
from twiceshy.core.scope import Scope
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.take_note import take_note
from twiceshy.project.facts.items import OTHER, listed, subtype_of
from twiceshy.project.facts.write import merge

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from twiceshy.notes.write import Outcome
    from twiceshy.project.facts.items import FactKind


def label_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add [TYPE] [FILES] [CONCEPTS] and --json."""
    for argument in (
        json_option,
        click.argument("concepts", default="", metavar="[CONCEPTS]"),
        click.argument("files", default="", metavar="[FILES]"),
        click.argument("subtype", default="", metavar="[TYPE]"),
    ):
        function = argument(function)
    return function


def add_fact(
    kind: FactKind,
    text: str,
    *,
    subtype: str,
    files: str,
    concepts: str,
    as_json: bool,
    why: str = "",
    state: str = "",
) -> None:
    """Write a fact down; a type that nobody knows becomes ``other``, and files are told by commas."""
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
            source="agent" if by_agent() else "user",
            subtype=known,
            why=why,
            files=listed(files),
            concepts=listed(concepts),
            state=state,
        )
        with app.store.change():
            outcome = take_note(app, draft)
            if isinstance(outcome, Seen):
                stated = ("state",) if state else ()
                note = merge(app, outcome.note, draft, stated=stated)
                outcome = outcome.but(note=note)
        embed_new(app, tell=say)
    _tell(outcome, as_json=as_json)


def _tell(outcome: Outcome, *, as_json: bool) -> None:
    if isinstance(outcome, Refused):
        raise NoteError(outcome.reason, hint=outcome.hint)
    note = outcome.note
    merged = isinstance(outcome, Seen)
    if as_json:
        print_json({"outcome": "merged" if merged else "noted", "note": note_json(note)})
        return
    click.echo(note.handle)
    if merged:
        say(f"known already; seen {note.sightings} times now: {note.text}")
    elif note.life not in SHOWN:
        say(f"noted, but shown to nobody: {note.reason}; see: twiceshy review")
    else:
        say("noted")
