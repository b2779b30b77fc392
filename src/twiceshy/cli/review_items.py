"""Format waiting notes as lines and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import fact_lines, flat, note_json, place_name, say
from twiceshy.core.moment import day, stamp
from twiceshy.notes.review import GROUPS
from twiceshy.recall.brief import seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.evidence import Signal
    from twiceshy.notes.review import Group, Item

    Projects = Mapping[str, tuple[str, str]]

TITLES: dict[Group, str] = {
    "proposals": "Proposed rules",
    "rules": "Rules that are left out",
    "conflicts": "Changed on two devices",
    "doubted": "Doubted by an agent, and shown all the same",
    "quarantined": "Quarantined",
    "candidates": "On probation",
}
_LONGEST = 2_000  # what waits here may be hostile
_EXCERPT = 120


def items_json(items: Sequence[Item]) -> dict[str, list[dict[str, object]]]:
    """Return the waiting notes by group."""
    found: dict[str, list[dict[str, object]]] = {group: [] for group in GROUPS}
    for item in items:
        more = {
            "because": item.because,
            "sessions": item.sessions,
            "evidence": [one.fields() | {"at": stamp(one.at)} for one in item.evidence],
            "others": [
                {"field": one.field, "said": one.said, "device": one.device, "at": stamp(one.at)}
                for one in item.others
            ],
        }
        found[item.group].append(note_json(item.note) | more)
    return found


def print_items(items: Sequence[Item], *, projects: Projects) -> None:
    """Print the waiting notes, with hints for deciding."""
    for group in GROUPS:
        members = [item for item in items if item.group == group]
        if members:
            click.echo(f"{TITLES[group]} ({len(members)})")
        for item in members:
            for text in item_lines(item, projects):
                click.echo(text)
    if not items:
        say("nothing waits for you")
        return
    ours = items[0].note.handle
    say(f"hint: twiceshy review --accept {ours}, --reject {ours}, or --edit {ours} with new words")
    if torn := [item.note.handle for item in items if item.others]:
        say(f"hint: to have the other device's words instead: twiceshy review --other {torn[0]}")


def item_lines(item: Item, projects: Projects) -> Iterator[str]:
    """Format a waiting note with its reason and evidence."""
    note = item.note
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    where = place_name(note.scope.project, projects)
    yield f"{note.handle}  {kind}: {_flat(note.text)}"
    facts = {
        "waits": _flat(item.because),
        "where": f"{where}, skill {note.scope.skill}" if note.scope.skill else where,
        "why": _flat(note.why),
        "trigger": _flat(note.trigger),
        "seen": f"{seen(note).removeprefix('seen ')}, last on {day(note.learned_at)}",
        "trust": f"{note.trust:g} of 1, from the {note.source}",
        "sessions": ", ".join(map(_flat, item.sessions)),
    }
    yield from fact_lines(facts)
    for other in item.others:
        said = f"({other.field}, {day(other.at)}, device {_flat(other.device)})"
        yield f"  {'other:':<10} {_flat(other.said)} {said}"
    for signal in item.evidence:
        yield f"  {'evidence:':<10} {_evidence(signal)}"


def _evidence(signal: Signal) -> str:
    what = ": ".join(filter(None, (signal.target, signal.excerpt)))
    head = f"{day(signal.at)} {signal.kind} in {_flat(signal.session)}"
    return f"{head}: {flat(what, limit=_EXCERPT)}"


def _flat(text: str) -> str:
    return flat(text, limit=_LONGEST)
