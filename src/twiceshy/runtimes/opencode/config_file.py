"""Our two entries in OpenCode's commented JSON configuration; every other byte stays.

Comments and trailing commas are blanked first, leaving JSON with every character in place.
"""

from __future__ import annotations

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files.json_edit import (
    append_items,
    get_value,
    parse_document,
    remove_item,
    remove_member,
    set_member,
)

_SCHEMA = "https://opencode.ai/config.json"  # OpenCode writes it into a file that does not name it
_PLUGINS = ("plugin",)
_SERVER = ("mcp", "twiceshy")
_PATIENCE = 10_000  # milliseconds; a server that hangs would hold up a session for thirty seconds


class OpenCodeRegistration(Value):
    """Our plugin in the plugin list, and our MCP server if it ``serves``."""

    path: str
    plugin: str
    server: str
    serves: bool = True

    def insert_into(self, text: str) -> str:
        """Return the text with our entries."""
        if not parse_document(text, comments=True):
            text = set_member(text, ("$schema",), _SCHEMA, comments=True)
        listed = get_value(text, _PLUGINS, comments=True)
        if not isinstance(listed, list) or self.plugin not in listed:
            text = append_items(text, _PLUGINS, [self.plugin], comments=True)
        if not self.serves:
            return text
        server = {"type": "local", "command": [self.server], "enabled": True, "timeout": _PATIENCE}
        return set_member(text, _SERVER, server, comments=True)

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without our entries; emptied parents go, unless present before."""
        if get_value(text, (*_SERVER, "command"), comments=True) == [self.server]:
            text = remove_member(text, _SERVER, comments=True)
            text = _drop_empty(text, before, _SERVER[:1], {})
        text = remove_item(text, _PLUGINS, self.plugin, comments=True)
        return _drop_empty(text, before, _PLUGINS, [])

    def is_blank(self, text: str) -> bool:
        """True if the file has only default content."""
        return parse_document(text, comments=True).keys() <= {"$schema"}


class OpenCodeRemoval(OpenCodeRegistration):
    """Our entries in a superseded configuration file."""

    def insert_into(self, text: str) -> str:
        """Return the text without our entries."""
        return self.remove_from(text, "")


def has_plugins(text: str) -> bool:
    """True if a configuration lists plugins; only the last such list counts."""
    try:
        return get_value(text, _PLUGINS, comments=True) is not None
    except ConfigError:
        return True  # whoever looks closer finds out, and says so


def _drop_empty(text: str, before: str, path: tuple[str, ...], nothing: object) -> str:
    """Remove an emptied list or object, unless present before."""
    now, then = (get_value(each, path, comments=True) for each in (text, before))
    return remove_member(text, path, comments=True) if now == nothing and then is None else text
