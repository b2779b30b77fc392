"""Tell whether a note is about an error of another code: another exception, number, signal or port.

Errors of one wording differ in their code: ``ERROR 1044`` is not ``ERROR 1045``. A note with one
code of a kind is about another error than a line with other codes of that kind. A note with
several codes of a kind, or with none, is about all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    Code = tuple[str, str]  # its kind and its value

NAME = "name"
_NAME_ENDS = ("Error", "Exception", "Warning")
_APART = dict.fromkeys(map(ord, "[](){}<>,;=\"'`|"), " ") | {ord("\\"): "."}
_EDGES = ".:!?*#-"
_LOCAL = ("localhost", "*")
_FEWEST_DIGITS, _MOST_PREFIX = 3, 6  # of E0308, ORA-00942, NETSDK1045
_PORT_DIGITS = 5
_LEAST_PORT = 1000  # with a host that may be a file or an image
_SHORTEST = 5  # of ENOENT and SIGSEGV
_STATUSES = range(100, 600)
_NUMBERED = frozenset("error status http https".split())
_FILLERS = frozenset("code is no number nr status".split())
_EXITS = frozenset("exit exited exits return returned".split())
_PLAIN = frozenset(
    "EMAIL EMPTY ENABLE ENABLED ENGINE ENTER ENTRY ERROR ERRORS EVENT EVENTS EXCEPTION EXECUTE EXISTS"
    " EXITED EXPECTED EXPORT EXTRA SIGNAL SIGNALS SIGNED SIGNATURE".split()
)


def names_other_code(text: str, lines: Sequence[str], related: Collection[int]) -> bool:
    """True if a text has one code of a kind, and an error only others.

    ``related`` are the places of the lines that the text may be about.
    """
    own = list(_read_each(text.splitlines()))
    everywhere = list(_read_each(lines))
    there = {kind for kind, _ in _read_each(lines[at] for at in related)}
    for kind in there.intersection(kind for kind, _ in own):
        values = [value for each, value in own if each == kind]
        others = [value for each, value in everywhere if each == kind]
        is_one = all(_is_same(kind, values[0], value) for value in values)
        if is_one and not any(_is_same(kind, values[0], value) for value in others):
            return True
    return False


def _read_each(lines: Iterable[str]) -> Iterator[Code]:
    for line in lines:
        yield from read_codes(line)


def read_codes(line: str) -> Iterator[Code]:
    """Yield the codes of a line, each with its kind."""
    if not line.isascii():
        line = "".join(char if char.isascii() else " " for char in line)
    words = line.translate(_APART).split()
    plain = [word.strip(_EDGES) for word in words]
    for at, word in enumerate(words):
        if port := _read_port(word.rstrip(_EDGES)):
            yield "port", port
        elif plain[at].isdigit():
            yield from _read_number(
                plain[at].lstrip("0") or "0", [each.lower() for each in plain[:at]]
            )
        else:
            for piece in plain[at].split(":"):
                yield from _read_word(piece.strip(_EDGES))


def _read_port(word: str) -> str:
    """Return the port of an address; empty for a line of a file, and for a time."""
    _, is_url, rest = word.rpartition("//")
    host, colon, port = rest.partition("/")[0].rpartition(":")
    if not colon or not port.isdigit() or len(port) > _PORT_DIGITS:
        return ""
    is_number = host.replace(".", "").isdigit() and "." in host
    if is_url or is_number or host in _LOCAL:
        return port
    is_name = not host or ("." not in host and ":" not in host and not host.isdigit())
    return port if is_name and int(port) >= _LEAST_PORT else ""


def _read_number(number: str, before: Sequence[str]) -> Iterator[Code]:
    """Yield a number as a code if the words before it say that it is one."""
    words = [word for word in before[-3:] if word not in _FILLERS or word == "status"]
    last = words[-1] if words else ""
    if before[-1:] == ["port"]:
        yield "port", number
    elif last == "errno" or words[-2:] == ["os", "error"]:
        yield "errno", number
    elif (last in _NUMBERED or last.startswith("http/")) and _EXITS.isdisjoint(before[-3:-1]):
        if len(number) <= _PORT_DIGITS and int(number) in _STATUSES:
            yield "status", number
        elif len(number) >= _FEWEST_DIGITS:
            yield "error", number


def _read_word(word: str) -> Iterator[Code]:
    last = word.rpartition(".")[2]
    if last.endswith(_NAME_ENDS):
        if last[0].isupper() and last not in _NAME_ENDS and last.isidentifier():
            yield NAME, word
    elif word.isupper() and "_" not in word and word not in _PLAIN:
        yield from _read_capitals(word)
    elif word.startswith("ERR_"):
        yield "ERR", word


def _read_capitals(word: str) -> Iterator[Code]:
    head = word.rstrip("0123456789")
    number, prefix = word[len(head) :], head.rstrip("-")
    if not prefix.isalpha():
        return
    if number:
        if len(number) >= _FEWEST_DIGITS and len(prefix) <= _MOST_PREFIX:
            yield prefix, number
    elif len(word) >= _SHORTEST and word.startswith(("E", "SIG")):
        yield ("signal" if word.startswith("SIG") else "E"), word


def _is_same(kind: str, one: str, other: str) -> bool:
    """True for equal codes; names of errors are compared with their module if both have one."""
    if kind != NAME:
        return one == other
    own, others = one.split("."), other.split(".")
    if own[-1] != others[-1]:
        return False
    return len(own) == 1 or len(others) == 1 or own[0] == others[0] or _ends_alike(own, others)


def _ends_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    most = min(len(one), len(other))
    return list(one[-most:]) == list(other[-most:])
