"""Install for Pi: the package folder, registered by its own command."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import launcher
from twiceshy.runtimes.edits import read_client_file
from twiceshy.runtimes.install_plan import (
    InstallRequest,
    find_client_folder,
    hook_launcher_file,
    is_on_path,
    write_sample_skill,
)
from twiceshy.runtimes.pi.package import RUNTIME, ListedPackage, is_switched_off, package_files
from twiceshy.runtimes.plan import read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.runtimes.install_plan import InstallPlace

TITLE = "Pi"
LEVEL = "automatic"
PROGRAM = "pi"


def find_config_folder(home_dir: str, environ: Mapping[str, str]) -> str:
    """Return the client's configuration folder."""
    return find_client_folder(home_dir, environ, "PI_CODING_AGENT_DIR", ".pi", "agent")


def is_installed(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client is on this machine; its short name alone is not enough."""
    return os.path.isdir(find_config_folder(home_dir, environ)) and is_on_path(PROGRAM, environ)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder, listed = here.runtime_folder(RUNTIME), _listed_entry(here)
    known = bool(_find_entries(listed))
    own = {
        os.path.join(folder, name): (content, 0o600)
        for name, content in package_files(here.package).items()
    }
    return InstallRequest(
        RUNTIME,
        hook_launcher_file(here) | _tool_file(here) | own,
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
        return f"it is not told about the package; see {listed.path}"
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


def _tool_file(here: InstallPlace) -> dict[str, tuple[bytes, int]]:
    """Return the tool runner: Pi has no MCP, and calls tools one by one."""
    return {
        here.server_path: (
            launcher.render_server_launcher(here.home, here.target).encode(),
            launcher.MODE,
        )
    }


def _listed_entry(here: InstallPlace) -> ListedPackage:
    own = find_config_folder(here.home_dir, here.environ)
    return ListedPackage(os.path.join(own, "settings.json"), here.runtime_folder(RUNTIME))


def _find_entries(listed: ListedPackage) -> list[object]:
    text = read_client_file(listed.path, read_bytes(listed.path))
    try:
        return listed.find_entries(text)
    except ConfigError as error:
        hint = error.hint or "correct it first; nothing was written"
        raise ConfigError(f"{listed.path}: {error}", hint=hint) from error
