"""Commands about past changes, ``history`` and ``undo``, and the lines of a note and its changes."""

from collections.abc import Iterator, Mapping

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import (
    approval_hint,
    fact_lines,
    fields_json,
    flatten_text,
    format_note,
    name_kind,
    name_project,
    notes_json,
    print_result,
)
from twiceshy.core.history import JournalEntry
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.note import Note, short_handle
from twiceshy.core.text import strip_unsafe
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.undo import undo_change
from twiceshy.recall.brief import describe_sightings
from twiceshy.shell.derive_trigger import read_note_trigger


@click.command("history")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--limit", type=click.IntRange(1, 100_000), default=30, show_default=True)
@json_option
def history(*, name: str | None, limit: int, as_json: bool) -> None:
    """Show the changes of a note, or recent changes of every note, newest first.

    Example: twiceshy history n7k2x
    """
    with open_app() as app:
        about = find_only_note(app, name).id if name else ""
        entries = app.store.history(about, limit=limit)[::-1]
    lines = (
        ("" if name else f"{short_handle(one.object)}  ") + format_change(one) for one in entries
    )
    print_result([change_json(entry) for entry in entries], lines, as_json=as_json)


@click.command("undo")
@click.argument("change", required=False)
@click.option("--redo", is_flag=True, help="Redo: revert the last undo.")
@json_option
def undo(*, change: str | None, redo: bool, as_json: bool) -> None:
    """Undo the last change, or the CHANGE named by `history`.

    Repeated calls go further back. Undoing a new note retires it; nothing is erased.

    Example: twiceshy undo
    """
    with open_app() as app:
        undone, unapproved = undo_change(app, change, redo=redo)
    plain = {"change": undone.batch, "ops": undone.ops, "notes": notes_json(undone.notes)}
    talk = [f"{'redone' if redo else 'undone'}: {', '.join(undone.ops)}"]
    talk += approval_hint(unapproved)
    talk += [f"kept as it is, changed since: {field}" for field in undone.kept]
    print_result(
        plain | {"kept": undone.kept}, map(format_note, undone.notes), talk=talk, as_json=as_json
    )


def format_details(note: Note, *, projects: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Format a note with each set field on its own line."""
    kind = name_kind(note)
    finer = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    facts = {
        "kind": kind + ("" if note.state == "current" else f", {note.state}"),
        "type": "" if finer == kind else finer,
        "status": note.status + (f": {note.reason}" if note.reason else ""),
        "project": name_project(note.scope.project, projects),
        "skill": note.scope.skill,
        "pinned": "yes" if note.pinned else "",
        "tag": note.tag,
        "why": note.why,
        "trigger": _describe_trigger(note),
        "files": ", ".join(note.files),
        "concepts": ", ".join(note.concepts),
        "seen": f"{describe_sightings(note).removeprefix('seen ')}, last on {format_day(note.learned_at)}",
        "expires": format_day(note.expires_at) if note.expires_at else "",
        "revision": str(note.revision) if note.revision > 1 else "",
    }
    yield f"{note.handle}  {strip_unsafe(note.text)}"
    yield from fact_lines(facts)


def _describe_trigger(note: Note) -> str:
    trigger = read_note_trigger(note)
    return f"{trigger.to_line()}{'' if note.trigger else ' (from its words)'}" if trigger else ""


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
