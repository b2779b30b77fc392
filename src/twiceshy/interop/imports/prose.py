"""Split Markdown into bullets and paragraphs, with lines and headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.interop.formats.listing import ListItem, front_matter_end, split_list
from twiceshy.safety.redact.marks import find_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.interop.imports import OfferedItem

    Front = Mapping[str, str | tuple[str, ...]]

_FENCES = ("```", "~~~")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*\s*")


class ProseItem(Value):
    """A bullet or paragraph: first line number, and headings."""

    line: int
    text: str
    headings: tuple[str, ...] = ()
    bullet: bool = False
    why: str = ""
    state: str = ""  # open or done, if it is a bullet with a box

    @property
    def nearest_heading(self) -> str:
        """Return the nearest heading in lower case."""
        return self.headings[-1].casefold() if self.headings else ""


def split_prose(text: str, *, first: int = 1) -> Iterator[ProseItem]:
    """Split a text; ``first`` is the number of its first line."""
    reading = _ProseReader()
    line = first
    for block in split_list(text):
        if isinstance(block, ListItem):
            yield from reading.take_paragraph()
            item = ProseItem(line, block.text, reading.headings, bullet=True)
            yield item.but(why=block.why, state=block.state)
            line += block.raw.count("\n")
        else:
            yield from reading.take_prose_line(line, block)
            line += block.count("\n")
    yield from reading.take_paragraph()


def split_front_matter(text: str) -> tuple[Front, str, int]:
    """Return front matter, body, and the first line number of the body."""
    at = front_matter_end(text)
    return _parse_fields(text[:at].splitlines()[1:-1]), text[at:], text[:at].count("\n") + 1


def is_redacted(offered: OfferedItem) -> OfferedItem:
    """True if redaction removed text before splitting."""
    said = offered.draft or offered.episode
    texts = [value for value in said.fields().values() if isinstance(value, str)] if said else []
    return offered.but(redacted=True) if any(map(find_marks, texts)) else offered


def _parse_fields(lines: list[str]) -> Front:
    """Parse ``key: value`` and ``key:`` with a list; deeper levels are ignored."""
    fields: dict[str, str | tuple[str, ...]] = {}
    key = ""
    for line in lines:
        bare = line.strip()
        if bare.startswith("- ") and key:
            listed = fields.get(key)
            before = listed if isinstance(listed, tuple) else ()
            fields[key] = (*before, _unquote_value(bare[2:]))
        elif line[:1].strip() and ":" in line:
            key, _, value = (part.strip() for part in line.partition(":"))
            flow = value.startswith("[") and value.endswith("]")
            words = tuple(map(_unquote_value, value[1:-1].split(",")))
            fields[key] = words if flow else _unquote_value(value)
    return fields


def _unquote_value(text: str) -> str:
    word = text.strip()
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


class _ProseReader:
    """State of reading prose between bullets: headings and paragraph."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._began = 0
        self._fence = ""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(heading for _, heading in self._headings)

    def take_prose_line(self, number: int, line: str) -> Iterator[ProseItem]:
        """Take a prose line; the end of a paragraph yields the paragraph."""
        bare = line.strip()
        heading = None if self._is_in_code(bare) else _HEADING.fullmatch(line)
        if heading or not (bare or self._fence):
            yield from self.take_paragraph()
        if heading:
            depth = len(heading[1])
            self._headings = [each for each in self._headings if each[0] < depth]
            self._headings.append((depth, heading[2]))
        elif bare or self._fence:
            self._began = self._began if self._lines else number
            self._lines.append(line.rstrip())

    def take_paragraph(self) -> Iterator[ProseItem]:
        """Yield the last paragraph."""
        text = "\n".join(self._lines).strip()
        if text:
            yield ProseItem(self._began, text, self.headings)
        self._lines = []

    def _is_in_code(self, bare: str) -> bool:
        """True for lines of a code block, fences included."""
        if self._fence:
            self._fence = "" if bare.startswith(self._fence) else self._fence
            return True
        self._fence = next((mark for mark in _FENCES if bare.startswith(mark)), "")
        return bool(self._fence)
