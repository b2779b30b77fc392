"""The two members of Claude Code's settings.json that register our plugin.

They name the marketplace folder and switch its plugin on: the client then reads the folder
in place, in a terminal and with -p (seen with 2.1.325).
"""

from __future__ import annotations

import os

from twiceshy.files.json_edit import get_value
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.edits import JsonMembers, NotedEdit

MARKETPLACE = ("extraKnownMarketplaces", NAME)
ENABLED = ("enabledPlugins", f"{NAME}@{NAME}")


def settings_path(config_dir: str) -> str:
    """Return the client's settings file."""
    return os.path.join(config_dir, "settings.json")


def build_registration(config_dir: str, folder: str) -> JsonMembers:
    """Return our two settings members."""
    source = {"source": {"source": "directory", "path": folder}}
    return JsonMembers(settings_path(config_dir), ((MARKETPLACE, source), (ENABLED, True)))


def build_noted_edits(config_dir: str) -> tuple[NotedEdit, ...]:
    """Return members written by the client after seeing the plugin."""
    plugins = os.path.join(config_dir, "plugins")
    return (
        NotedEdit(os.path.join(plugins, "known_marketplaces.json"), (((NAME,), None),)),
        NotedEdit(
            os.path.join(plugins, "installed_plugins.json"), ((("plugins", ENABLED[1]), None),)
        ),
    )


def leftover_folders(config_dir: str) -> tuple[str, ...]:
    """Return the folder made by the client for every plugin."""
    return (os.path.join(config_dir, "plugins", "data", f"{NAME}-{NAME}"),)


def find_registration_trouble(text: str, folder: str) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    if get_value(text, (*MARKETPLACE, "source", "path")) != folder:
        return "it is not told about the plugin"
    if get_value(text, ENABLED) is not True:
        return "the plugin is switched off"
    if get_value(text, ("disableAllHooks",)) is True:
        return "disableAllHooks is set: it runs no hooks at all"
    return ""
