"""Set or remove one member of a JSON settings file; every other byte stays as its author wrote it.

The standard parser tells where members begin and end, and in the end whether the new text says what the
old one said but for the one change; if it does not, nothing is written.
"""

from __future__ import annotations

import json

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    Path = tuple[str, ...]

_BLANKS = " \t\r\n"
_BOM = "\ufeff"
_DECODER = json.JSONDecoder()


class Member(Value):
    """Where a key begins, where its value begins and where that ends."""

    key: str
    start: int
    value: int
    end: int


class Braces(Value):
    """An object in the text: its opening brace, its members, its closing brace."""

    opening: int
    members: tuple[Member, ...]
    closing: int

    def named(self, key: str) -> Member | None:
        """Return the member with this key; of two, the one that counts, which is the last."""
        return next((m for m in reversed(self.members) if m.key == key), None)


def document(text: str) -> dict[str, object]:
    """Return what the text says; ConfigError if it is no JSON object."""
    bare = text.removeprefix(_BOM)
    if not bare.strip(_BLANKS):
        return {}
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError("not a JSON object")
    return found


def value_at(text: str, path: Path) -> object:
    """Return what stands at ``path``, None if nothing does."""
    found: object = document(text)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def with_member(text: str, path: Path, value: object) -> str:
    """Return the text with ``value`` at ``path``; the same text if it is there already."""
    said = document(text)
    wanted = _with(said, path, value)
    if json.dumps(said) == json.dumps(wanted):
        return text
    new = _put(text, _root(text), path, value) if said else _begun(text, wanted)
    return _checked(new, wanted)


def without_member(text: str, path: Path) -> str:
    """Return the text without what stands at ``path``; the same text if nothing does."""
    said = document(text)
    wanted = _without(said, path)
    return text if said == wanted else _checked(_taken(text, _root(text), path), wanted)


def _put(text: str, braces: Braces, path: Path, value: object) -> str:
    there = braces.named(path[0])
    if there is None:
        for key in reversed(path[1:]):
            value = {key: value}
        return _added(text, braces, path[0], value)
    if len(path) > 1:
        return _put(text, _braces(text, there.value), path[1:], value)
    written = _written(text, value, _indent(text, there.start))
    return text[: there.value] + written + text[there.end :]


def _added(text: str, braces: Braces, key: str, value: object) -> str:
    """Add a member at the end, the way the others are written."""
    before = text[braces.opening + 1 : braces.members[0].start] if braces.members else ""
    if "\n" not in (before if braces.members else text.strip(_BLANKS)):
        comma, colon = (", ", ": ") if ": " in text else (",", ":")
        put = json.dumps({key: value}, ensure_ascii=False, separators=(comma, colon))[1:-1]
        at = braces.members[-1].end if braces.members else braces.closing
        return text[:at] + (comma if braces.members else "") + put + text[at:]
    outer = _indent(text, braces.opening)
    inner = before.rpartition("\n")[2] if before else outer + _unit(text)
    put = f"{_newline(text)}{inner}{json.dumps(key)}: {_written(text, value, inner)}"
    if braces.members:
        at = braces.members[-1].end
        return f"{text[:at]},{put}{text[at:]}"
    return f"{text[: braces.opening + 1]}{put}{_newline(text)}{outer}{text[braces.closing :]}"


def _taken(text: str, braces: Braces, path: Path) -> str:
    there = braces.named(path[0])
    if there is None:
        return text
    if len(path) > 1:
        return _taken(text, _braces(text, there.value), path[1:])
    start, end = _span(braces, there)
    rest = text[:start] + text[end:]
    return _taken(rest, _braces(rest, braces.opening), path)  # some wrote a key twice


def _span(braces: Braces, gone: Member) -> tuple[int, int]:
    """Return what goes with a member: the comma and the blanks between it and a neighbour."""
    at = braces.members.index(gone)
    if len(braces.members) == 1:
        return braces.opening + 1, braces.closing
    if at == 0:
        return gone.start, braces.members[1].start
    return braces.members[at - 1].end, gone.end


def _begun(text: str, wanted: dict[str, object]) -> str:
    """Write a text that says nothing yet."""
    mark = _BOM if text.startswith(_BOM) else ""
    rest = text.removeprefix(mark)
    end = rest[len(rest.rstrip(_BLANKS)) :] if rest.strip(_BLANKS) else _newline(text)
    return mark + _written(text, wanted, "") + end


def _written(text: str, value: object, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return lines.replace("\n", _newline(text) + indent)


def _root(text: str) -> Braces:
    return _braces(text, _skip(text, len(_BOM) if text.startswith(_BOM) else 0))


def _braces(text: str, opening: int) -> Braces:
    members = []
    at = _skip(text, opening + 1)
    while text[at] != "}":
        key, after = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, after) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(Member(key, at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Braces(opening, tuple(members), at)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _unit(text: str) -> str:
    """Return what one level is indented by: as the first line is, or two blanks."""
    for line in text.splitlines():
        bare = line.lstrip(" \t")
        if bare.startswith('"') and bare != line:
            return line[: len(line) - len(bare)]
    return "  "


def _indent(text: str, at: int) -> str:
    """Return what the line around ``at`` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with(said: dict[str, object], path: Path, value: object) -> dict[str, object]:
    if len(path) == 1:
        return said | {path[0]: value}
    inner = said.get(path[0], {})
    if not isinstance(inner, dict):
        raise ConfigError(f"{path[0]!r} is not an object")
    return said | {path[0]: _with(inner, path[1:], value)}


def _without(said: dict[str, object], path: Path) -> dict[str, object]:
    inner = said.get(path[0])
    if len(path) == 1 or not isinstance(inner, dict):
        return {key: old for key, old in said.items() if len(path) > 1 or key != path[0]}
    return said | {path[0]: _without(inner, path[1:])}


def _checked(text: str, wanted: dict[str, object]) -> str:
    if json.dumps(document(text)) != json.dumps(wanted):  # as text, so that the order counts too
        raise ConfigError("written in a way that leaves no room for our lines")
    return text
