"""Edit parts of a TOML settings file; every other byte stays.

tomlkit keeps layout and comments. It reads a header with its values at a time: given a whole
file, it moves a table to others with the same beginning (0.15). A text that does not round-
trip byte for byte is refused, and so is a change with an unexpected result: both are a
ValueError. Loading tomlkit takes 26 ms, so this module is imported only for edits.
"""

from __future__ import annotations

import io
import re
import tomllib

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Comment, InlineTable, Item, Key, Table, Whitespace

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Path = tuple[str, ...]
    Leaves = dict[Path, object]
    Body = list[tuple[Key | None, Item]]

_BLANK_LINE_AT_END = re.compile(r"(?:(?<=\n)|\A)[ \t]*\r?\n\Z")


class TomlSection(Value):
    """A header with its values; the path is empty before the first header."""

    document: tomlkit.TOMLDocument
    path: Path
    body: Body


class TomlValue(Value):
    """Position of a value: path, and place in the body."""

    path: Path
    body: Body
    at: int
    inline: bool  # between braces, where it can change but not go


def set_value(text: str, path: Path, value: object) -> str:
    """Return the text with a value at ``path``: in place, or after its siblings."""
    end = "\r\n" if "\r\n" in text else "\n"
    text = text if not text or text.endswith("\n") else text + end
    wanted = find_leaves(tomllib.loads(text)) | {path: value}
    sections = _parse_section(text)
    values = [one for section in sections for one in _list_values(section.body, section.path)]
    item = tomlkit.item(value)
    item.trivia.trail = end
    if there := next((one for one in values if one.path == path), None):
        key, old = there.body[there.at]
        item.trivia.indent, item.trivia.trail = old.trivia.indent, old.trivia.trail
        item.trivia.comment_ws, item.trivia.comment = old.trivia.comment_ws, old.trivia.comment
        there.body[there.at] = key, item
    elif place := _place_for(path, sections, values):
        body, at = place
        body.insert(at, (tomlkit.key(path[-1]), item))
    else:
        header = ".".join(tomlkit.key(part).as_string() for part in path[:-1])
        line = f"{tomlkit.key(path[-1]).as_string()} = {item.as_string()}"
        return _check_text(text + end.join(("", f"[{header}]", line, "")), wanted)
    return _check_text(_join_sections(sections), wanted)


def remove_values(text: str, path: Path) -> str:
    """Return the text without the values at or below ``path``; headers and comments stay."""
    said = find_leaves(tomllib.loads(text))
    wanted = {one: value for one, value in said.items() if one[: len(path)] != path}
    sections = _parse_section(text)
    for section in sections:
        _remove_value(section, lambda own, item: _is_below(path, own, item))
    return _check_text(_join_sections(sections), wanted)


def remove_entries(text: str, goes: Callable[[Path], bool]) -> str:
    """Return the text without tables and values by path.

    A table goes with the blank line before; comments after its last value belong to the next
    table.
    """
    left = before = ""
    for section in _parse_section(text):
        own = section.document.as_string()
        if section.path and goes(section.path):
            if _BLANK_LINE_AT_END.search(before):
                left = _BLANK_LINE_AT_END.sub("", left)
            tail = [at for at, (key, _) in enumerate(section.body, 1) if key is not None]
            left += "".join(item.as_string() for _, item in section.body[max(tail, default=0) :])
        else:
            _remove_value(section, lambda path, _: goes(path))
            left += section.document.as_string()
        before = own
    return left


def find_leaves(said: Mapping[str, object], path: Path = ()) -> Leaves:
    """Return every non-table value of a document by path."""
    found: Leaves = {}
    for name, value in said.items():
        if isinstance(value, dict):
            found |= find_leaves(value, (*path, name))
        else:
            found[*path, name] = value
    return found


def _parse_section(text: str) -> list[TomlSection]:
    sections = []
    for part in _split_sections(text):
        try:
            document = tomlkit.parse(part)
        except (TOMLKitError, RecursionError) as error:
            raise ValueError(f"unsupported layout: {error}") from error
        path: Path = ()
        body = document.body
        while body and isinstance(table := body[0][1], Table) and not _is_dotted(body[0][0]):
            path, body = (*path, table.name or ""), table.value.body
        sections.append(TomlSection(document, path, body))
    if _join_sections(sections) != text:
        raise ValueError("unsupported layout")
    return sections


def _split_sections(text: str) -> list[str]:
    """Split a text before each header, outside of strings and lists."""
    parts = [""]
    for line in io.StringIO(text, newline="\n"):  # TOML ends lines at fewer characters than Python
        if line.lstrip().startswith("[") and _is_complete(parts[-1]):
            parts.append("")
        parts[-1] += line
    return parts


def _is_complete(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _is_dotted(key: Key | None) -> bool:
    return key is not None and key.is_dotted()


def _list_values(body: Body, path: Path, *, inline: bool = False) -> Iterator[TomlValue]:
    """Yield the values of a body, inline tables last; no lists of tables."""
    for at, (key, item) in enumerate(body):
        if key is None or isinstance(item, AoT):
            continue
        own = (*path, *(part.key for part in key))
        if not isinstance(item, Table):
            yield TomlValue(own, body, at, inline)
        if isinstance(item, Table | InlineTable):
            within = inline or isinstance(item, InlineTable)
            yield from _list_values(item.value.body, own, inline=within)


def _place_for(
    path: Path, sections: list[TomlSection], values: list[TomlValue]
) -> tuple[Body, int] | None:
    """Return the place of a new value: after its siblings, else at the top of its table."""
    siblings = [one for one in values if one.path[:-1] == path[:-1] and not one.inline]
    if siblings:
        return siblings[-1].body, siblings[-1].at + 1
    if path[:-1]:
        tables = (one.body for one in sections if one.path == path[:-1])
        return next(((body, 0) for body in tables), None)
    body = sections[0].body
    at = len(body)
    while at and len(sections) > 1 and isinstance(body[at - 1][1], Comment):
        at -= 1  # comments right above a header belong to it
    while at and isinstance(body[at - 1][1], Whitespace):
        at -= 1
    return body, at


def _is_below(path: Path, own: Path, item: Item) -> bool:
    """True for values at or below ``path``, and for inline tables of such values."""
    inner = find_leaves(item.unwrap(), own) if isinstance(item, InlineTable) else {own: item}
    return inner != {} and all(one[: len(path)] == path for one in inner)


def _remove_value(section: TomlSection, goes: Callable[[Path, Item], bool]) -> None:
    for one in reversed(list(_list_values(section.body, section.path))):
        if not one.inline and goes(one.path, one.body[one.at][1]):
            del one.body[one.at]


def _join_sections(sections: list[TomlSection]) -> str:
    return "".join(section.document.as_string() for section in sections)


def _check_text(text: str, wanted: Leaves) -> str:
    if not _is_complete(text) or find_leaves(tomllib.loads(text)) != wanted:
        raise ValueError("unsupported layout")
    return text
