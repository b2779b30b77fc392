"""Files with a title, facts in bold, and sections under headings."""

import re
from collections.abc import Iterator

from twiceshy.core.value import Value
from twiceshy.interop.formats.listing import front_matter_end
from twiceshy.interop.formats.pieces import parse_day_or_zero

_FIELD = re.compile(r"(?:[-*] )?\*\*([^*:\n]{1,60}):?\*\*:?[ \t]*(.*)")
_DAY = re.compile(r"(?<!\d)(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
BULLETS = ("- ", "* ", "+ ")


class HeadedFile(Value):
    """A parsed file: title, facts, and section lines, names in lower case."""

    title: str
    front: dict[str, str]
    facts: dict[str, str]
    sections: dict[str, list[str]]

    def find_section(self, name: str) -> list[str]:
        """Return the lines of the first section with this word in its heading."""
        return next((told for head, told in self.sections.items() if name in head), [])


def parse_headed(text: str) -> HeadedFile:
    """Parse such a file; accepts any text."""
    at = front_matter_end(text)
    said = HeadedFile("", dict(_parse_facts(text[:at])), {}, {})
    title, section = "", ""
    for line in text[at:].splitlines():
        bare = line.strip()
        if line.startswith("## "):
            section = bare[3:].strip(" #").lower()
            said.sections.setdefault(section, [])
        elif line.startswith("# ") and not section:
            title = title or bare[2:].strip()
        elif section:
            said.sections[section].append(unescape_line(line))
        elif found := _FIELD.fullmatch(bare):
            said.facts.setdefault(found[1].strip().lower(), unescape_line(found[2].strip()))
    return said.but(title=title)


def list_bullets(told: list[str]) -> tuple[str, ...]:
    """Return the items of a section."""
    bare = (line.strip() for line in told)
    return tuple(line[2:].strip() for line in bare if line.startswith(BULLETS))


def last_bullet_line(told: list[str]) -> int:
    """Return the line after the last item; 0 if none."""
    return max((n for n, line in enumerate(told) if line.lstrip().startswith(BULLETS)), default=0)


def unescape_line(line: str) -> str:
    """Return a line before escaping."""
    return (line[1:] if line.startswith("\\#") else line).replace("&lt;", "<")


def find_day(*texts: str) -> int:
    """Return the start of the first day named in texts; 0 if none."""
    for text in texts:
        for found in _DAY.finditer(text[:500]):
            if at := parse_day_or_zero("-".join(found.groups())):
                return at
    return 0


def _parse_facts(front: str) -> Iterator[tuple[str, str]]:
    for line in front.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            yield key.strip().lower(), value.strip().strip("\"'")
