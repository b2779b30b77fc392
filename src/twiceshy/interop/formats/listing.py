"""Lists under headings: an item is a bullet with the lines that belong to it, all else is prose.

    ## Testing

    - Run one file at a time. <!-- n… -->
      It is faster.
      why: the machine is small

Headings, code, comments and front matter are prose; what is indented below a bullet belongs to it.
"""

from __future__ import annotations

import re

from twiceshy.core.draft import Draft
from twiceshy.core.note import KINDS
from twiceshy.core.value import Value
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.pieces import (
    escape_comments,
    render_mark,
    split_lines,
    split_mark,
    unescape_comments,
)
from twiceshy.project.tasks.rules import DONE, OPEN

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import FileContext, Piece

BULLET = "- "
BOXES = {"[ ]": OPEN, "[x]": DONE, "[X]": DONE, "[]": OPEN}
_BEGINS = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])([ \t]{1,4})(?=\S)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_FENCES = ("```", "~~~")
_WHY = "why: "
_RULE = "---"


class ListItem(Value):
    """An item: raw text, content, reason, heading, mark and box."""

    raw: str
    text: str
    heading: str
    why: str = ""
    name: str = ""
    state: str = ""  # open or done, if it has a box


def split_list(text: str) -> Iterator[str | ListItem]:
    """Yield prose lines and whole items; together they are the text."""
    reading = _ListReader()
    head = front_matter_end(text)
    yield text[:head]
    for line in split_lines(text[head:]):
        yield from reading.take_line(line)
    yield from reading.finish_item()


def build_item(block: str | ListItem, about: FileContext, *, kind: Kind, subtype: str) -> Piece:
    """Return an item as a note, or as a task with a box; blank items are prose."""
    if isinstance(block, str):
        return block
    if not block.text:
        return block.raw
    kind, subtype = ("task", "") if block.state else (kind, subtype)
    draft = Draft(
        kind=kind,
        text=block.text,
        scope=about.scope,
        source="import",
        subtype=subtype,
        why=block.why,
        tag=block.heading,
        state=block.state or KINDS[kind][1][0],
    )
    return ParsedItem(raw=block.raw, key=block.name or draft.fingerprint, draft=draft)


def render_item(text: str, *, name: str = "", why: str = "", state: str = "") -> str:
    """Render an item with indented continuation lines, and a box for a state."""
    first, *more = escape_comments(text).split("\n")
    box = next((f"{box} " for box, told in BOXES.items() if told == state), "")
    kept = [BULLET + box + first.rstrip() + render_mark(name)]
    kept += [f"  {line.rstrip()}".rstrip() for line in more]
    kept += [f"  {_WHY}{' '.join(escape_comments(why).split())}"] if why.strip() else []
    return "\n".join(kept) + "\n"


def render_sections(notes: Iterable[Note], title: str) -> str:
    """Render notes as lists under their tags, untagged first."""
    by_tag: dict[str, list[Note]] = {}
    for note in notes:
        by_tag.setdefault(" ".join(note.tag.split()), []).append(note)
    parts = [f"# {title}\n"]
    for tag in sorted(by_tag):
        parts += [f"\n## {tag}\n"] if tag else []
        own = (_item_of_note(note) for note in by_tag[tag])
        parts += ["\n", *own]
    return "".join(parts)


def _item_of_note(note: Note) -> str:
    state = note.state if note.kind == "task" else ""
    return render_item(note.text, name=note.id, why=note.why, state=state)


def front_matter_end(text: str) -> int:
    """Return the end of the front matter; 0 if none."""
    first, *rest = split_lines(text[:100_000]) or [""]
    if first.rstrip() != _RULE:
        return 0
    until = len(first)
    for line in rest:
        until += len(line)
        if line.rstrip() == _RULE:
            return until
    return 0


class _ListReader:
    """State of reading a list: heading, code block, current item."""

    def __init__(self) -> None:
        self._heading = ""
        self._fence = ""
        self._comment = False
        self._item: list[str] = []
        self._margin = 0
        self._blank: list[str] = []  # lines that belong to the item if more of it follows

    def take_line(self, line: str) -> Iterator[str | ListItem]:
        if self._item and not self._ends_item(line):
            return
        yield from self.finish_item()
        begins = None if self._is_apart(line) else _BEGINS.match(line)
        if begins:
            self._item, self._margin = [line], begins.end()
        else:
            yield line

    def finish_item(self) -> Iterator[str | ListItem]:
        """Yield the last item, and the blank lines after."""
        if self._item:
            yield _build_block(self._item, self._margin, self._heading)
        yield from self._blank
        self._item, self._blank = [], []

    def _ends_item(self, line: str) -> bool:
        """Take a line into the item; True if it does not belong."""
        if not line.strip():
            self._blank.append(line)
            return False
        indented = line[0] == "\t" or line.startswith("  ")
        lazy = not self._blank and not _BEGINS.match(line) and not _opens_block(line)
        if not indented and not lazy:
            return True
        self._item += [*self._blank, line]
        self._blank = []
        return False

    def _is_apart(self, line: str) -> bool:
        """True for lines in or beginning code or a comment, and for headings."""
        bare = line.strip()
        if self._fence:
            self._fence = "" if bare.startswith(self._fence) else self._fence
            return True
        if self._comment or bare.startswith("<!--"):
            self._comment = "-->" not in bare
            return True
        self._fence = next((fence for fence in _FENCES if bare.startswith(fence)), "")
        if heading := _HEADING.match(line):
            title = split_mark(heading[2])[0].strip().rstrip("#").strip()
            self._heading = title if len(heading[1]) > 1 else ""  # the first level names the file
        return bool(self._fence or heading)


def _opens_block(line: str) -> bool:
    """True if a line begins a block that no item continues."""
    bare = line.lstrip()
    return bool(_HEADING.match(line)) or bare.startswith((*_FENCES, "<!--", ">", "|", _RULE))


def _build_block(raw: list[str], margin: int, heading: str) -> ListItem:
    first, name = split_mark(raw[0])
    said = [first[margin:].strip(), *(_dedent_lines(line, margin).rstrip() for line in raw[1:])]
    why = ""
    if len(said) > 1 and said[-1].startswith(_WHY):
        why = said.pop().removeprefix(_WHY).strip()
    text = "\n".join(said).strip()
    box = next((box for box in BOXES if text.startswith((f"{box} ", f"{box}\n"))), "")
    text = text[len(box) :].strip()
    return ListItem(
        "".join(raw),
        unescape_comments(text),
        heading,
        unescape_comments(why),
        name,
        BOXES.get(box, ""),
    )


def _dedent_lines(line: str, margin: int) -> str:
    if line.startswith("\t"):
        return line[1:]
    indent = len(line) - len(line.lstrip(" "))
    return line[min(indent, margin) :]
