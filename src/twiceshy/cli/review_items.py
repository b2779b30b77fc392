"""Waiting notes as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import (
    fact_lines,
    fields_json,
    flatten_text,
    name_kind,
    name_project,
    note_json,
    print_message,
)
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day
from twiceshy.core.note import Note
from twiceshy.notes.review import GROUPS, ReviewItem, WaitingNotes
from twiceshy.notes.said_preference import render_said_preference
from twiceshy.recall.brief import describe_sightings

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.notes.review import Group

Projects = Mapping[str, tuple[str, str]]
TITLES: dict[Group, str] = {
    "proposals": "Proposed rules",
    "rules": "Rules that are left out",
    "conflicts": "Changed on two devices",
    "replacements": "Does this replace that?",
    "doubted": "Doubted by an agent, and shown all the same",
    "quarantined": "Quarantined",
    "candidates": "On probation",
}
_LONGEST = 2_000  # what waits here may be hostile
_EXCERPT = 120


def items_json(items: Sequence[ReviewItem]) -> dict[str, list[dict[str, object]]]:
    """Return the waiting notes by group."""
    found: dict[str, list[dict[str, object]]] = {group: [] for group in GROUPS}
    for item in items:
        more = {
            "because": item.because,
            "sessions": item.sessions,
            "evidence": [fields_json(one) for one in item.evidence],
            "replaces": note_json(item.old) if item.old else None,
            "others": [fields_json(one, "field", "said", "device", "at") for one in item.others],
        }
        found[item.group].append(note_json(item.note) | more)
    return found


def print_items(found: WaitingNotes, *, projects: Projects, is_alone: bool = True) -> None:
    """Print the waiting notes, with hints for deciding; ``is_alone`` if nothing else waits."""
    items = found.items
    for group in GROUPS:
        members = [item for item in items if item.group == group]
        if members:
            click.echo(f"{TITLES[group]} ({found.counts[group]})")
        for item in members:
            lines = format_item(item, projects)
            for text in [_format_candidate(item, projects)] if group == "candidates" else lines:
                click.echo(text)
    if not items:
        if is_alone:
            print_message("nothing waits for you")
        return
    for hint in _list_hints(items):
        print_message(f"hint: {hint}")
    print_left(found)


def _list_hints(items: Sequence[ReviewItem]) -> Iterator[str]:
    """Yield what to do about the listed notes."""
    if ours := next((item.note.handle for item in items if not item.old), ""):
        yield f"twiceshy review --accept {ours}, --reject {ours}, or --edit {ours} with new words"
    if pairs := [item.note.handle for item in items if item.old]:
        replaces = f"to replace the older note: twiceshy review --accept {pairs[0]}"
        yield f"{replaces}; to keep both: twiceshy review --keep {pairs[0]}"
    if items[-1].group == "candidates":
        yield f"what speaks for a note: twiceshy why {items[-1].note.handle}"
    if torn := [item.note.handle for item in items if item.others]:
        yield f"to have the other device's words instead: twiceshy review --other {torn[0]}"


def print_left(found: WaitingNotes) -> None:
    """Print how many notes wait beyond those shown."""
    if found.left:
        print_message(
            f"these are the first {len(found.items)}; {found.left} more wait:"
            " twiceshy review --all"
        )


def _format_candidate(item: ReviewItem, projects: Projects) -> str:
    """Format a candidate on one line; `why` shows the evidence."""
    note, where = item.note, name_project(item.note.scope.project, projects)
    if said := render_said_preference(note, place=_flatten_line(where)):
        return said
    place = f"{where}, {note.scope.skill}" if note.scope.skill else where
    return f"{_format_head(note)} ({place}; {describe_sightings(note)})"


def _format_head(note: Note) -> str:
    kind = name_kind(note)
    return f"{note.handle}  {kind}: {_flatten_line(note.text)}"


def format_item(item: ReviewItem, projects: Projects) -> Iterator[str]:
    """Format a waiting note with its reason and evidence."""
    note = item.note
    where = name_project(note.scope.project, projects)
    if not item.others and (line := render_said_preference(note, place=_flatten_line(where))):
        yield line
        return
    yield _format_head(note)
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
    if old := item.old:
        yield f"  {'older:':<10} {_format_head(old)} ({format_day(old.learned_at)})"
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


def print_patch(app: App, note: Note, into: str) -> None:
    """Print a rule as a patch for an instruction file."""
    from twiceshy.notes.rule_patch import plan_rule_patch

    made = plan_rule_patch(app, note, into)
    if not made.diff:
        print_message(f"{made.path} has this rule already")
        return
    click.echo(made.diff, nl=False)
    print_message(f"nothing was written; in {made.root}, append: | git apply, or: | patch -p1")
