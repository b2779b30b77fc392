"""How notes look in a terminal and in JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from twiceshy.core.moment import day, stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.recall.brief import seen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.history import Entry
    from twiceshy.core.note import Note

_TIMES = ("written_at", "learned_at", "expires_at")
_WIDTH = 100


def say(text: str) -> None:
    """Talk to the person: stderr, so that stdout stays data."""
    click.echo(text, err=True)


def print_json(value: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def as_json(note: Note) -> dict[str, object]:
    """Return a note as it appears in --json."""
    fields = note.fields()
    for name in _TIMES:
        moment = fields[name]
        fields[name] = stamp(moment) if isinstance(moment, int) and moment else None
    scope = {"project": note.scope.project, "skill": note.scope.skill or None}
    del fields["scope"]
    return {"id": note.id, "handle": note.handle, **scope, **fields}


def print_notes(notes: Iterable[Note], *, json_wanted: bool) -> None:
    """Print notes one a line, or as a JSON list."""
    if json_wanted:
        print_json([as_json(note) for note in notes])
        return
    for note in notes:
        click.echo(line(note))


def line(note: Note) -> str:
    """Write a note on one line."""
    marks = "*" if note.pinned else " "
    about = f"[{note.scope.skill}] " if note.scope.skill else ""
    life = "" if note.life == "active" else f"({note.life}) "
    text = one_line(clean(note.text), limit=_WIDTH)
    return f"{note.handle:<6}{marks} {label(note):<13} {about}{life}{text}"


def label(note: Note) -> str:
    """Return the most telling word for what kind of note this is."""
    return note.subtype if note.subtype not in ("", "other") else note.kind


def details(note: Note, *, projects: dict[str, tuple[str, str]]) -> Iterable[str]:
    """Write a note out, one fact a line, leaving out what is not set."""
    name = projects.get(note.scope.project, ("", ""))[0]
    where = "everywhere" if note.scope.project == EVERYWHERE else name or note.scope.project
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    facts = {
        "kind": kind + ("" if note.state == "current" else f", {note.state}"),
        "life": note.life + (f": {note.reason}" if note.reason else ""),
        "project": where,
        "skill": note.scope.skill,
        "pinned": "yes" if note.pinned else "",
        "tag": note.tag,
        "why": note.why,
        "files": ", ".join(note.files),
        "concepts": ", ".join(note.concepts),
        "seen": f"{seen(note).removeprefix('seen ')}, last on {day(note.learned_at)}",
        "expires": day(note.expires_at) if note.expires_at else "",
        "revision": str(note.revision) if note.revision > 1 else "",
    }
    yield f"{note.handle}  {clean(note.text)}"
    for fact, value in facts.items():
        if value:
            yield f"  {fact + ':':<10} {value}"


def times(count: int) -> str:
    """Say how often."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def change_line(entry: Entry) -> str:
    """Write a journal entry on one line."""
    when = stamp(entry.at)[:19].replace("T", " ")
    return f"{when}  b{entry.batch[-4:]}  {entry.op:<9} {_what(entry)}"


def _what(entry: Entry) -> str:
    fields = dict(entry.after or {})
    if entry.op == "write":
        return one_line(clean(str(fields.get("text") or fields.get("title", ""))), limit=60)
    parts = []
    for name, value in fields.items():
        before = (entry.before or {}).get(name)
        arrow = f"{_short(before)} → " if before not in (None, "", ()) else ""
        parts.append(f"{name}: {arrow}{_short(value)}")
    return "; ".join(parts)


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return one_line(clean(text), limit=40) or "none"
