"""Find the positions of parts of a JSON text, so that a part can change alone.

In a text with comments, use ``blank_comments`` first: every character keeps its position.
"""

from __future__ import annotations

import json
import re

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANKS = " \t\r\n"
BOM = "\ufeff"
_DECODER = json.JSONDecoder()
_CLOSING = {"{": "}", "[": "]"}
_COMMENT = ("//", "/*")
_TOKEN = re.compile(
    r"//[^\r\n]*"
    r"|/\*.*?(?:\*/|\Z)"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
    r"|[,{}\[\]]"
    r"|\s+"
    r'|[^\s",{}\[\]/]+'
    r"|.",
    re.DOTALL,
)


class JsonPart(Value):
    """A member or item: key, position and value."""

    key: str  # nothing in a list
    start: int
    at: int  # where the value starts
    end: int
    value: object


class JsonBrackets(Value):
    """An object or list in a text: brackets and parts."""

    opening: int
    parts: tuple[JsonPart, ...]
    closing: int

    def find_member(self, key: str) -> JsonPart | None:
        """Return the member of a key; of duplicates the last, which counts."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


def find_root(text: str) -> JsonBrackets:
    """Find the parts of an object text; ValueError for other texts."""
    opening = _skip_blanks(text, len(BOM) if text.startswith(BOM) else 0)
    if text[opening : opening + 1] != "{":
        raise ValueError("not a JSON object")
    root = find_parts(text, opening)
    if _skip_blanks(text, root.closing + 1) < len(text):
        raise ValueError("text behind the object")
    return root


def find_parts(text: str, opening: int) -> JsonBrackets:
    """Find the parts of the object or list at a position; ValueError if broken."""
    closing = _CLOSING[text[opening]]
    try:
        parts = tuple(_scan_parts(text, opening + 1, closing))
    except (IndexError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return JsonBrackets(
        opening, parts, _skip_blanks(text, parts[-1].end if parts else opening + 1)
    )


def blank_comments(text: str) -> str:
    """Return the text with comments and trailing commas blanked."""
    plain: list[str] = []
    comma = -1
    for sign in _TOKEN.findall(text):
        if sign.startswith(_COMMENT):
            plain.append("".join(char if char in "\r\n" else " " for char in sign))
            continue
        if sign in ("]", "}") and comma >= 0:
            plain[comma] = " "
        if not sign.isspace():
            comma = len(plain) if sign == "," else -1
        plain.append(sign)
    return "".join(plain)


def find_comments(text: str, start: int, stop: int) -> list[str]:
    """Return the comments between two positions."""
    found = (match for match in _TOKEN.finditer(text) if match[0].startswith(_COMMENT))
    return [match[0] for match in found if start <= match.start() < stop]


def mend_commas(text: str) -> str:
    """Return the text with commas mended after insertions and removals."""
    kept: list[str] = []
    last, comma, closed = "", -1, -1
    for sign in _TOKEN.findall(text):
        if sign.isspace() or (sign == "," and last in ("", "[", "{", ",")):
            kept.append(sign if sign.isspace() else "")
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


def _scan_parts(text: str, at: int, closing: str) -> Iterator[JsonPart]:
    at = _skip_blanks(text, at)
    while text[at] != closing:
        start, key = at, ""
        if closing == "}":
            key, at = _DECODER.raw_decode(text, at)
            if not isinstance(key, str):
                raise ValueError("a key is no string")
            at = _expect_character(text, at, ":")
        value, end = _DECODER.raw_decode(text, at)
        yield JsonPart(key, start, at, end, value)
        at = _skip_blanks(text, end)
        if text[at] != closing:
            at = _expect_character(text, at, ",")
            if text[at] == closing:
                raise ValueError(f"a comma before {closing!r}")


def _expect_character(text: str, at: int, char: str) -> int:
    """Return the position after a character and surrounding blanks."""
    at = _skip_blanks(text, at)
    if text[at] != char:
        raise ValueError(f"no {char!r} at {at}")
    return _skip_blanks(text, at + 1)


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at
