"""Words in the bytes of a payload that a trigger needs."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.trigger import Trigger

FOLDER = "watch"  # in the memory home
STRICT = ".strict"  # after a project's name: the words of rules and guards that stop calls
# What stands in a payload whose call may be one of ours: a tool of our server, or our command.
OURS = (b"twiceshy__\n", b"twiceshy \n")
# Variables that change what hooks watch, or the store that they ask.
VARIABLES = (
    b"TWICESHY_GUARDS_",
    b"TWICESHY_KEEPER_BANNER",
    b"TWICESHY_REWRITES_",
    b"TWICESHY_STOPS_",
    b"TWICESHY_STORE",
)
_BETWEEN = b"\t"
_QUOTES = b"\\\"'"
_QUOTED = frozenset(_QUOTES.decode())
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def hash_name(what: bytes) -> str:
    """Return the file name for a project or directory; loads no hash library."""
    number = _OFFSET
    for byte in what:
        number = ((number ^ byte) * _PRIME) & _MASK
    return f"{number:016x}"


def name_watch_file(what: bytes, environ: Mapping[str, str] | Mapping[bytes, bytes]) -> str:
    """Return the prefilter file for a project or directory, apart for each set of ``VARIABLES``.

    A variable counts for its own process, so no process reads what one with other variables wrote.
    """
    said = [
        b"\0%b=%b" % (_encode(name), _encode(value))
        for name, value in environ.items()
        if _encode(name).startswith(VARIABLES)
    ]
    return hash_name(what + b"".join(sorted(said)))


def _encode(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def required_words(trigger: Trigger) -> bytes:
    """Return the words present (quotes aside) in every payload matched by a trigger."""
    # the name of an argument may hold a = itself, and then nothing stands behind its last one
    words = (term.partition("=")[2].rstrip("=:") or term.rstrip("=:") for term in trigger.words)
    plain = [word for word in words if _is_plain_json(word) and not _QUOTED.intersection(word)]
    return _BETWEEN.join(word.encode() for word in sorted(plain)) + b"\n"


def _is_plain_json(word: str) -> bool:
    """True if JSON writes a word without escapes."""
    return word.isascii() and word.isprintable()


def payload_may_match(lines: bytes, raw: bytes) -> bool:
    """True if every word of some line is in the payload, in any case; an empty line always matches."""
    bare = raw.translate(None, _QUOTES).lower()  # gi"t" is what a shell makes of it
    return any(
        all(word in bare for word in line.split(_BETWEEN)) for line in lines.lower().splitlines()
    )
