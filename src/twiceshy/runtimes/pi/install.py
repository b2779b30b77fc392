"""Install for Pi: the package folder, registered by its own command."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import launcher
from twiceshy.runtimes.edits import text_of
from twiceshy.runtimes.installing import Wanted, client_folder, hook_file, on_path, skill_file
from twiceshy.runtimes.pi.package import RUNTIME, Listed, files, switched_off
from twiceshy.runtimes.plan import read

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.runtimes.installing import Here

TITLE = "Pi"
LEVEL = "automatic"
PROGRAM = "pi"


def config_dir(home_dir: str, environ: Mapping[str, str]) -> str:
    """Return the client's configuration folder."""
    return client_folder(home_dir, environ, "PI_CODING_AGENT_DIR", ".pi", "agent")


def found(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client is on this machine; its short name alone is not enough."""
    return os.path.isdir(config_dir(home_dir, environ)) and on_path(PROGRAM, environ)


def wanted(here: Here) -> Wanted:
    """Return the changes that connect the client, and those that disconnect."""
    folder, listed = here.folder(RUNTIME), _listed(here)
    known = bool(_entries(listed))
    own = {
        os.path.join(folder, name): (content, 0o600)
        for name, content in files(here.package).items()
    }
    return Wanted(
        RUNTIME,
        hook_file(here) | _tool_file(here) | own,
        commands=() if known else ((PROGRAM, "install", folder),),
        undo=((PROGRAM, "remove", folder),) if known else (),
        touches=(listed.path,),
        noted=(listed,),
    )


def trouble(here: Here) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    listed = _listed(here)
    entries = _entries(listed)
    if not entries:
        return f"it is not told about the package; see {listed.path}"
    if any(map(switched_off, entries)):
        return f"the extension is switched off; see {listed.path}"
    return ""


def sample(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a read SKILL.md, written here."""
    path = skill_file(folder, ".pi", skill)
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


def _tool_file(here: Here) -> dict[str, tuple[bytes, int]]:
    """Return the tool runner: Pi has no MCP, and calls tools one by one."""
    return {here.server: (launcher.server_script(here.home, here.target).encode(), launcher.MODE)}


def _listed(here: Here) -> Listed:
    own = config_dir(here.home_dir, here.environ)
    return Listed(os.path.join(own, "settings.json"), here.folder(RUNTIME))


def _entries(listed: Listed) -> list[object]:
    text = text_of(listed.path, read(listed.path))
    try:
        return listed.entries(text)
    except ConfigError as error:
        hint = error.hint or "correct it first; nothing was written"
        raise ConfigError(f"{listed.path}: {error}", hint=hint) from error
