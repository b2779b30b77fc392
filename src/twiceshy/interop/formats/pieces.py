"""What readers share: lines with their ends, pieces in order, and the mark by which a note is known again.

A mark is a comment at the end of a line, ``<!-- n… -->``: readers of Markdown do not show it, and a
person who rewords the line leaves it alone. It says which note is meant, and proves nothing: who reads
a file compares it with what was written there.
"""

from __future__ import annotations

import re

from twiceshy.core import moment

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.evidence import Episode
    from twiceshy.interop.formats import Piece

BOM = "\ufeff"
_OPEN, _CLOSE = "<!--", "-->"
_ESCAPED = "&lt;!--"
_ID = re.compile(r"n[0-9a-hjkmnp-tv-z]{17}|checkpoint:[\w.-]{1,64}")


def cut(text: str, take: Callable[[str], Iterable[Piece]]) -> tuple[Piece, ...]:
    """Take a text apart behind the mark that some editors begin a file with."""
    bom = BOM if text.startswith(BOM) else ""
    return settled((bom, *take(text[len(bom) :])))


def settled(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return pieces with neighbouring prose as one, and no key twice."""
    done: list[Piece] = []
    prose: list[str] = []
    counts: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, str):
            prose.append(piece)
            continue
        done += [whole] if (whole := "".join(prose)) else []
        prose = []
        done.append(piece.but(key=_own_key(piece.key, counts)))
    done += [whole] if (whole := "".join(prose)) else []
    return tuple(done)


def lines(text: str) -> list[str]:
    """Split at line feeds alone, each line with its end; together they are the text."""
    *whole, last = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def mark(name: str) -> str:
    """Write which note a line is; a name that is none of ours is not written."""
    return f" {_OPEN} {name} {_CLOSE}" if _ID.fullmatch(name) else ""


def marked(line: str) -> tuple[str, str]:
    """Return a line without the mark at its end, and what the mark says."""
    body = line.rstrip()
    at = body.rfind(_OPEN)
    name = body[at + len(_OPEN) : -len(_CLOSE)].strip() if body.endswith(_CLOSE) else ""
    if at < 0 or not _ID.fullmatch(name):
        return line, ""
    return body[:at].rstrip() + line[len(body) :], name


def unmarkable(text: str) -> str:
    """Return a text in which no comment begins."""
    return text.replace(_OPEN, _ESCAPED)


def as_said(text: str) -> str:
    """Return a text as it was before it was made unmarkable."""
    return text.replace(_ESCAPED, _OPEN)


def day_at(text: str) -> int:
    """Return when a day or a month began, 0 if it is none."""
    try:
        return moment.parse_day(text.strip())
    except ValueError:
        return 0


def stamp_at(text: str) -> int:
    """Return the moment that a stamp means, 0 if it means none."""
    try:
        return moment.parse_stamp(text.strip())
    except ValueError:
        return 0


def reworded(was: Episode, now: Episode, names: Iterable[str]) -> dict[str, object]:
    """Return the fields that a file tells of in other words than before."""
    told = {name: getattr(now, name) for name in names}
    return {name: value for name, value in told.items() if value != getattr(was, name)}


def one_name(*parts: str) -> str:
    """Return a short name that is the same for the same parts."""
    import hashlib  # noqa: PLC0415 - loads a shared library, and only what reads files comes here

    said = "\x1f".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(said).hexdigest()[:31]


def _own_key(key: str, counts: dict[str, int]) -> str:
    count = counts.get(key, 0) + 1
    own = key if count == 1 else f"{key}#{count}"
    while count > 1 and own in counts:
        count += 1
        own = f"{key}#{count}"
    counts[key] = count
    counts.setdefault(own, 1)
    return own
