"""Format notes for the terminal and for JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.core.moment import day, stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.notes.naming import list_handles
from twiceshy.recall.brief import seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.history import Entry
    from twiceshy.core.note import Note

_TIMES = ("written_at", "learned_at", "expires_at")
_WIDTH = 100


def say(text: str) -> None:
    """Print a message to stderr; stdout is reserved for data."""
    click.echo(text, err=True)


def print_json(value: object) -> None:
    """Print a JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def show(plain: object, lines: Iterable[str], *, as_json: bool) -> None:
    """Print a result as a JSON document or as lines."""
    if as_json:
        print_json(plain)
        return
    for text in lines:
        click.echo(text)


def note_json(note: Note) -> dict[str, object]:
    """Return a note in the --json layout."""
    fields = note.fields()
    for name in _TIMES:
        moment = fields[name]
        fields[name] = stamp(moment) if isinstance(moment, int) and moment else None
    scope = {"project": note.scope.project, "skill": note.scope.skill or None}
    del fields["scope"]
    return {"id": note.id, "handle": note.handle, **scope, **fields}


def notes_json(notes: Iterable[Note]) -> list[dict[str, object]]:
    """Return notes in the --json layout."""
    return [note_json(note) for note in notes]


def line(note: Note) -> str:
    """Format a note on a single line."""
    marks = "*" if note.pinned else " "
    about = f"[{note.scope.skill}] " if note.scope.skill else ""
    status = "" if note.status == "active" else f"({note.status}) "
    text = flat(note.text, limit=_WIDTH)
    return f"{note.handle:<6}{marks} {label(note):<13} {about}{status}{text}"


def flat(text: str, *, limit: int = 200) -> str:
    """Fold a text into a single line without terminal control characters."""
    return one_line(clean(text), limit=limit)


def minute(at: int) -> str:
    """Format a timestamp to the minute."""
    return stamp(at)[:16].replace("T", " ")


def label(note: Note) -> str:
    """Return the subtype of a note, or its kind if the subtype says nothing."""
    return note.subtype if note.subtype not in ("", "other") else note.kind


def place_name(project: str, projects: Mapping[str, tuple[str, str]]) -> str:
    """Return the display name of a project."""
    if project == EVERYWHERE:
        return "everywhere"
    return clean(projects.get(project, ("", ""))[0]) or project


def details(note: Note, *, projects: Mapping[str, tuple[str, str]]) -> Iterable[str]:
    """Format a note with each set field on its own line."""
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    facts = {
        "kind": kind + ("" if note.state == "current" else f", {note.state}"),
        "status": note.status + (f": {note.reason}" if note.reason else ""),
        "project": place_name(note.scope.project, projects),
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


def say_unapproved(notes: Iterable[Note]) -> None:
    """Print a hint on approving rules, if any rule is unapproved."""
    if named := list_handles(notes):
        say(f"hint: not shown until you approve: twiceshy review --accept {named}")


def is_interactive() -> bool:
    """True if a user can answer questions and see the output."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def times(count: int) -> str:
    """Return a count in words: never, once, twice, 3 times."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def change_json(entry: Entry) -> dict[str, object]:
    """Return a journal entry in the --json layout."""
    return entry.fields() | {"id": entry.id, "at": stamp(entry.at)}


def change_line(entry: Entry) -> str:
    """Format a journal entry on a single line."""
    when = stamp(entry.at)[:19].replace("T", " ")
    return f"{when}  b{entry.batch[-4:]}  {entry.op:<9} {_what(entry)}"


def _what(entry: Entry) -> str:
    fields = dict(entry.after or {})
    if entry.op == "write":
        return flat(str(fields.get("text") or fields.get("title", "")), limit=60)
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
    return flat(text, limit=40) or "none"
