"""Install for Gemini CLI: the extension folder, linked by its own command."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.files.json_edit import get_value
from twiceshy.runtimes.edits import load_client_file
from twiceshy.runtimes.gemini import extension
from twiceshy.runtimes.gemini.extension import NAME, RUNTIME
from twiceshy.runtimes.install_plan import InstallRequest

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.runtimes.install_plan import InstallPlace

TITLE = "Gemini CLI"
LEVEL = "automatic"
_PROGRAM = "gemini"
# With --consent the client also trusts the directory it is called in, for good (seen with 0.61.0),
# unless it is told that this once it may take it for trusted.
_AS_IF_TRUSTED = ("env", "GEMINI_CLI_TRUST_WORKSPACE=true")
_LINK = ".gemini-extension-install.json"
_SWITCHES = "extension-enablement.json"
# Where the client keeps sums of extensions. The key that it signs them with, and the id that it gives
# itself meanwhile, are its own and stay: other extensions need them.
_SUMS = "extension_integrity.json"


def find_config_folder(here: InstallPlace) -> str:
    """Return the client's configuration folder; its variable names the parent."""
    return os.path.join(here.client_folder("GEMINI_CLI_HOME"), ".gemini")


def is_installed(here: InstallPlace) -> bool:
    """True if the client's program is on this machine."""
    return here.has_program(_PROGRAM)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder = here.runtime_folder(RUNTIME)
    own = os.path.join(_extensions_folder(here), NAME)
    rendered = extension.render_extension(
        here.package, here.launcher_path, server=here.server_command
    )
    there = os.path.isdir(own)
    link = _client_command(here, "link", folder, "--consent")
    unlink = _client_command(here, "uninstall", NAME)
    linked = there and _linked_folder(own) == folder
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, rendered),
        commands=() if linked else (unlink, link) if there else (link,),
        undo=(unlink,) if there else (),
        touches=(
            os.path.join(_extensions_folder(here), _SWITCHES),
            os.path.join(find_config_folder(here), _SUMS),
        ),
        leftovers=(own,),
        remarks=here.remarks,
    )


def _client_command(here: InstallPlace, *words: str) -> tuple[str, ...]:
    """Return a client command, or the name of the missing program."""
    command = (_PROGRAM, "extensions", *words)
    return (*_AS_IF_TRUSTED, *command) if here.has_program(_PROGRAM) else command


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    own = os.path.join(_extensions_folder(here), NAME)
    if _linked_folder(own) != here.runtime_folder(RUNTIME):
        return f"the extension is not linked; see {own}"
    switches = os.path.join(_extensions_folder(here), _SWITCHES)
    rules = _read_value(switches, NAME, "overrides")
    if isinstance(rules, list) and any(str(rule).startswith("!") for rule in rules):
        return f"the extension is switched off, at least in some folders; see {switches}"
    settings = os.path.join(find_config_folder(here), "settings.json")
    if _read_value(settings, "hooksConfig", "enabled") is False:
        return f"hooksConfig.enabled is false: it runs no hooks at all; see {settings}"
    disabled = _read_value(settings, "hooksConfig", "disabled")
    if isinstance(disabled, list) and NAME in disabled:
        return f"our hooks are switched off; see {settings}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return {
        "session_id": "twiceshy-doctor",
        "transcript_path": os.path.join(folder, "chat.jsonl"),
        "cwd": folder,
        "hook_event_name": "AfterTool",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "tool_name": "activate_skill",
        "tool_input": {"name": skill},
        "tool_response": {"llmContent": "", "returnDisplay": ""},
    }


def _extensions_folder(here: InstallPlace) -> str:
    return os.path.join(find_config_folder(here), "extensions")


def _linked_folder(own: str) -> object:
    """Return the linked folder of our extension, if linked."""
    link = os.path.join(own, _LINK)
    return _read_value(link, "source") if _read_value(link, "type") == "link" else None


def _read_value(path: str, *names: str) -> object:
    """Return a value of a client file; None if absent or not plain JSON."""
    try:
        return get_value(load_client_file(path), names)
    except ConfigError:
        return None
