"""The two members of Claude Code's settings.json that make it read our plugin, and nothing else of it.

Where the marketplace lies, and that its plugin is switched on: the client then reads the folder in
place, whether it runs on a terminal or with -p (seen with 2.1.325).
"""

from __future__ import annotations

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.settings_file import document, value_at, with_member, without_member

MARKETPLACE = ("extraKnownMarketplaces", NAME)
ENABLED = ("enabledPlugins", f"{NAME}@{NAME}")
# What the client writes down by itself once it has seen the plugin, each in a file of its own.
NOTED = {
    "plugins/known_marketplaces.json": (NAME,),
    "plugins/installed_plugins.json": ("plugins", ENABLED[1]),
}
DATA = f"plugins/data/{NAME}-{NAME}"  # a folder that it makes for every plugin
_FIRST = "correct it first; nothing was written"


def text_of(path: str, content: bytes | None) -> str:
    """Return a settings file as text that is known to be JSON; ConfigError names the file."""
    try:
        text = (content or b"").decode()
        document(text)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text", hint=_FIRST) from error
    except ConfigError as error:
        raise ConfigError(f"{path} is {error}", hint=_FIRST) from error
    return text


def registered(path: str, text: str, folder: str) -> str:
    """Return the settings with our two members."""
    source = {"source": {"source": "directory", "path": folder}}
    try:
        return with_member(with_member(text, MARKETPLACE, source), ENABLED, value=True)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}", hint=_FIRST) from error


def unregistered(text: str, *, before: str = "") -> str:
    """Return the settings without our members; what held only them goes, unless it was there before."""
    kept = document(before)
    for member in (ENABLED, MARKETPLACE):
        text = without_member(text, member)
        if value_at(text, member[:1]) == {} and member[0] not in kept:
            text = without_member(text, member[:1])
    return text


def trouble(text: str, folder: str) -> str:
    """Return what keeps the client from running our hooks, or nothing."""
    if value_at(text, (*MARKETPLACE, "source", "path")) != folder:
        return "it is not told about the plugin"
    if value_at(text, ENABLED) is not True:
        return "the plugin is switched off"
    if value_at(text, ("disableAllHooks",)) is True:
        return "disableAllHooks is set: it runs no hooks at all"
    return ""
