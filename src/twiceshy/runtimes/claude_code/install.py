"""Install for Claude Code: the plugin folder, and two members of its settings."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code import plugin, registration
from twiceshy.runtimes.claude_code.hook_table import RUNTIME
from twiceshy.runtimes.edits import text_of
from twiceshy.runtimes.installing import (
    WITHOUT_TOOLS,
    Wanted,
    client_folder,
    hook_file,
    on_path,
    server_file,
)
from twiceshy.runtimes.plan import read

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.runtimes.installing import Here

TITLE = "Claude Code"
LEVEL = "automatic"


def config_dir(home_dir: str, environ: Mapping[str, str]) -> str:
    """Return the client's configuration folder."""
    return client_folder(home_dir, environ, "CLAUDE_CONFIG_DIR", ".claude")


def found(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client is on this machine, by folder or program."""
    return os.path.isdir(config_dir(home_dir, environ)) or on_path("claude", environ)


def wanted(here: Here) -> Wanted:
    """Return the changes that connect the client, and those that disconnect."""
    folder = here.folder(RUNTIME)
    own = config_dir(here.home_dir, here.environ)
    server = here.server if here.mcp else ""
    files = hook_file(here) | server_file(here)
    rendered = plugin.rendered(here.package, here.launcher, server=server, answers=here.answers)
    for name, content in rendered.items():
        files[os.path.join(folder, name)] = (content, 0o600)
    return Wanted(
        RUNTIME,
        files,
        edits=(registration.registration(own, folder),),
        noted=registration.noted(own),
        leftovers=registration.leftovers(own),
        remarks=() if here.mcp else (WITHOUT_TOOLS,),
    )


def trouble(here: Here) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    done = receipt.load(here.home, RUNTIME)
    own = registration.settings_of(config_dir(here.home_dir, here.environ))
    others = [file.path for file in done.shared] if done else []
    for path in dict.fromkeys([own, *others]):
        try:
            why = registration.trouble(text_of(path, read(path)), here.folder(RUNTIME))
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}", hint=error.hint) from error
        if why:
            return f"{why}; see {path}"
    return ""


def sample(folder: str, skill: str) -> dict[str, object]:
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
