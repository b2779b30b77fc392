"""Our two entries in a configuration of OpenCode, which may hold comments; every other byte stays.

Comments and spare commas are blanked out first, so that the text that is left is JSON whose every
character stands where it stood.
"""

from __future__ import annotations

import json

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.json_edit import document, value_at, with_member, without_member

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SCHEMA = "https://opencode.ai/config.json"  # OpenCode writes it into a file that does not name it
_PLUGINS = "plugin"
_SERVER = ("mcp", "twiceshy")
_PATIENCE = 10_000  # milliseconds; a server that hangs would hold up a session for thirty seconds
_BLANKS = " \t\r\n"
_DECODER = json.JSONDecoder()


class Registration(Value):
    """Our plugin in the list of plugins, and our MCP server if it ``serves``."""

    path: str
    plugin: str
    server: str
    serves: bool = True

    def put(self, text: str) -> str:
        """Return the text with our entries."""
        if not document(plainly(text)):
            text = _through(text, lambda plain: with_member(plain, ("$schema",), _SCHEMA))
        text = _through(text, lambda plain: _with_plugin(plain, self.plugin))
        if not self.serves:
            return text
        server = {"type": "local", "command": [self.server], "enabled": True, "timeout": _PATIENCE}
        return _through(text, lambda plain: with_member(plain, _SERVER, server))

    def take(self, text: str, before: str) -> str:
        """Return the text without them; what held only them goes, unless it was there before."""
        was, now = plainly(before), plainly(text)
        if value_at(now, (*_SERVER, "command")) == [self.server]:
            text = _through(text, lambda plain: without_member(plain, _SERVER))
            text = _without_empty(text, was, _SERVER[0], {})
        text = _through(text, lambda plain: _without_plugin(plain, self.plugin))
        return _without_empty(text, was, _PLUGINS, [])

    def empty(self, text: str) -> bool:
        """Tell whether it says nothing but what every such file says."""
        return document(plainly(text)).keys() <= {"$schema"}


class Withdrawal(Registration):
    """Our entries in a configuration that they have left, since another one counts now."""

    def put(self, text: str) -> str:
        """Return the text without them."""
        return self.take(text, "")


def has_plugins(text: str) -> bool:
    """Tell whether a configuration lists plugins: of several, only the last such list counts."""
    try:
        return value_at(plainly(text), (_PLUGINS,)) is not None
    except ConfigError:
        return True  # whoever looks closer finds out, and says so


def plainly(text: str) -> str:
    """Return the text with blanks for comments, and for commas before a closing bracket."""
    plain = list(text)
    comma = -1
    for start, end in _pieces(text):
        if text[start] == "/":
            plain[start:end] = [each if each in "\r\n" else " " for each in text[start:end]]
        elif text[start] in "]}" and comma >= 0:
            plain[comma] = " "
        if text[start] != "/" and text[start] not in _BLANKS:
            comma = start if text[start] == "," else -1
    return "".join(plain)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where strings, comments and all other characters begin and end."""
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] == '"':
            end = _string_end(text, at)
        elif text.startswith("//", at):
            end = min(
                (e for e in (text.find("\n", at), text.find("\r", at)) if e >= 0), default=-1
            )
        elif text.startswith("/*", at):
            closed = text.find("*/", at + 2)
            end = closed + 2 if closed >= 0 else -1
        end = len(text) if end < 0 else end
        yield at, end
        at = end


def _string_end(text: str, at: int) -> int:
    at += 1
    while at < len(text) and text[at] not in '"\n':
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def _through(text: str, change: Callable[[str], str]) -> str:
    """Make in the text the change that was made in its plain form; comments on the way are kept."""
    plain = plainly(text)
    new = change(plain)
    if new == plain:
        return text
    start = _alike(plain, new)
    behind = _alike(plain[start:][::-1], new[start:][::-1])
    stop = len(text) - behind
    changed = text[:start] + new[start : len(new) - behind]
    changed += _comments(text, start, stop) + text[stop:]
    if document(plainly(changed)) != document(new):
        raise ConfigError("written in a way that leaves no room for our lines")
    return changed


def _alike(one: str, other: str) -> int:
    """Return with how many characters two texts begin alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _comments(text: str, start: int, stop: int) -> str:
    """Return the comments between two places, each on a line of its own."""
    kept = [
        text[begin:end]
        for begin, end in _pieces(text)
        if text[begin] == "/" and start <= begin < stop
    ]
    return "".join(f"\n{comment}" for comment in kept) + ("\n" if kept else "")


def _without_empty(text: str, was: str, key: str, nothing: object) -> str:
    if value_at(plainly(text), (key,)) == nothing and value_at(was, (key,)) is None:
        return _through(text, lambda plain: without_member(plain, (key,)))
    return text


def _with_plugin(plain: str, plugin: str) -> str:
    listed = value_at(plain, (_PLUGINS,))
    if listed is None:
        return with_member(plain, (_PLUGINS,), [plugin])
    if not isinstance(listed, list):
        raise ConfigError(f"{_PLUGINS!r} is not a list")
    if plugin in listed:
        return plain
    opening, items = _items(plain)
    at = items[-1][1] if items else opening + 1
    gap = plain[opening + 1 : items[0][0]] if items else ""
    comma = ("," + (gap if "\n" in gap else " ")) if items else ""
    return plain[:at] + comma + json.dumps(plugin, ensure_ascii=False) + plain[at:]


def _without_plugin(plain: str, plugin: str) -> str:
    listed = value_at(plain, (_PLUGINS,))
    if not isinstance(listed, list) or plugin not in listed:
        return plain
    _, items = _items(plain)
    at = listed.index(plugin)
    start, end = items[at]
    if at > 0:
        start = items[at - 1][1]
    elif len(items) > 1:
        end = items[1][0]
    return plain[:start] + plain[end:]


def _items(plain: str) -> tuple[int, list[tuple[int, int]]]:
    """Return where the list of plugins opens, and where each of its items begins and ends."""
    at = opening = _skip(plain, _list_at(plain))
    items = []
    at = _skip(plain, at + 1)
    while plain[at] != "]":
        _, end = _DECODER.raw_decode(plain, at)
        items.append((at, end))
        at = _skip(plain, end)
        at = _skip(plain, at + 1) if plain[at] == "," else at
    return opening, items


def _list_at(plain: str) -> int:
    """Return where the list stands; of two, the one that counts, which is the last."""
    at, found = _skip(plain, plain.index("{") + 1), -1
    while plain[at] != "}":
        key, end = _DECODER.raw_decode(plain, at)
        value = _skip(plain, _skip(plain, end) + 1)
        found = value if key == _PLUGINS else found
        at = _skip(plain, _DECODER.raw_decode(plain, value)[1])
        at = _skip(plain, at + 1) if plain[at] == "," else at
    return found


def _skip(plain: str, at: int) -> int:
    while plain[at] in _BLANKS:
        at += 1
    return at
