"""Waiting notes as lines and as JSON, and the questions about them in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from twiceshy.app import App
from twiceshy.cli.output import (
    fact_lines,
    fields_json,
    flatten_text,
    name_project,
    note_json,
    print_message,
)
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day
from twiceshy.core.note import Note
from twiceshy.notes.review import GROUPS, ReviewItem, accept_reworded, decide_notes
from twiceshy.notes.said_preference import render_said_preference
from twiceshy.recall.brief import describe_sightings

if TYPE_CHECKING:
    from twiceshy.notes.review import Group
    from twiceshy.safety.signing import Act

Projects = Mapping[str, tuple[str, str]]
_TITLES: dict[Group, str] = {
    "proposals": "Proposed rules",
    "rules": "Rules that are left out",
    "conflicts": "Changed on two devices",
    "doubted": "Doubted by an agent, and shown all the same",
    "quarantined": "Quarantined",
    "candidates": "On probation",
}
_LONGEST = 2_000  # what waits here may be hostile
_EXCERPT = 120
_CHOICES = "[a]ccept, [e]dit, [r]eject, [s]kip, [q]uit"
_TORN_CHOICES = "[a]ccept, [o]ther words, [e]dit, [r]eject, [s]kip, [q]uit"


def items_json(items: Sequence[ReviewItem]) -> dict[str, list[dict[str, object]]]:
    """Return the waiting notes by group."""
    found: dict[str, list[dict[str, object]]] = {group: [] for group in GROUPS}
    for item in items:
        more = {
            "because": item.because,
            "sessions": item.sessions,
            "evidence": [fields_json(one) for one in item.evidence],
            "others": [fields_json(one, "field", "said", "device", "at") for one in item.others],
        }
        found[item.group].append(note_json(item.note) | more)
    return found


def print_items(items: Sequence[ReviewItem], *, projects: Projects) -> None:
    """Print the waiting notes, with hints for deciding."""
    for group in GROUPS:
        members = [item for item in items if item.group == group]
        if members:
            click.echo(f"{_TITLES[group]} ({len(members)})")
        for item in members:
            click.echo("\n".join(_format_item(item, projects)))
    if not items:
        print_message("nothing waits for you")
        return
    ours = items[0].note.handle
    print_message(
        f"hint: twiceshy review --accept {ours}, --reject {ours}, or --edit {ours} with new words"
    )
    if torn := [item.note.handle for item in items if item.others]:
        print_message(
            f"hint: to have the other device's words instead: twiceshy review --other {torn[0]}"
        )


def _format_item(item: ReviewItem, projects: Projects) -> Iterator[str]:
    """Format a waiting note with its reason and evidence."""
    note = item.note
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    where = name_project(note.scope.project, projects)
    if not item.others and (line := render_said_preference(note, place=_flatten_line(where))):
        yield line
        return
    yield f"{note.handle}  {kind}: {_flatten_line(note.text)}"
    facts = {
        "waits": _flatten_line(item.because),
        "where": f"{where}, skill {note.scope.skill}" if note.scope.skill else where,
        "why": _flatten_line(note.why),
        "trigger": _flatten_line(note.trigger),
        "seen": f"{describe_sightings(note).removeprefix('seen ')}, last on {format_day(note.learned_at)}",
        "trust": f"{note.trust:g} of 1, from the {note.source}",
        "sessions": ", ".join(map(_flatten_line, item.sessions)),
    }
    yield from fact_lines(facts)
    for other in item.others:
        said = f"({other.field}, {format_day(other.at)}, device {_flatten_line(other.device)})"
        yield f"  {'other:':<10} {_flatten_line(other.said)} {said}"
    for signal in item.evidence:
        yield f"  {'evidence:':<10} {_format_evidence(signal)}"


def _format_evidence(signal: Signal) -> str:
    what = flatten_text(": ".join(filter(None, (signal.target, signal.excerpt))), limit=_EXCERPT)
    return f"{format_day(signal.at)} {signal.kind} in {_flatten_line(signal.session)}: {what}"


def _flatten_line(text: str) -> str:
    return flatten_text(text, limit=_LONGEST)


def ask_about_notes(app: App, items: Sequence[ReviewItem], *, act: Act | None) -> None:
    """Ask about each waiting note."""
    projects = app.store.list_projects()
    for number, item in enumerate(items, start=1):
        click.echo(f"{_TITLES[item.group]}, {number} of {len(items)}")
        click.echo("\n".join(_format_item(item, projects)))
        try:
            if not _ask_about_note(app, item, act):
                return
        except click.Abort:
            print_message("\nstopped; what you decided before stays decided")
            return


def _ask_about_note(app: App, item: ReviewItem, act: Act | None) -> bool:
    """Ask until an answer is valid, and apply the answer; return False to stop."""
    choices = _TORN_CHOICES if item.others else _CHOICES
    while True:
        answer = click.prompt(choices, default="s", show_default=False, err=True)
        first = answer.strip().lower()[:1]
        if first in ("q", "s"):
            return first == "s"
        try:
            if done := _apply_answer(app, item.note, first, act):
                print_message(done)
                return True
        except TwiceshyError as error:
            print_message(f"{error}; {error.hint}" if error.hint else str(error))


def _apply_answer(app: App, note: Note, answer: str, act: Act | None) -> str:
    """Apply an answer to a note; return the result, empty for an invalid answer."""
    match answer:
        case "a" | "o":
            decide_notes(app, "other" if answer == "o" else "accept", [note], act=act)
        case "e":
            words = click.prompt("in which words", default=note.text, show_default=False, err=True)
            accept_reworded(app, note, {"text": words}, act=act)
        case "r":
            because = click.prompt("because", default="", show_default=False, err=True)
            decide_notes(app, "reject", [note], act=act, because=because)
            return "rejected"
        case _:
            return ""
    return "accepted"
