"""What a Markdown text says piece by piece: bullets and paragraphs, each with its line and its headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.interop.formats.listing import Block, blocks, front_matter
from twiceshy.safety.redact.marks import marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.interop.imports import Offered

    Front = Mapping[str, str | tuple[str, ...]]

_FENCES = ("```", "~~~")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*\s*")


class Said(Value):
    """One bullet or paragraph: the number of its first line, and the headings that it stands under."""

    line: int
    text: str
    headings: tuple[str, ...] = ()
    bullet: bool = False
    why: str = ""
    state: str = ""  # open or done, if it is a bullet with a box

    @property
    def heading(self) -> str:
        """Return the nearest heading, in small letters."""
        return self.headings[-1].casefold() if self.headings else ""


def pieces(text: str, *, first: int = 1) -> Iterator[Said]:
    """Take a text apart; ``first`` is the number of its first line."""
    reading = _Reading()
    line = first
    for block in blocks(text):
        if isinstance(block, Block):
            yield from reading.paragraph()
            headings = reading.headings
            yield Said(line, block.text, headings, bullet=True, why=block.why, state=block.state)
            line += block.raw.count("\n")
        else:
            yield from reading.prose(line, block)
            line += block.count("\n")
    yield from reading.paragraph()


def front(text: str) -> tuple[Front, str, int]:
    """Return the front matter of a text, what follows it, and the number of the line where that begins."""
    at = front_matter(text)
    return _fields(text[:at].splitlines()[1:-1]), text[at:], text[:at].count("\n") + 1


def marked(offered: Offered) -> Offered:
    """Tell whether redaction took something out of a piece before it was one."""
    said = offered.draft or offered.episode
    texts = [value for value in said.fields().values() if isinstance(value, str)] if said else []
    return offered.but(redacted=True) if any(map(marks, texts)) else offered


def _fields(lines: list[str]) -> Front:
    """Read ``key: value`` and ``key:`` with a list; anything deeper says nothing to us."""
    fields: dict[str, str | tuple[str, ...]] = {}
    key = ""
    for line in lines:
        bare = line.strip()
        if bare.startswith("- ") and key:
            listed = fields.get(key)
            fields[key] = (*(listed if isinstance(listed, tuple) else ()), _unquoted(bare[2:]))
        elif line[:1].strip() and ":" in line:
            key, _, value = (part.strip() for part in line.partition(":"))
            flow = value.startswith("[") and value.endswith("]")
            words = tuple(map(_unquoted, value[1:-1].split(",")))
            fields[key] = words if flow else _unquoted(value)
    return fields


def _unquoted(text: str) -> str:
    word = text.strip()
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


class _Reading:
    """How far the prose between bullets was read: under which headings, and in which paragraph."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._began = 0
        self._fence = ""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(heading for _, heading in self._headings)

    def prose(self, number: int, line: str) -> Iterator[Said]:
        """Take a line that is no bullet; one that ends a paragraph gives that."""
        bare = line.strip()
        heading = None if self._in_code(bare) else _HEADING.fullmatch(line)
        if heading or not (bare or self._fence):
            yield from self.paragraph()
        if heading:
            depth = len(heading[1])
            self._headings = [each for each in self._headings if each[0] < depth]
            self._headings.append((depth, heading[2]))
        elif bare or self._fence:
            self._began = self._began if self._lines else number
            self._lines.append(line.rstrip())

    def paragraph(self) -> Iterator[Said]:
        """Yield the paragraph that was read last."""
        text = "\n".join(self._lines).strip()
        if text:
            yield Said(self._began, text, self.headings)
        self._lines = []

    def _in_code(self, bare: str) -> bool:
        """Tell whether a line belongs to a block of code, its first and last included."""
        if self._fence:
            self._fence = "" if bare.startswith(self._fence) else self._fence
            return True
        self._fence = next((mark for mark in _FENCES if bare.startswith(mark)), "")
        return bool(self._fence)
