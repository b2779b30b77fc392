"""The package that Pi reads where it lies: what is shipped for it, and the skill and commands that all runtimes share.

Pi notes a package in its settings by the path from there, or with what of it is to be loaded.
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
    """Return where the package lies inside of ours."""
    return os.path.join(package, "plugins", RUNTIME)


def files(package: str) -> dict[str, bytes]:
    """Return every file of the package by its path in it."""
    folder = shipped_folder(package)
    found = {name: _content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}
    found[_SKILL] = _content(os.path.join(plugin.shipped_folder(package), plugin.SKILL))
    prompts = {f"{PROMPTS}/{plugin.NAME}:{p.name}.md": p.file.encode() for p in pages(runs=False)}
    return found | prompts


def tools_text(offered: Iterable[Offered]) -> str:
    """Write the tools that the extension brings, as Pi wants them, from all that our server has."""
    tools = [
        {"name": name, "label": title, "description": about, "parameters": schema}
        for name, title, about, schema in offered
        if name in _NAMES
    ]
    return json.dumps(tools, indent=2, ensure_ascii=False) + "\n"


class Listed(Value):
    """Our entry among the packages of Pi's settings, which Pi's own command puts there."""

    path: str
    folder: str

    def put(self, text: str) -> str:
        """Leave it to the client."""
        return text

    def take(self, text: str, before: str) -> str:
        """Return the text without our entry, and without the list if nothing else was in it."""
        for entry in (ours := self.entries(text)):
            text = without_item(text, _PACKAGES, entry)
        if ours and value_at(text, _PACKAGES) == [] != value_at(before, _PACKAGES):
            return without_member(text, _PACKAGES)
        return text

    def empty(self, text: str) -> bool:
        """Tell whether the settings say nothing."""
        return not document(text)

    def entries(self, text: str) -> list[object]:
        """Return what the settings say about our package."""
        listed = value_at(text, _PACKAGES)
        return list(filter(self._is_ours, listed)) if isinstance(listed, list) else []

    def _is_ours(self, entry: object) -> bool:
        source = entry.get("source") if isinstance(entry, dict) else entry
        if not isinstance(source, str):
            return False
        place = os.path.join(os.path.dirname(self.path), os.path.expanduser(source))
        return os.path.realpath(place) == os.path.realpath(self.folder)


def switched_off(entry: object) -> bool:
    """Tell whether an entry keeps the extension from being loaded."""
    chosen = entry.get("extensions") if isinstance(entry, dict) else None
    if not isinstance(chosen, list):
        return False
    return not chosen or any(EXTENSION in rule and rule[:1] in "!-" for rule in _texts(chosen))


def _texts(chosen: list[object]) -> Iterator[str]:
    return (rule for rule in chosen if isinstance(rule, str))


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
