"""Where the parts of a JSON text stand, so that one of them can change and the rest stays as it is."""

from __future__ import annotations

import re

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANKS = " \t\r\n"
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[,{}\[\]]|\s+|[^\s",{}\[\]]+|"', re.DOTALL)
_OPENING = ("", "[", "{", ",")


class Part(Value):
    """A value inside a text: under which key of the outermost object, and from where to where."""

    key: str
    start: int
    end: int
    value: object


def members(text: str) -> list[Part]:
    """Return what the object that a text is holds; ValueError if it is none."""
    try:
        return list(_members(text))
    except (IndexError, RecursionError) as error:
        raise ValueError(str(error)) from None


def elements(text: str, part: Part) -> list[Part]:
    """Return what a list in a text holds; nothing if the part is no list."""
    if not isinstance(part.value, list) or not part.value:
        return []
    found = []
    at = part.start
    for _ in part.value:
        at = _past(text, at + 1)  # behind the bracket or the comma
        value, end = _value(text, at)
        found.append(Part(part.key, at, end, value))
        at = _past(text, end)
    return found


def with_commas(text: str) -> str:
    """Return a text with the commas that parts which came and went left wrong put right."""
    kept: list[str] = []
    last, comma, closed = "", -1, -1
    for sign in _TOKEN.findall(text):
        if sign[0] in _BLANKS or (sign == "," and last in _OPENING):
            kept.append(sign if sign[0] in _BLANKS else "")
            continue
        if sign in ("]", "}") and last == ",":
            kept[comma] = ""
        if sign == "{" and last == "}":
            kept[closed] += ","
        comma = len(kept) if sign == "," else comma
        closed = len(kept) if sign == "}" else closed
        kept.append(sign)
        last = sign
    return "".join(kept)


def _members(text: str) -> Iterator[Part]:
    at = _expect(text, _past(text, 0), "{")
    while text[at] != "}":
        key, at = _value(text, at)
        if not isinstance(key, str):
            raise ValueError("a key is no string")
        at = _expect(text, _past(text, at), ":")
        value, end = _value(text, at)
        yield Part(key, at, end, value)
        at = _past(text, end)
        at = _expect(text, at, ",") if text[at] != "}" else at
    if text[at + 1 :].strip(_BLANKS):
        raise ValueError("something stands behind the object")


def _expect(text: str, at: int, char: str) -> int:
    if text[at] != char:
        raise ValueError(f"no {char!r} at {at}")
    return _past(text, at + 1)


def _past(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _value(text: str, at: int) -> tuple[object, int]:
    import json  # noqa: PLC0415 - only who reads such a file needs it

    value, end = json.JSONDecoder().raw_decode(text, at)
    return value, end
