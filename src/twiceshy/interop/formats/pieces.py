"""Shared parsing: lines, pieces, and marks that identify notes.

A mark is a comment at the end of a line, ``<!-- n… -->``: Markdown readers hide it, and a
person who rewords the line leaves it. A mark names a note and proves nothing: readers
compare with our last version.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from twiceshy.core import moment
from twiceshy.core.evidence import Episode

_OPEN, _CLOSE = "<!--", "-->"
_ESCAPED = "&lt;!--"
_ID = re.compile(r"n[0-9a-hjkmnp-tv-z]{17}|checkpoint:[\w.-]{1,64}")


def split_lines(text: str) -> list[str]:
    """Split at line feeds only, keeping line ends."""
    *whole, last = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def split_blocks(text: str, begins: Callable[[str], object]) -> Iterator[list[str]]:
    """Yield runs of lines; each run but the first starts with a line that begins a block."""
    block: list[str] = []
    for line in split_lines(text):
        if block and begins(line):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def render_mark(name: str) -> str:
    """Render the mark of a note; foreign names give no mark."""
    return f" {_OPEN} {name} {_CLOSE}" if _ID.fullmatch(name) else ""


def split_mark(line: str) -> tuple[str, str]:
    """Split a line from its trailing mark."""
    body = line.rstrip()
    at = body.rfind(_OPEN)
    name = body[at + len(_OPEN) : -len(_CLOSE)].strip() if body.endswith(_CLOSE) else ""
    if at < 0 or not _ID.fullmatch(name):
        return line, ""
    return body[:at].rstrip() + line[len(body) :], name


def escape_comments(text: str) -> str:
    """Return a text without comment starts."""
    return text.replace(_OPEN, _ESCAPED)


def unescape_comments(text: str) -> str:
    """Revert the escaping of comment starts."""
    return text.replace(_ESCAPED, _OPEN)


def flatten_text(text: str) -> str:
    """Return a text on one line, without comment starts."""
    return " ".join(escape_comments(text).split())


def parse_day_or_zero(text: str) -> int:
    """Parse a day or month; 0 if invalid."""
    try:
        return moment.parse_day(text.strip())
    except ValueError:
        return 0


def parse_stamp_or_zero(text: str) -> int:
    """Parse a time stamp; 0 if invalid."""
    try:
        return moment.parse_stamp(text.strip())
    except ValueError:
        return 0


def changed_fields(was: Episode, now: Episode, names: Iterable[str]) -> dict[str, object]:
    """Return the fields changed in a file."""
    told = {name: getattr(now, name) for name in names}
    return {name: value for name, value in told.items() if value != getattr(was, name)}


def stable_name(*parts: str) -> str:
    """Return a short stable name for given parts."""
    import hashlib  # noqa: PLC0415 - loads a shared library, and only what reads files comes here

    said = "\x1f".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(said).hexdigest()[:31]
