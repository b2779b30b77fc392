"""One note in full, and the changes of its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.output import fact_lines, flat, place_name
from twiceshy.core.moment import day, stamp
from twiceshy.core.text import clean
from twiceshy.recall.brief import seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.history import Entry
    from twiceshy.core.note import Note


def details(note: Note, *, projects: Mapping[str, tuple[str, str]]) -> Iterator[str]:
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
    yield from fact_lines(facts)


def times(count: int) -> str:
    """Say how often."""
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
