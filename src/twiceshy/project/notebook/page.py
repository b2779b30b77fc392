"""Render and parse the notebook as memory-engine's writing-review-list.md."""

from __future__ import annotations

import re

from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from twiceshy.core.note import Note

    EntryStatus = Literal["active", "cleared"]

GENERAL = "general"  # the category of a rule that has none
_TITLE = "# Writing Review List"
_MAX_NAME = 60
_MAX_LENGTH = 8_000
_MAX_MISSED = 1_000_000
_ITEM = re.compile("[-*]\\s+\\**([^*:\uff1a]+?)\\**\\s*[:\uff1a]\\**\\s*(.*)")
_NUMBER = re.compile(r"\d{1,9}")


class NotebookEntry(Value):
    """Notebook rule in the file."""

    name: str
    rule: str
    missed: int = 0
    status: EntryStatus = "active"
    example: str = ""
    category: str = GENERAL


class NotebookPage(Value):
    """Content of the file; ``unused`` lists unknown lines with their numbers."""

    entries: tuple[NotebookEntry, ...]
    unused: tuple[tuple[int, str], ...]


def build_entry(note: Note) -> NotebookEntry:
    """Build the file entry of a rule."""
    rule = _fold_line(note.text)
    return NotebookEntry(
        name=fold_to_line(rule, limit=_MAX_NAME),
        rule=rule,
        missed=note.missed,
        status="cleared" if note.state == "cleared" else "active",
        example=_fold_line(note.why),
        category=category_name(note),
    )


def category_name(note: Note) -> str:
    """Return the category heading of a rule."""
    return _fold_line(note.tag) or GENERAL


def render_notebook(entries: Iterable[NotebookEntry]) -> str:
    """Render the file by category, most missed rules first."""
    by_category: dict[str, list[NotebookEntry]] = {}
    for entry in entries:
        by_category.setdefault(entry.category, []).append(entry)
    lines = [_TITLE]
    for category in sorted(by_category):
        lines += ["", f"## {category}"]
        own = sorted(by_category[category], key=lambda one: (-one.missed, one.name, one.rule))
        for entry in own:
            lines += ["", *_render_entry(entry)]
    return "\n".join(lines) + "\n"


def parse_notebook(text: str) -> NotebookPage:
    """Parse the file; a rule without text takes its name as text."""
    entries: list[NotebookEntry] = []
    unused: list[tuple[int, str]] = []
    category = GENERAL
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("### "):
            name = _fold_line(line[4:])
            entries.append(NotebookEntry(name, "", category=category))
        elif line.startswith("## "):
            category = _fold_line(line[3:]) or GENERAL
        elif line and not line.startswith("# "):
            taken = _apply_line(entries[-1], line) if entries else None
            if taken is None:
                unused.append((number, line))
            else:
                entries[-1] = taken
    named = (each if each.rule else each.but(rule=each.name) for each in entries)
    return NotebookPage(tuple(each for each in named if each.rule), tuple(unused))


def _render_entry(entry: NotebookEntry) -> Iterator[str]:
    yield f"### {entry.name}"
    yield f"- **Rule:** {entry.rule}"
    yield f"- **Missed:** {entry.missed} times"
    yield f"- **Status:** {entry.status}"
    if entry.example:
        yield f"- **Example:** {entry.example}"


def _apply_line(entry: NotebookEntry, line: str) -> NotebookEntry | None:
    """Return an entry updated by a line; None for an unknown line."""
    found = _ITEM.fullmatch(line)
    key, value = (found[1].strip().casefold(), _fold_line(found[2])) if found else ("", "")
    match key:
        case "rule":
            return entry.but(rule=value)
        case "example":
            return entry.but(example=value)
        case "missed" if number := _NUMBER.search(value):
            return entry.but(missed=min(int(number[0]), _MAX_MISSED))
        case "status" if value.casefold() in ("active", "cleared"):
            return entry.but(status=value.casefold())
    return None


def _fold_line(text: str) -> str:
    return fold_to_line(strip_unsafe(text), limit=_MAX_LENGTH)
