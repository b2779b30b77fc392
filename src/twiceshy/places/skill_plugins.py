"""Find installed plugins of Claude Code, and read their names.

``installed_plugins.json`` lists the copy of each plugin; a plugin of a directory marketplace
is read in place.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.files import open_plain
from twiceshy.places.skill_folders import find_claude_home

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.places.skill_folders import SkillSearchPath

_MANIFESTS = (".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
_MOST = 1 << 20  # bytes of a JSON file that we read


def list_plugin_roots(plugin: str, around: SkillSearchPath) -> list[str]:
    """Return the possible folders of an installed plugin, likeliest first."""
    market = os.path.join(os.path.dirname(plugin_list_file(around)), "known_marketplaces.json")
    found: list[str] = []
    for key, copies in _get_table(_read_document(plugin_list_file(around)), "plugins").items():
        name, _, market_name = key.rpartition("@")
        if name == plugin:
            found += _marketplace_folders(plugin, _get_table(_read_document(market), market_name))
            found += _plugin_copies(copies, around.root)
    return found


def list_plugins(around: SkillSearchPath) -> list[str]:
    """Return the names of the installed plugins."""
    names = _get_table(_read_document(plugin_list_file(around)), "plugins")
    return list(dict.fromkeys(key.rpartition("@")[0] for key in names))


def plugin_list_file(around: SkillSearchPath) -> str:
    """Return the plugin list file of Claude Code."""
    moved = around.environ.get("CLAUDE_CODE_PLUGIN_CACHE_DIR", "")
    folder = moved if os.path.isabs(moved) else os.path.join(find_claude_home(around), "plugins")
    return os.path.join(folder, "installed_plugins.json")


def read_plugin_name(root: str) -> str:
    """Return the name in a plugin's manifest; empty if none."""
    for manifest in _MANIFESTS:
        name = _read_document(os.path.join(root, manifest)).get("name")
        if isinstance(name, str):
            return name
    return ""


def _marketplace_folders(plugin: str, market: Mapping[str, object]) -> Iterator[str]:
    """Yield the folder of a plugin inside a directory marketplace."""
    root = market.get("installLocation")
    if _get_table(market, "source").get("source") != "directory" or not isinstance(root, str):
        return
    offers = _read_document(os.path.join(root, ".claude-plugin", "marketplace.json")).get(
        "plugins"
    )
    for offer in offers if isinstance(offers, list) else ():
        match offer:
            case {"name": str(name), "source": str(source)} if name == plugin:
                yield os.path.normpath(os.path.join(root, source))


def _plugin_copies(entries: object, root: str) -> Iterator[str]:
    """Yield the copies of a plugin; a copy for one project counts in that project only."""
    for entry in entries if isinstance(entries, list) else [entries]:
        match entry:
            case {"installPath": str(path), **rest} if rest.get("projectPath", root) == root:
                yield path


def _get_table(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return a table of a document; empty if absent."""
    table = document.get(key)
    return table if isinstance(table, dict) else {}


def _read_document(path: str) -> Mapping[str, object]:
    """Return a JSON object from a file; empty if unreadable."""
    try:
        with open(path, "rb", opener=open_plain) as file:
            return parse_mapping_or_empty(file.read(_MOST).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return {}
