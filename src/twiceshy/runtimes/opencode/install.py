"""Install for OpenCode: the plugin file, and its path in the configuration."""

from __future__ import annotations

import json
import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.command_files import pages
from twiceshy.runtimes.edits import text_of
from twiceshy.runtimes.installing import (
    WITHOUT_TOOLS,
    Wanted,
    client_folder,
    hook_file,
    on_path,
    server_file,
)
from twiceshy.runtimes.opencode.config_file import Registration, Withdrawal, has_plugins
from twiceshy.runtimes.plan import read

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.runtimes.installing import Here

RUNTIME = "opencode"
TITLE = "OpenCode"
LEVEL = "automatic"
PLUGIN = "twiceshy.js"
_LAUNCHER = '"@LAUNCHER@"'  # stands in the shipped copy where a memory home's launcher will stand
_COMMANDS = '"@COMMANDS@"'  # and this where our commands will stand
# OpenCode reads all of them, each over the one before; a list replaces the one that it finds.
_FILES = ("config.json", "opencode.json", "opencode.jsonc")
_NEW = "opencode.json"
_FETCHED = ("node_modules", "@opencode-ai", "plugin")
_SLOW = (
    "before OpenCode loads any plugin it fetches @opencode-ai/plugin from npm, once; where npm is out of "
    "reach every start waits two minutes for it, unless ~/.npmrc says offline=true"
)


def config_dir(home_dir: str, environ: Mapping[str, str]) -> str:
    """Return the user's configuration folder.

    OPENCODE_CONFIG and OPENCODE_CONFIG_DIR add more, hiding none of these plugins.
    """
    return os.path.join(client_folder(home_dir, environ, "XDG_CONFIG_HOME", ".config"), RUNTIME)


def found(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client is on this machine, by folder or program."""
    return os.path.isdir(config_dir(home_dir, environ)) or on_path(RUNTIME, environ)


def wanted(here: Here) -> Wanted:
    """Return the changes that connect the client, and those that disconnect."""
    files = hook_file(here) | server_file(here)
    files[_plugin(here)] = (rendered(here.package, here.launcher), 0o600)
    return Wanted(
        RUNTIME,
        files,
        edits=(_registration(here), *_withdrawals(here)),
        remarks=tuple(_remarks(here)),
    )


def rendered(package: str, launcher: str) -> bytes:
    """Return the plugin for a launcher."""
    with open(os.path.join(package, "plugins", RUNTIME, PLUGIN), encoding="utf-8") as file:
        text = file.read().replace(_LAUNCHER, json.dumps(launcher), 1)
    return text.replace(_COMMANDS, json.dumps(commands(), ensure_ascii=False), 1).encode()


def commands() -> dict[str, dict[str, str]]:
    """Return commands without user text, by name.

    OpenCode runs text between !` and ` in the words after any command (seen with 1.18.33). Where
    people would paste text, no command is offered.
    """
    return {
        f"{NAME}:{page.name}": {"description": page.about, "template": page.body}
        for page in pages(runs=True)
        if page.pair.only_reads or not page.pair.hint
    }


def trouble(here: Here) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    edit = _registration(here)
    text = text_of(edit.path, read(edit.path))
    try:
        registered = edit.put(text) == text
    except ConfigError as error:
        raise ConfigError(f"{edit.path}: {error}", hint=error.hint) from error
    return "" if registered else f"our plugin is not registered; see {edit.path}"


def sample(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return {
        "hook_event_name": "PostToolUse",
        "session_id": "twiceshy-doctor",
        "cwd": folder,
        "transcript_path": os.path.join(folder, "opencode.db#twiceshy-doctor"),
        "tool_name": "skill",
        "tool_use_id": "call_doctor",
        "tool_input": {"name": skill},
        "tool_response": {"commandName": skill},
    }


def _remarks(here: Here) -> Iterator[str]:
    if not here.mcp:
        yield WITHOUT_TOOLS
    if not os.path.isdir(os.path.join(config_dir(here.home_dir, here.environ), *_FETCHED)):
        yield _SLOW


def _plugin(here: Here) -> str:
    return os.path.join(here.folder(RUNTIME), PLUGIN)


def _registration(here: Here) -> Registration:
    folder = config_dir(here.home_dir, here.environ)
    return Registration(_config(folder), _plugin(here), here.server, here.mcp)


def _withdrawals(here: Here) -> Iterator[Withdrawal]:
    """Yield removals from formerly used files."""
    now, done = _registration(here), receipt.load(here.home, RUNTIME)
    for file in done.shared if done else ():
        if file.path != now.path and read(file.path) is not None:
            yield Withdrawal.of({**now.fields(), "path": file.path})


def _config(folder: str) -> str:
    """Return the effective configuration file, else the last present, else a new one."""
    paths = [os.path.join(folder, name) for name in _FILES]
    there = {path: content for path in paths if (content := read(path)) is not None}
    listing = [path for path, content in there.items() if has_plugins(text_of(path, content))]
    return (listing or [*there] or [os.path.join(folder, _NEW)])[-1]
