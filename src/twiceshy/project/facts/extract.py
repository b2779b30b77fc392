"""Extract facts from a session file; report each unusable line with its number.

A session file has headings for decisions, patterns and issues, with one list item per fact below:
``- [type] text: reason``, ``- [type] text`` and ``- [type] text: open``. Agents follow the format
loosely, so a fact is dropped only when no text is left, and every dropped line is reported.
"""

from __future__ import annotations

import re
from itertools import pairwise

from twiceshy.core.value import Value
from twiceshy.project.facts.items import FACT_KINDS, FactItem, parse_fact, parse_state
from twiceshy.safety.redact.marks import build_mark, find_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.project.facts.items import Fact, FactKind

_SECTIONS = {name: kind for kind in FACT_KINDS for name in (kind, f"{kind}s")}
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_SESSION = re.compile(r"(?i)#\s+session\s+([\w.-]{1,64})\s*")
_BULLET = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")
_TYPED = re.compile(r"\[[a-z][\w |/-]+\](?!\()", re.IGNORECASE)
_DETAIL = re.compile(r"(?i)[*_`]*(files?|concepts?|reason|why|status)[*_`]*\s*[:：]\s*(.*)")
_KEYS = {
    "file": "files",
    "files": "files",
    "concept": "concepts",
    "concepts": "concepts",
    "reason": "why",
    "why": "why",
    "status": "state",
}
_FENCES = ("```", "~~~")
_TAB = 4
_NESTED = 2  # columns by which an item is indented that belongs to another


class UnusedLine(Value):
    """Line of a session file outside every fact, with the reason."""

    line: int
    text: str
    reason: str


class ExtractedFacts(Value):
    """Facts of a session file in file order, and the unusable lines."""

    session: str
    facts: tuple[Fact, ...]
    unused: tuple[UnusedLine, ...]


def extract_facts(text: str, *, redact: Callable[[str], str] = str) -> ExtractedFacts:
    """Extract the facts of a session file; accepts any text.

    The text is redacted before it is split, because a secret of several lines or an unclosed private
    passage is recognisable only in the whole text. Lines keep their numbers in the file.
    """
    raw = text.replace("\r\n", "\n").split("\n")
    lines = redact(text.replace("\r\n", "\n")).split("\n")
    numbers = list(_map_line_numbers(raw, lines))
    reader = _FactReader()
    for number, line in zip(numbers, _drop_open_fence(lines), strict=True):
        reader.read_line(number, line)
    read = [(item, parse_fact(item)) for item in reader.items]
    unused = [*reader.unused, *_list_hidden_lines(raw, numbers)]
    for item, said in read:
        if isinstance(said, str):
            unused += [UnusedLine(number, line, said) for number, line in item.lines]
    return ExtractedFacts(
        session=reader.session,
        facts=tuple(said for _, said in read if not isinstance(said, str)),
        unused=tuple(sorted(unused, key=lambda one: one.line)),
    )


def _map_line_numbers(raw: Sequence[str], lines: Sequence[str]) -> Iterator[int]:
    """Yield the original number of each line left after redaction."""
    if len(raw) == len(lines):
        yield from range(1, len(raw) + 1)
        return
    after = 0
    for line in lines:
        found = find_marks(line)
        begins = line[: found[0][0]] if found else line
        following = enumerate(raw[after:], start=after)
        same = (at for at, old in following if (old.startswith(begins) if found else old == line))
        after = next(same, min(after, len(raw) - 1)) + 1
        yield after


def _list_hidden_lines(raw: Sequence[str], numbers: Sequence[int]) -> Iterator[UnusedLine]:
    """Yield a record for each run of lines removed by redaction."""
    for here, following in pairwise([*numbers, len(raw) + 1]):
        count = sum(1 for line in raw[here : following - 1] if line.strip())
        if count:
            yield UnusedLine(here + 1, build_mark("private"), f"private or secret, lines: {count}")


def _drop_open_fence(lines: Sequence[str]) -> list[str]:
    """Blank an unclosed code fence, which would turn the rest of the file into code."""
    fences = [at for at, line in enumerate(lines) if line.strip().startswith(_FENCES)]
    stray = fences[-1] if len(fences) % 2 else -1
    return ["" if at == stray else line for at, line in enumerate(lines)]


class _FactReader:
    """Line-by-line parser with the current section and item."""

    def __init__(self) -> None:
        self.session = ""
        self.items: list[FactItem] = []
        self.unused: list[UnusedLine] = []
        self._kind: FactKind | None = None
        self._level = 0
        self._item: FactItem | None = None
        self._indent = 0
        self._fenced = False
        self._open = False  # whether a line that is not indented still belongs to the item

    def read_line(self, number: int, line: str) -> None:
        bare = line.strip()
        if bare.startswith(_FENCES):
            self._fenced = not self._fenced
            return
        if self._fenced:
            self._reject_in_section(number, bare, "it is inside a block of code")
        elif heading := _HEADING.fullmatch(line.rstrip()):
            self._read_heading(heading)
        elif not bare:
            self._open = False
        elif bullet := _BULLET.match(line):
            self._read_bullet(number, line, bullet)
        else:
            self._continue_item(number, line)

    def _read_heading(self, heading: re.Match[str]) -> None:
        """Open or close a section; a deeper heading only divides the current section."""
        level = len(heading[1])
        kind = _SECTIONS.get(heading[2].strip(" #:：*_").casefold())
        named = _SESSION.fullmatch(heading[0])
        if named and not self.session:
            self.session = named[1]
        self._item = None
        if kind or level <= self._level:
            self._kind, self._level = kind, level if kind else 0

    def _read_bullet(self, number: int, line: str, bullet: re.Match[str]) -> None:
        said = line[bullet.end() :].strip()
        indent = len(bullet[1].expandtabs(_TAB))
        detail = _DETAIL.fullmatch(said)
        key = _KEYS[detail[1].casefold()] if detail else ""
        nested = self._item is not None and indent >= self._indent + _NESTED
        if self._kind is None:
            if _TYPED.match(said):
                self._reject_line(number, line, "it is below no heading for facts")
        elif detail and (nested or key in ("files", "concepts")):
            self._read_detail(number, line, key, detail[2])
        elif nested:
            why = "below an item only files:, concepts:, reason: and status: are read"
            self._reject_in_section(number, line, why)
            self._open = False
        else:
            self._item = FactItem(self._kind, [(number, line.strip())], [said], {})
            self.items.append(self._item)
            self._indent, self._open = indent, True

    def _read_detail(self, number: int, line: str, key: str, value: str) -> None:
        if self._item is None:
            self._reject_in_section(number, line, "it belongs to no item")
            return
        if key == "state" and not (self._item.kind == "issue" and parse_state(value)):
            self._reject_in_section(number, line, "only an issue has a status, open or resolved")
            return
        self._item.lines.append((number, line.strip()))
        self._item.details.setdefault(key, []).append(value)
        self._open = False

    def _continue_item(self, number: int, line: str) -> None:
        """Append a line to the current item if it is indented or follows directly."""
        if self._item and (self._open or line[0].isspace()) and not self._item.details:
            self._item.lines.append((number, line.strip()))
            self._item.text_lines.append(line.strip())
        else:
            self._reject_in_section(number, line, "it is no item of a list")

    def _reject_in_section(self, number: int, line: str, reason: str) -> None:
        if self._kind:
            self._reject_line(number, line, reason)

    def _reject_line(self, number: int, line: str, reason: str) -> None:
        if line.strip():
            self.unused.append(UnusedLine(number, line.strip(), reason))
