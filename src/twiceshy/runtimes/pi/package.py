"""The package read in place by Pi: its own files, and the shared skill and commands.

Pi lists a package in its settings by relative path, or with a filter.
"""

from __future__ import annotations

import json
import os

from twiceshy.core.value import Value
from twiceshy.files.json_edit import document, value_at, without_item, without_member
from twiceshy.runtimes.claude_code import plugin
from twiceshy.runtimes.command_files import pages

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Offered = tuple[str, str, str, dict[str, object]]  # name, title, description, JSON schema

RUNTIME = "pi"
EXTENSION = "twiceshy.ts"
TOOLS = "tools.json"
PROMPTS = "prompts"
# Every tool is read by every session; those that a person can do as well with a verb are left out.
_NAMES = ("skill_recall", "skill_note", "recall", "note", "search")
_SKILL = "skills/twiceshy/SKILL.md"
_PACKAGES = ("packages",)


def shipped_folder(package: str) -> str:
    """Return the package folder inside ours."""
    return os.path.join(package, "plugins", RUNTIME)


def files(package: str) -> dict[str, bytes]:
    """Return every file of the package by path."""
    folder = shipped_folder(package)
    found = {name: _content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}
    found[_SKILL] = _content(os.path.join(plugin.shipped_folder(package), plugin.SKILL))
    prompts = {f"{PROMPTS}/{plugin.NAME}:{p.name}.md": p.file.encode() for p in pages(runs=False)}
    return found | prompts


def tools_text(offered: Iterable[Offered]) -> str:
    """Render the extension's tools in Pi's form from our server's tools."""
    tools = [
        {"name": name, "label": title, "description": about, "parameters": schema}
        for name, title, about, schema in offered
        if name in _NAMES
    ]
    return json.dumps(tools, indent=2, ensure_ascii=False) + "\n"


class Listed(Value):
    """Our entry among the packages in Pi's settings, added by Pi's own command."""

    path: str
    folder: str

    def put(self, text: str) -> str:
        """Return the text unchanged."""
        return text

    def take(self, text: str, before: str) -> str:
        """Return the text without our entry, and without an emptied list."""
        for entry in (ours := self.entries(text)):
            text = without_item(text, _PACKAGES, entry)
        if ours and value_at(text, _PACKAGES) == [] != value_at(before, _PACKAGES):
            return without_member(text, _PACKAGES)
        return text

    def empty(self, text: str) -> bool:
        """True if the settings are empty."""
        return not document(text)

    def entries(self, text: str) -> list[object]:
        """Return the settings entries of our package."""
        listed = value_at(text, _PACKAGES)
        return list(filter(self._is_ours, listed)) if isinstance(listed, list) else []

    def _is_ours(self, entry: object) -> bool:
        source = entry.get("source") if isinstance(entry, dict) else entry
        if not isinstance(source, str):
            return False
        place = os.path.join(os.path.dirname(self.path), os.path.expanduser(source))
        return os.path.realpath(place) == os.path.realpath(self.folder)


def switched_off(entry: object) -> bool:
    """True if an entry excludes the extension."""
    chosen = entry.get("extensions") if isinstance(entry, dict) else None
    if not isinstance(chosen, list):
        return False
    return not chosen or any(EXTENSION in rule and rule[:1] in "!-" for rule in _texts(chosen))


def _texts(chosen: list[object]) -> Iterator[str]:
    return (rule for rule in chosen if isinstance(rule, str))


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
