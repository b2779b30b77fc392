"""The words by which a payload's bytes tell that a trigger may be about its call."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.trigger import Trigger

FOLDER = "watch"  # in the memory home
# What stands in a payload whose call may be one of ours: a tool of our server, or our command.
OURS = (b"twiceshy__\n", b"twiceshy \n")
_BETWEEN = b"\t"
_QUOTES = b"\\\"'"
_QUOTED = frozenset(_QUOTES.decode())
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def name_of(what: bytes) -> str:
    """Return the name of the file about a project or a directory; no library is loaded for it."""
    number = _OFFSET
    for byte in what:
        number = ((number ^ byte) * _PRIME) & _MASK
    return f"{number:016x}"


def watchwords(trigger: Trigger) -> bytes:
    """Return a line of words that stand, but for quotes, in the bytes of every payload it matches."""
    words = (gram.partition("=")[2] or gram for gram in trigger.grams)
    plain = [word for word in words if _plain(word) and not _QUOTED.intersection(word)]
    return _BETWEEN.join(word.encode() for word in sorted(plain)) + b"\n"


def _plain(word: str) -> bool:
    """Tell whether JSON writes a word as it is."""
    return word.isascii() and word.isprintable()


def heard(lines: bytes, raw: bytes) -> bool:
    """Tell whether all words of any line stand in a payload; a line without words is always heard."""
    bare = raw.translate(None, _QUOTES)  # gi"t" is what a shell makes of it
    return any(all(word in bare for word in line.split(_BETWEEN)) for line in lines.splitlines())
