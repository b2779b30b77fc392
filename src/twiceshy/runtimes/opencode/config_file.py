"""Our two entries in a configuration of OpenCode, which may hold comments; every other byte stays."""

from __future__ import annotations

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.json_edit import (
    document,
    value_at,
    with_items,
    with_member,
    without_item,
    without_member,
)

_SCHEMA = "https://opencode.ai/config.json"  # OpenCode writes it into a file that does not name it
_PLUGINS = ("plugin",)
_SERVER = ("mcp", "twiceshy")
_PATIENCE = 10_000  # milliseconds; a server that hangs would hold up a session for thirty seconds


class Registration(Value):
    """Our plugin in the list of plugins, and our MCP server if it ``serves``."""

    path: str
    plugin: str
    server: str
    serves: bool = True

    def put(self, text: str) -> str:
        """Return the text with our entries."""
        if not document(text, comments=True):
            text = with_member(text, ("$schema",), _SCHEMA, comments=True)
        listed = value_at(text, _PLUGINS, comments=True)
        if not isinstance(listed, list) or self.plugin not in listed:
            text = with_items(text, _PLUGINS, [self.plugin], comments=True)
        if not self.serves:
            return text
        server = {"type": "local", "command": [self.server], "enabled": True, "timeout": _PATIENCE}
        return with_member(text, _SERVER, server, comments=True)

    def take(self, text: str, before: str) -> str:
        """Return the text without them; what held only them goes, unless it was there before."""
        if value_at(text, (*_SERVER, "command"), comments=True) == [self.server]:
            text = without_member(text, _SERVER, comments=True)
            text = _without_empty(text, before, _SERVER[:1], {})
        text = without_item(text, _PLUGINS, self.plugin, comments=True)
        return _without_empty(text, before, _PLUGINS, [])

    def empty(self, text: str) -> bool:
        """Tell whether it says nothing but what every such file says."""
        return document(text, comments=True).keys() <= {"$schema"}


class Withdrawal(Registration):
    """Our entries in a configuration that they have left, since another one counts now."""

    def put(self, text: str) -> str:
        """Return the text without them."""
        return self.take(text, "")


def has_plugins(text: str) -> bool:
    """Tell whether a configuration lists plugins: of several, only the last such list counts."""
    try:
        return value_at(text, _PLUGINS, comments=True) is not None
    except ConfigError:
        return True  # whoever looks closer finds out, and says so


def _without_empty(text: str, before: str, path: tuple[str, ...], nothing: object) -> str:
    """Take a list or an object out that holds nothing any more, and was not there before."""
    now, then = (value_at(each, path, comments=True) for each in (text, before))
    return without_member(text, path, comments=True) if now == nothing and then is None else text
