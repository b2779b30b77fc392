"""Find installed plugins of Claude Code, and read their names.

``installed_plugins.json`` lists the copy of each plugin; a plugin of a directory marketplace
is read in place.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse
from twiceshy.places.skill_folders import claude_home

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.places.skill_folders import Around

_MANIFESTS = (".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
_MOST = 1 << 20  # bytes of a JSON file that we read


def roots(plugin: str, around: Around) -> list[str]:
    """Return the possible folders of an installed plugin, likeliest first."""
    market = os.path.join(os.path.dirname(installed(around)), "known_marketplaces.json")
    found: list[str] = []
    for key, copies in _table(_document(installed(around)), "plugins").items():
        name, _, market_name = key.rpartition("@")
        if name == plugin:
            found += _in_place(plugin, _table(_document(market), market_name))
            found += _copies(copies, around.root)
    return found


def listed(around: Around) -> list[str]:
    """Return the names of the installed plugins."""
    names = _table(_document(installed(around)), "plugins")
    return list(dict.fromkeys(key.rpartition("@")[0] for key in names))


def installed(around: Around) -> str:
    """Return the plugin list file of Claude Code."""
    moved = around.environ.get("CLAUDE_CODE_PLUGIN_CACHE_DIR", "")
    folder = moved if os.path.isabs(moved) else os.path.join(claude_home(around), "plugins")
    return os.path.join(folder, "installed_plugins.json")


def name_of(root: str) -> str:
    """Return the name in a plugin's manifest; empty if none."""
    for manifest in _MANIFESTS:
        name = _document(os.path.join(root, manifest)).get("name")
        if isinstance(name, str):
            return name
    return ""


def _in_place(plugin: str, market: dict[str, object]) -> Iterator[str]:
    """Yield the folder of a plugin inside a directory marketplace."""
    root = market.get("installLocation")
    if _table(market, "source").get("source") != "directory" or not isinstance(root, str):
        return
    offers = _document(os.path.join(root, ".claude-plugin", "marketplace.json")).get("plugins")
    for offer in offers if isinstance(offers, list) else ():
        match offer:
            case {"name": str(name), "source": str(source)} if name == plugin:
                yield os.path.normpath(os.path.join(root, source))


def _copies(entries: object, root: str) -> Iterator[str]:
    """Yield the copies of a plugin; a copy for one project counts in that project only."""
    for entry in entries if isinstance(entries, list) else [entries]:
        match entry:
            case {"installPath": str(path), **rest} if rest.get("projectPath", root) == root:
                yield path


def _table(document: dict[str, object], key: str) -> dict[str, object]:
    """Return a table of a document; empty if absent."""
    table = document.get(key)
    return table if isinstance(table, dict) else {}


def _document(path: str) -> dict[str, object]:
    """Return a JSON object from a file; empty if unreadable."""
    try:
        with open(path, "rb") as file:
            document = parse(file.read(_MOST).decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
