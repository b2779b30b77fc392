"""One note in full, and the changes of its history."""

from collections.abc import Iterator, Mapping

from twiceshy.cli.output import fact_lines, fields_json, flatten_text, name_project
from twiceshy.core.history import JournalEntry
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.note import Note
from twiceshy.core.text import strip_unsafe
from twiceshy.recall.brief import describe_sightings


def format_details(note: Note, *, projects: Mapping[str, tuple[str, str]]) -> Iterator[str]:
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
    yield from fact_lines(facts)


def change_json(entry: JournalEntry) -> dict[str, object]:
    """Return a journal entry in the --json layout."""
    return fields_json(entry) | {"id": entry.id}


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
