"""Format notes for the terminal and for JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.notes.find_by_name import list_handles
from twiceshy.recall.brief import describe_sightings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.history import JournalEntry
    from twiceshy.core.note import Note

_TIMES = ("written_at", "learned_at", "expires_at")
_WIDTH = 100


def print_message(text: str) -> None:
    """Print a message to stderr; stdout is reserved for data."""
    click.echo(text, err=True)


def print_json(value: object) -> None:
    """Print a JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_result(plain: object, lines: Iterable[str], *, as_json: bool) -> None:
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
        fields[name] = format_stamp(moment) if isinstance(moment, int) and moment else None
    scope = {"project": note.scope.project, "skill": note.scope.skill or None}
    del fields["scope"]
    return {"id": note.id, "handle": note.handle, **scope, **fields}


def notes_json(notes: Iterable[Note]) -> list[dict[str, object]]:
    """Return notes in the --json layout."""
    return [note_json(note) for note in notes]


def format_note(note: Note) -> str:
    """Format a note on a single line."""
    marks = "*" if note.pinned else " "
    about = f"[{note.scope.skill}] " if note.scope.skill else ""
    status = "" if note.status == "active" else f"({note.status}) "
    text = flatten_text(note.text, limit=_WIDTH)
    return f"{note.handle:<6}{marks} {name_kind(note):<13} {about}{status}{text}"


def flatten_text(text: str, *, limit: int = 200) -> str:
    """Fold a text into a single line without terminal control characters."""
    return fold_to_line(strip_unsafe(text), limit=limit)


def format_minute(at: int) -> str:
    """Format a timestamp to the minute."""
    return format_stamp(at)[:16].replace("T", " ")


def name_kind(note: Note) -> str:
    """Return the subtype of a note, or its kind if the subtype says nothing."""
    return note.subtype if note.subtype not in ("", "other") else note.kind


def name_project(project: str, projects: Mapping[str, tuple[str, str]]) -> str:
    """Return the display name of a project."""
    if project == EVERYWHERE:
        return "everywhere"
    return strip_unsafe(projects.get(project, ("", ""))[0]) or project


def format_details(note: Note, *, projects: Mapping[str, tuple[str, str]]) -> Iterable[str]:
    """Format a note with each set field on its own line."""
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    facts = {
        "kind": kind + ("" if note.state == "current" else f", {note.state}"),
        "status": note.status + (f": {note.reason}" if note.reason else ""),
        "project": name_project(note.scope.project, projects),
        "skill": note.scope.skill,
        "pinned": "yes" if note.pinned else "",
        "tag": note.tag,
        "why": note.why,
        "files": ", ".join(note.files),
        "concepts": ", ".join(note.concepts),
        "seen": f"{describe_sightings(note).removeprefix('seen ')}, last on {format_day(note.learned_at)}",
        "expires": format_day(note.expires_at) if note.expires_at else "",
        "revision": str(note.revision) if note.revision > 1 else "",
    }
    yield f"{note.handle}  {strip_unsafe(note.text)}"
    for fact, value in facts.items():
        if value:
            yield f"  {fact + ':':<10} {value}"


def print_approval_hint(notes: Iterable[Note]) -> None:
    """Print a hint on approving rules, if any rule is unapproved."""
    if named := list_handles(notes):
        print_message(f"hint: not shown until you approve: twiceshy review --accept {named}")


def is_interactive() -> bool:
    """True if a user can answer questions and see the output."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def count_in_words(count: int) -> str:
    """Return a count in words: never, once, twice, 3 times."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def change_json(entry: JournalEntry) -> dict[str, object]:
    """Return a journal entry in the --json layout."""
    return entry.fields() | {"id": entry.id, "at": format_stamp(entry.at)}


def format_change(entry: JournalEntry) -> str:
    """Format a journal entry on a single line."""
    when = format_stamp(entry.at)[:19].replace("T", " ")
    return f"{when}  b{entry.batch[-4:]}  {entry.op:<9} {_describe_change(entry)}"


def _describe_change(entry: JournalEntry) -> str:
    fields = dict(entry.after or {})
    if entry.op == "write":
        return flatten_text(str(fields.get("text") or fields.get("title", "")), limit=60)
    parts = []
    for name, value in fields.items():
        before = (entry.before or {}).get(name)
        arrow = f"{_shorten_value(before)} → " if before not in (None, "", ()) else ""
        parts.append(f"{name}: {arrow}{_shorten_value(value)}")
    return "; ".join(parts)


def _shorten_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return flatten_text(text, limit=40) or "none"
