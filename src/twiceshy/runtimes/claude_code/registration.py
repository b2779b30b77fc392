"""The two members of Claude Code's settings.json that register our plugin.

They name the marketplace folder and switch its plugin on: the client then reads the folder
in place, in a terminal and with -p (seen with 2.1.325).
"""

from __future__ import annotations

import os

from twiceshy.files.json_edit import value_at
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.edits import Members, Noted

MARKETPLACE = ("extraKnownMarketplaces", NAME)
ENABLED = ("enabledPlugins", f"{NAME}@{NAME}")


def settings_of(config_dir: str) -> str:
    """Return the client's settings file."""
    return os.path.join(config_dir, "settings.json")


def registration(config_dir: str, folder: str) -> Members:
    """Return our two settings members."""
    source = {"source": {"source": "directory", "path": folder}}
    return Members(settings_of(config_dir), ((MARKETPLACE, source), (ENABLED, True)))


def noted(config_dir: str) -> tuple[Noted, ...]:
    """Return members written by the client after seeing the plugin."""
    plugins = os.path.join(config_dir, "plugins")
    return (
        Noted(os.path.join(plugins, "known_marketplaces.json"), (((NAME,), None),)),
        Noted(os.path.join(plugins, "installed_plugins.json"), ((("plugins", ENABLED[1]), None),)),
    )


def leftovers(config_dir: str) -> tuple[str, ...]:
    """Return the folder made by the client for every plugin."""
    return (os.path.join(config_dir, "plugins", "data", f"{NAME}-{NAME}"),)


def trouble(text: str, folder: str) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    if value_at(text, (*MARKETPLACE, "source", "path")) != folder:
        return "it is not told about the plugin"
    if value_at(text, ENABLED) is not True:
        return "the plugin is switched off"
    if value_at(text, ("disableAllHooks",)) is True:
        return "disableAllHooks is set: it runs no hooks at all"
    return ""
