"""Render the plugin folder, with hook lines for the launcher of a memory home.

The folder is a marketplace of one plugin, read in place by the client. Manifests, hook
lines, commands and MCP server are generated; other files are copied.
"""

from __future__ import annotations

import json
import os

from twiceshy import __version__
from twiceshy.runtimes.claude_code.hook_table import RUNTIME, build_hooks_file
from twiceshy.runtimes.command_files import build_command_pages

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "twiceshy"
LAUNCHER = "@LAUNCHER@"  # stands in the shipped copy where a memory home's launcher will stand
_PLUGIN = f"plugins/{NAME}"
_SERVER = f"plugin:{NAME}:{NAME}"  # what the client calls the server of a plugin
SKILL = f"{_PLUGIN}/skills/{NAME}/SKILL.md"
COMMANDS = f"{_PLUGIN}/commands"
_SUMMARY = "Memory for coding agents: what one session learned the hard way, the next one knows."


def find_shipped_folder(package: str) -> str:
    """Return the shipped folder inside the package."""
    return os.path.join(package, "plugins", RUNTIME)


def render_plugin(
    package: str, launcher: str, *, server: str = "", answers: bool = False
) -> dict[str, bytes]:
    """Return every file of the folder by path, for these launchers.

    ``server`` starts the MCP server, if available; ``answers``: the server also answers events,
    by the user's choice.
    """
    import shlex  # noqa: PLC0415 - no hook renders anything

    carried = dict(_shipped_files(find_shipped_folder(package)))
    texts = generate_files(shlex.quote(launcher), server=server, answers=answers)
    made = {path: text.encode() for path, text in texts.items()}
    return dict(sorted((carried | made).items()))


def generate_files(launcher: str, *, server: str = "", answers: bool = False) -> dict[str, str]:
    """Return the generated files, for a shell-quoted launcher."""
    hooks = build_hooks_file(f"{launcher} {RUNTIME}", server=_SERVER if server and answers else "")
    made = {
        ".claude-plugin/marketplace.json": _json_text(_marketplace_json()),
        f"{_PLUGIN}/.claude-plugin/plugin.json": _json_text(_manifest_json()),
        f"{_PLUGIN}/hooks/hooks.json": _json_text(hooks),
    }
    made |= {
        f"{COMMANDS}/{page.name}.md": page.to_markdown for page in build_command_pages(runs=True)
    }
    if server:
        made[f"{_PLUGIN}/.mcp.json"] = _json_text({"mcpServers": {NAME: {"command": server}}})
    return made


def _marketplace_json() -> dict[str, object]:
    plugin = {"name": NAME, "source": f"./{_PLUGIN}", "description": _SUMMARY}
    return {
        "name": NAME,
        "description": "The plugin of twiceshy, as `twiceshy install` put it here.",
        "owner": {"name": NAME},
        "plugins": [plugin],
    }


def _manifest_json() -> dict[str, object]:
    return {
        "name": NAME,
        "version": __version__,
        "description": _SUMMARY,
        "author": {"name": NAME},
        "license": "MIT",
        "keywords": ["memory", "lessons", "skills"],
    }


def _json_text(document: dict[str, object]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _shipped_files(folder: str) -> Iterator[tuple[str, bytes]]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, folder).replace(os.sep, "/"), file.read()
