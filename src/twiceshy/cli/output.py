"""Print results: as lines or JSON on stdout, talk on stderr."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping

import click

from twiceshy.core.moment import format_stamp
from twiceshy.core.note import KINDS, Note, short_handle
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.trust import has_travelled
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import list_handles
from twiceshy.shell.derive_trigger import read_note_trigger
from twiceshy.wording import worded

STOPPED = 130  # the exit code after Ctrl-C, as shells count it
_WIDTH = 100
_FEW = 10
_PLAIN = ("", KINDS["lesson"][0][0])  # what a lesson is that nobody said more about


def print_message(text: str) -> None:
    """Print a message to stderr; stdout is reserved for data."""
    click.echo(text, err=True)


def print_messages(texts: Iterable[str]) -> None:
    """Print messages to stderr."""
    for text in texts:
        print_message(text)


def print_worded(sentence: str, /, **values: object) -> None:
    """Print a message to stderr in the language of the user."""
    print_message(worded(sentence, **values))


def print_json(value: object) -> None:
    """Print a JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_result(
    plain: object, lines: Iterable[str], *, as_json: bool, talk: Iterable[str] = ()
) -> None:
    """Print a result: as one JSON document, or as lines, with talk about them afterwards."""
    if as_json:
        print_json(plain)
        return
    for text in lines:
        click.echo(text)
    print_messages(talk)


def fields_json(value: Value, *names: str) -> dict[str, object]:
    """Return fields of a value, by default all, in the --json layout; an unknown time is null."""
    fields = value.fields()
    return {name: _field_json(name, fields[name]) for name in names or fields}


def _field_json(name: str, field: object) -> object:
    if not isinstance(field, int) or not name.endswith("at"):
        return field
    return format_stamp(field) if field else None


def print_page(plain: object, page: str, *, as_json: bool) -> None:
    """Print a page that ends its own last line, or its JSON document."""
    if as_json:
        print_json(plain)
    else:
        click.echo(page, nl=False)


def note_json(note: Note) -> dict[str, object]:
    """Return a note in the --json layout."""
    fields = fields_json(note)
    scope = {"project": note.scope.project, "skill": note.scope.skill or None}
    del fields["scope"]
    if not note.trigger and (trigger := read_note_trigger(note)):
        fields["trigger"] = trigger.to_line()  # as its words give it
    return {"id": note.id, "handle": note.handle, **scope, **fields}


def notes_json(notes: Iterable[Note]) -> list[dict[str, object]]:
    """Return notes in the --json layout."""
    return [note_json(note) for note in notes]


def format_note(note: Note) -> str:
    """Format a note on a single line."""
    marks = "*" if note.pinned else " "
    about = f"[{note.scope.skill}] " if note.scope.skill else ""
    state = "" if note.status == "active" else f"({note.status}) "
    state += "(every project) " if has_travelled(note) else ""
    state += f"({note.final_state}) " if note.final_state else ""
    text = flatten_text(note.text, limit=_WIDTH)
    return f"{note.handle:<6}{marks} {name_kind(note):<13} {about}{state}{text}"


def flatten_text(text: str, *, limit: int = 200) -> str:
    """Fold a text into a single line without terminal control characters."""
    return fold_to_line(strip_unsafe(text), limit=limit)


def format_minute(at: int) -> str:
    """Format a timestamp to the minute."""
    return format_stamp(at)[:16].replace("T", " ")


def name_kind(note: Note) -> str:
    """Return the word that people have for a note: its kind or type, and `note` for a plain one."""
    if note.kind == "lesson" and note.subtype in _PLAIN:
        return "note"
    if note.kind in ("rule", "page") or note.subtype in ("", "other"):
        return note.kind
    return note.subtype


def name_project(project: str, projects: Mapping[str, tuple[str, str]]) -> str:
    """Return the display name of a project."""
    if project == EVERYWHERE:
        return "everywhere"
    return strip_unsafe(projects.get(project, ("", ""))[0]) or project


def fact_lines(facts: Mapping[str, str], *, indent: str = "  ") -> Iterator[str]:
    """Write facts one a line, leaving out those without a value."""
    for fact, value in facts.items():
        if value:
            yield f"{indent}{fact + ':':<10} {value}"


def name_object(object_id: str) -> str:
    """Return the name that `review` knows a note or the text of a session by."""
    return f"e{object_id[-8:]}" if object_id.startswith("e") else short_handle(object_id)


def first_few(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first lines, and how many more there are."""
    told = list(lines)
    yield from told[:_FEW]
    if len(told) > _FEW:
        yield worded("… and {count} more; --json lists them", count=len(told) - _FEW)


def approval_hint(notes: Iterable[Note]) -> list[str]:
    """Print a hint on approving rules, if any rule is unapproved."""
    named = list_handles(notes)
    return [f"hint: not shown until you approve: twiceshy review --accept {named}"] * bool(named)


def is_interactive() -> bool:
    """True if a user can answer questions and see the output."""
    return sys.stdin.isatty() and sys.stdout.isatty()
