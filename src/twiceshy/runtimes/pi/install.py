"""Install for Pi: the package folder, registered by its own command."""

from __future__ import annotations

import os

from twiceshy.runtimes.edits import load_client_file, name_file
from twiceshy.runtimes.install_plan import InstallRequest, write_sample_skill
from twiceshy.runtimes.pi.package import RUNTIME, ListedPackage, is_switched_off, package_files

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.runtimes.install_plan import InstallPlace

TITLE = "Pi"
LEVEL = "automatic"
PROGRAM = "pi"


def is_installed(here: InstallPlace) -> bool:
    """True if the client is on this machine; its short name alone is not enough."""
    return os.path.isdir(_config_folder(here)) and here.has_program(PROGRAM)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect.

    Pi has no MCP, and calls tools one by one: the server launcher runs them.
    """
    folder, listed = here.runtime_folder(RUNTIME), _listed_entry(here)
    known = bool(_find_entries(listed))
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, package_files(here.package), server=True),
        commands=() if known else ((PROGRAM, "install", folder),),
        undo=((PROGRAM, "remove", folder),) if known else (),
        touches=(listed.path,),
        noted=(listed,),
    )


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    listed = _listed_entry(here)
    entries = _find_entries(listed)
    if not entries:
        return f"the package is not in its settings; see {listed.path}"
    if any(map(is_switched_off, entries)):
        return f"the extension is switched off; see {listed.path}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a read SKILL.md, written here."""
    path = write_sample_skill(folder, ".pi", skill)
    return {
        "hook_event_name": "PostToolUse",
        "session_id": "twiceshy-doctor",
        "cwd": folder,
        "transcript_path": "",
        "tool_name": "read",
        "tool_use_id": "call_doctor",
        "tool_input": {"path": path},
        "tool_response": "",
    }


def _config_folder(here: InstallPlace) -> str:
    return here.client_folder("PI_CODING_AGENT_DIR", ".pi", "agent")


def _listed_entry(here: InstallPlace) -> ListedPackage:
    settings = os.path.join(_config_folder(here), "settings.json")
    return ListedPackage(settings, here.runtime_folder(RUNTIME))


def _find_entries(listed: ListedPackage) -> list[object]:
    text = load_client_file(listed.path)
    with name_file(listed.path):
        return listed.find_entries(text)
