"""Install for Claude Code: the plugin folder, and two members of its settings."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code import plugin, registration
from twiceshy.runtimes.claude_code.hook_table import RUNTIME
from twiceshy.runtimes.edits import read_client_file
from twiceshy.runtimes.install_plan import (
    WITHOUT_TOOLS,
    InstallRequest,
    find_client_folder,
    hook_launcher_file,
    is_on_path,
    server_launcher_file,
)
from twiceshy.runtimes.plan import read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.runtimes.install_plan import InstallPlace

TITLE = "Claude Code"
LEVEL = "automatic"


def find_config_folder(home_dir: str, environ: Mapping[str, str]) -> str:
    """Return the client's configuration folder."""
    return find_client_folder(home_dir, environ, "CLAUDE_CONFIG_DIR", ".claude")


def is_installed(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client is on this machine, by folder or program."""
    return os.path.isdir(find_config_folder(home_dir, environ)) or is_on_path("claude", environ)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder = here.runtime_folder(RUNTIME)
    own = find_config_folder(here.home_dir, here.environ)
    server = here.server_path if here.mcp else ""
    files = hook_launcher_file(here) | server_launcher_file(here)
    rendered = plugin.render_plugin(
        here.package, here.launcher_path, server=server, answers=here.answers
    )
    for name, content in rendered.items():
        files[os.path.join(folder, name)] = (content, 0o600)
    return InstallRequest(
        RUNTIME,
        files,
        edits=(registration.build_registration(own, folder),),
        noted=registration.build_noted_edits(own),
        leftovers=registration.leftover_folders(own),
        remarks=() if here.mcp else (WITHOUT_TOOLS,),
    )


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    done = receipt.load_receipt(here.home, RUNTIME)
    own = registration.settings_path(find_config_folder(here.home_dir, here.environ))
    others = [file.path for file in done.shared_files] if done else []
    for path in dict.fromkeys([own, *others]):
        try:
            why = registration.find_registration_trouble(
                read_client_file(path, read_bytes(path)), here.runtime_folder(RUNTIME)
            )
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}", hint=error.hint) from error
        if why:
            return f"{why}; see {path}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return {
        "session_id": "twiceshy-doctor",
        "transcript_path": os.path.join(folder, "transcript.jsonl"),
        "cwd": folder,
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Skill",
        "tool_input": {"skill": skill},
        "tool_response": {"success": True, "commandName": skill},
        "tool_use_id": "toolu_doctor",
        "duration_ms": 1,
    }
