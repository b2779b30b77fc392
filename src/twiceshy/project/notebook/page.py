"""Render and parse the notebook as memory-engine's writing-review-list.md."""

from __future__ import annotations

import re

from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from twiceshy.core.note import Note

    Status = Literal["active", "cleared"]

GENERAL = "general"  # the category of a rule that has none
_TITLE = "# Writing Review List"
_LONGEST_NAME = 60
_LONGEST = 8_000
_MOST_MISSED = 1_000_000
_ITEM = re.compile("[-*]\\s+\\**([^*:\uff1a]+?)\\**\\s*[:\uff1a]\\**\\s*(.*)")
_NUMBER = re.compile(r"\d{1,9}")


class Entry(Value):
    """Notebook rule in the file."""

    name: str
    rule: str
    missed: int = 0
    status: Status = "active"
    example: str = ""
    category: str = GENERAL


class Page(Value):
    """Content of the file; ``unused`` lists unknown lines with their numbers."""

    entries: tuple[Entry, ...]
    unused: tuple[tuple[int, str], ...]


def entry_of(note: Note) -> Entry:
    """Build the file entry of a rule."""
    rule = _flat(note.text)
    return Entry(
        name=one_line(rule, limit=_LONGEST_NAME),
        rule=rule,
        missed=note.missed,
        status="cleared" if note.state == "cleared" else "active",
        example=_flat(note.why),
        category=category_name(note),
    )


def category_name(note: Note) -> str:
    """Return the category heading of a rule."""
    return _flat(note.tag) or GENERAL


def notebook_page(entries: Iterable[Entry]) -> str:
    """Render the file by category, most missed rules first."""
    by_category: dict[str, list[Entry]] = {}
    for entry in entries:
        by_category.setdefault(entry.category, []).append(entry)
    lines = [_TITLE]
    for category in sorted(by_category):
        lines += ["", f"## {category}"]
        own = sorted(by_category[category], key=lambda one: (-one.missed, one.name, one.rule))
        for entry in own:
            lines += ["", *_lines(entry)]
    return "\n".join(lines) + "\n"


def read_page(text: str) -> Page:
    """Parse the file; a rule without text takes its name as text."""
    entries: list[Entry] = []
    unused: list[tuple[int, str]] = []
    category = GENERAL
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("### "):
            name = _flat(line[4:])
            entries.append(Entry(name, "", category=category))
        elif line.startswith("## "):
            category = _flat(line[3:]) or GENERAL
        elif line and not line.startswith("# "):
            taken = _taken(entries[-1], line) if entries else None
            if taken is None:
                unused.append((number, line))
            else:
                entries[-1] = taken
    named = (each if each.rule else each.but(rule=each.name) for each in entries)
    return Page(tuple(each for each in named if each.rule), tuple(unused))


def _lines(entry: Entry) -> Iterator[str]:
    yield f"### {entry.name}"
    yield f"- **Rule:** {entry.rule}"
    yield f"- **Missed:** {entry.missed} times"
    yield f"- **Status:** {entry.status}"
    if entry.example:
        yield f"- **Example:** {entry.example}"


def _taken(entry: Entry, line: str) -> Entry | None:
    """Return an entry updated by a line; None for an unknown line."""
    found = _ITEM.fullmatch(line)
    key, value = (found[1].strip().casefold(), _flat(found[2])) if found else ("", "")
    match key:
        case "rule":
            return entry.but(rule=value)
        case "example":
            return entry.but(example=value)
        case "missed" if number := _NUMBER.search(value):
            return entry.but(missed=min(int(number[0]), _MOST_MISSED))
        case "status" if value.casefold() in ("active", "cleared"):
            return entry.but(status=value.casefold())
    return None


def _flat(text: str) -> str:
    return one_line(clean(text), limit=_LONGEST)
