"""Edit a part of a JSON settings file; every other byte stays.

The standard parser verifies that the new text differs only by the wanted change; otherwise
nothing is written. With ``comments`` the text may hold comments and trailing commas;
comments inside a removed part are kept.
"""

from __future__ import annotations

import json

from twiceshy.core.errors import ConfigError
from twiceshy.files.json_parts import (
    BLANKS,
    BOM,
    blank_comments,
    find_comments,
    find_parts,
    find_root,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.files.json_parts import JsonBrackets

    Path = tuple[str, ...]
    Document = dict[str, object]


def parse_document(text: str, *, comments: bool = False) -> Document:
    """Parse the text; ConfigError if no JSON object."""
    bare = text.removeprefix(BOM)
    if comments:
        bare = blank_comments(bare)
    if not bare.strip(BLANKS):
        return {}
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError("not a JSON object")
    return found


def get_value(text: str, path: Path, *, comments: bool = False) -> object:
    """Return the value at ``path``; None if absent."""
    found: object = parse_document(text, comments=comments)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def set_member(text: str, path: Path, value: object, *, comments: bool = False) -> str:
    """Return the text with ``value`` at ``path``; unchanged if present."""
    said = parse_document(text, comments=comments)
    wanted = _insert_value(said, path, value)
    if json.dumps(said) == json.dumps(wanted):
        return text

    def change(plain: str) -> str:
        return _put_member(plain, path, value) if said else _begin_text(plain, wanted)

    return _check_change(text, change, wanted, comments=comments)


def remove_member(text: str, path: Path, *, comments: bool = False) -> str:
    """Return the text without the member at ``path``; unchanged if absent."""
    said = parse_document(text, comments=comments)
    wanted = _remove_value(said, path)
    if said == wanted:
        return text
    return _check_change(text, lambda plain: _cut_member(plain, path), wanted, comments=comments)


def append_items(text: str, path: Path, items: Sequence[object], *, comments: bool = False) -> str:
    """Return the text with items appended to the list at ``path``."""
    listed = get_value(text, path, comments=comments)
    if listed is None:
        return set_member(text, path, list(items), comments=comments)
    if not isinstance(listed, list):
        raise ConfigError(f"{path[-1]!r} is not a list")
    wanted = _insert_value(parse_document(text, comments=comments), path, [*listed, *items])

    def change(plain: str) -> str:
        return _append_parts(plain, _list_at(plain, path), list(items))

    return _check_change(text, change, wanted, comments=comments)


def remove_item(text: str, path: Path, item: object, *, comments: bool = False) -> str:
    """Return the text without an item of the list at ``path``; unchanged if absent."""
    listed = get_value(text, path, comments=comments)
    if not isinstance(listed, list) or item not in listed:
        return text
    at = listed.index(item)
    wanted = _insert_value(
        parse_document(text, comments=comments), path, listed[:at] + listed[at + 1 :]
    )

    def change(plain: str) -> str:
        start, end = _removal_span(plain, _list_at(plain, path), at)
        return plain[:start] + plain[end:]

    return _check_change(text, change, wanted, comments=comments)


def _put_member(text: str, path: Path, value: object) -> str:
    braces, rest = _innermost_object(text, path)
    there = braces.find_member(rest[0])
    if there:
        written = _render_value(text, value, _line_indent(text, there.start))
        return text[: there.at] + written + text[there.end :]
    for key in reversed(rest[1:]):
        value = {key: value}
    return _append_parts(text, braces, {rest[0]: value})


def _cut_member(text: str, path: Path) -> str:
    braces, rest = _innermost_object(text, path)
    there = braces.find_member(rest[0])
    if there is None:
        return text
    start, end = _removal_span(text, braces, braces.parts.index(there))
    return _cut_member(text[:start] + text[end:], path)  # some wrote a key twice


def _innermost_object(text: str, path: Path) -> tuple[JsonBrackets, Path]:
    """Return the innermost existing object on ``path``, and the remaining path."""
    here = find_root(text)
    for depth, key in enumerate(path[:-1]):
        inner = here.find_member(key)
        if inner is None:
            return here, path[depth:]
        here = find_parts(text, inner.at)
    return here, path[-1:]


def _list_at(text: str, path: Path) -> JsonBrackets:
    braces, rest = _innermost_object(text, path)
    there = braces.find_member(rest[0])
    return find_parts(text, there.at if there else braces.opening)


def _removal_span(text: str, brackets: JsonBrackets, at: int) -> tuple[int, int]:
    """Return the span of a removal: the part with its comma and blanks.

    A part without neighbours takes its own lines along.
    """
    parts = brackets.parts
    if at > 0:
        return parts[at - 1].end, parts[at].end
    if len(parts) > 1:
        return parts[0].start, parts[1].start
    if "\n" in text[brackets.opening : parts[0].start]:
        return brackets.opening + 1, brackets.closing
    return parts[0].start, parts[0].end


def _append_parts(text: str, brackets: JsonBrackets, added: Document | list[object]) -> str:
    """Append parts in the layout of the parts before."""
    parts = brackets.parts
    between = text[brackets.opening + 1 : parts[0].start] if parts else ""
    at = parts[-1].end if parts else brackets.opening + 1
    if "\n" not in (between if parts else _layout_text(text, added)):
        comma, colon = (", ", ": ") if ": " in text else (",", ":")
        put = json.dumps(added, ensure_ascii=False, separators=(comma, colon))[1:-1]
        return text[:at] + (comma if parts else "") + put + text[at:]
    outer = _line_indent(text, brackets.opening)
    inner = between.rpartition("\n")[2] if parts else outer + _indent_unit(text)
    lines = [
        f"{_line_end(text)}{inner}{key}{_render_value(text, value, inner)}"
        for key, value in _render_member(added)
    ]
    if parts:
        return f"{text[:at]},{','.join(lines)}{text[at:]}"
    end = f"{_line_end(text)}{outer}{text[brackets.closing :]}"
    return text[: brackets.opening + 1] + ",".join(lines) + end


def _render_member(added: Document | list[object]) -> list[tuple[str, object]]:
    if isinstance(added, list):
        return [("", value) for value in added]
    return [(f"{json.dumps(key, ensure_ascii=False)}: ", value) for key, value in added.items()]


def _layout_text(text: str, added: Document | list[object]) -> str:
    """Return the layout text for the first part between two brackets."""
    short = isinstance(added, list) and not any(isinstance(one, dict | list) for one in added)
    return "" if short else text.strip(BLANKS)


def _begin_text(text: str, wanted: Document) -> str:
    """Return a text for an empty file."""
    mark = BOM if text.startswith(BOM) else ""
    rest = text.removeprefix(mark)
    end = rest[len(rest.rstrip(BLANKS)) :] if rest.strip(BLANKS) else _line_end(text)
    return mark + _render_value(text, wanted, "") + end


def _render_value(text: str, value: object, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_indent_unit(text))
    return lines.replace("\n", _line_end(text) + indent)


def _indent_unit(text: str) -> str:
    """Return the indentation unit: as in the first line, or two blanks."""
    for line in text.splitlines():
        bare = line.lstrip(" \t")
        if bare.startswith('"') and bare != line:
            return line[: len(line) - len(bare)]
    return "  "


def _line_indent(text: str, at: int) -> str:
    """Return the indentation of the line around ``at``."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _insert_value(said: Document, path: Path, value: object) -> Document:
    if len(path) == 1:
        return said | {path[0]: value}
    inner = said.get(path[0], {})
    if not isinstance(inner, dict):
        raise ConfigError(f"{path[0]!r} is not an object")
    return said | {path[0]: _insert_value(inner, path[1:], value)}


def _remove_value(said: Document, path: Path) -> Document:
    inner = said.get(path[0])
    if len(path) == 1 or not isinstance(inner, dict):
        return {key: old for key, old in said.items() if len(path) > 1 or key != path[0]}
    return said | {path[0]: _remove_value(inner, path[1:])}


def _check_change(
    text: str, change: Callable[[str], str], wanted: Document, *, comments: bool
) -> str:
    """Apply a change; ConfigError if the result differs from ``wanted``."""
    new = _change_plain(text, change) if comments else change(text)
    # as text, so that the order counts too
    if json.dumps(parse_document(new, comments=comments)) != json.dumps(wanted):
        raise ConfigError("cannot be edited automatically: unsupported layout")
    return new


def _change_plain(text: str, change: Callable[[str], str]) -> str:
    """Apply a change of the blanked text to the original, keeping comments."""
    plain = blank_comments(text)
    new = change(plain)
    start = _shared_beginning(plain, new)
    behind = _shared_beginning(plain[start:][::-1], new[start:][::-1])
    stop = len(text) - behind
    kept = find_comments(text, start, stop)
    between = "".join(f"\n{comment}" for comment in kept) + ("\n" if kept else "")
    return text[:start] + new[start : len(new) - behind] + between + text[stop:]


def _shared_beginning(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
