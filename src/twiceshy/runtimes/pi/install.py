"""Install for Pi: the package folder, registered by its own command.

Pi reads the package in place: its own files, and the shared skill and commands. It lists a
package in its settings by relative path, or with a filter.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value
from twiceshy.files.json_edit import get_value, parse_document, remove_item, remove_member
from twiceshy.runtimes.claude_code import plugin
from twiceshy.runtimes.command_table import build_command_pages
from twiceshy.runtimes.edits import load_client_file, name_file
from twiceshy.runtimes.hook_lines import render_json
from twiceshy.runtimes.install_plan import InstallRequest, build_sample, write_sample_skill

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.runtimes.install_plan import InstallPlace

    Offered = tuple[str, str, str, dict[str, object]]  # name, title, description, JSON schema

RUNTIME = "pi"
TITLE = "Pi"
LEVEL = "automatic"
EXTENSION = "twiceshy.ts"
TOOLS = "tools.json"
PROMPTS = "prompts"
# Every tool is read by every session; those that a person can do as well with a verb are left out.
_NAMES = ("skill_recall", "skill_note", "recall", "note", "search")
_SKILL = "skills/twiceshy/SKILL.md"
_PACKAGES = ("packages",)


class ListedPackage(Value):
    """Our entry among the packages in Pi's settings, added by Pi's own command."""

    path: str
    folder: str

    def insert_into(self, text: str) -> str:
        """Return the text unchanged."""
        return text

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without our entry, and without an emptied list."""
        for entry in (ours := self.find_entries(text)):
            text = remove_item(text, _PACKAGES, entry)
        if ours and get_value(text, _PACKAGES) == [] != get_value(before, _PACKAGES):
            return remove_member(text, _PACKAGES)
        return text

    def is_blank(self, text: str) -> bool:
        """True if the settings are empty."""
        return not parse_document(text)

    def find_entries(self, text: str) -> list[object]:
        """Return the settings entries of our package."""
        listed = get_value(text, _PACKAGES)
        return list(filter(self._is_ours, listed)) if isinstance(listed, list) else []

    def _is_ours(self, entry: object) -> bool:
        source = entry.get("source") if isinstance(entry, dict) else entry
        if not isinstance(source, str):
            return False
        place = os.path.join(os.path.dirname(self.path), os.path.expanduser(source))
        return os.path.realpath(place) == os.path.realpath(self.folder)


def is_installed(here: InstallPlace) -> bool:
    """True if the client is on this machine; its short name alone is not enough."""
    return os.path.isdir(_config_folder(here)) and here.has_program(RUNTIME)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect.

    Pi has no MCP, and calls tools one by one: the server launcher runs them.
    """
    folder, listed = here.runtime_folder(RUNTIME), _listed_entry(here)
    known = bool(_find_entries(listed))
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, package_files(here.package), server=True),
        commands=() if known else ((RUNTIME, "install", folder),),
        undo=((RUNTIME, "remove", folder),) if known else (),
        touches=(listed.path,),
        noted=(listed,),
    )


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    listed = _listed_entry(here)
    entries = _find_entries(listed)
    if not entries:
        return f"the package is not in its settings; see {listed.path}"
    if any(map(_is_switched_off, entries)):
        return f"the extension is switched off; see {listed.path}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a read SKILL.md, written here."""
    path = write_sample_skill(folder, ".pi", skill)
    given = {"transcript_path": "", "tool_input": {"path": path}, "tool_response": ""}
    return build_sample(folder, tool_name="read", **given)


def find_shipped_folder(package: str) -> str:
    """Return the package folder inside ours."""
    return os.path.join(package, "plugins", RUNTIME)


def package_files(package: str) -> dict[str, bytes]:
    """Return every file of the package by path."""
    folder = find_shipped_folder(package)
    found = {
        name: _read_content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
    }
    found[_SKILL] = _read_content(os.path.join(plugin.find_shipped_folder(package), plugin.SKILL))
    prompts = {
        f"{PROMPTS}/{plugin.NAME}:{p.name}.md": p.to_markdown().encode()
        for p in build_command_pages(runs=False)
    }
    return found | prompts


def render_tools(offered: Iterable[Offered]) -> str:
    """Render the extension's tools in Pi's form from our server's tools."""
    return render_json(
        [
            {"name": name, "label": title, "description": about, "parameters": schema}
            for name, title, about, schema in offered
            if name in _NAMES
        ]
    )


def _config_folder(here: InstallPlace) -> str:
    return here.client_folder("PI_CODING_AGENT_DIR", ".pi", "agent")


def _listed_entry(here: InstallPlace) -> ListedPackage:
    settings = os.path.join(_config_folder(here), "settings.json")
    return ListedPackage(settings, here.runtime_folder(RUNTIME))


def _find_entries(listed: ListedPackage) -> list[object]:
    text = load_client_file(listed.path)
    with name_file(listed.path):
        return listed.find_entries(text)


def _is_switched_off(entry: object) -> bool:
    """True if an entry excludes the extension."""
    chosen = entry.get("extensions") if isinstance(entry, dict) else None
    if not isinstance(chosen, list):
        return False
    rules = [rule for rule in chosen if isinstance(rule, str)]
    return not chosen or any(EXTENSION in rule and rule[:1] in "!-" for rule in rules)


def _read_content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
