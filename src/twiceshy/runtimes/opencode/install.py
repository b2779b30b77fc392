"""Install for OpenCode: the plugin file, and two entries in its commented JSON configuration.

Comments and trailing commas are blanked first, leaving JSON with every character in place;
every other byte of the configuration stays.
"""

import json
import os
from collections.abc import Iterator

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.files import json_edit
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.command_table import build_command_pages
from twiceshy.runtimes.edits import insert_edit, load_client_file, read_client_file
from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest, build_sample
from twiceshy.runtimes.plan import read_bytes

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
_SCHEMA = "https://opencode.ai/config.json"  # OpenCode writes it into a file that does not name it
_PLUGINS = ("plugin",)
_SERVER = ("mcp", "twiceshy")
_PATIENCE = 10_000  # milliseconds; a server that hangs would hold up a session for thirty seconds


class OpenCodeRegistration(Value):
    """Our plugin in the plugin list, and our MCP server if it ``serves``."""

    path: str
    plugin: str
    server: str
    serves: bool = True

    def insert_into(self, text: str) -> str:
        """Return the text with our entries."""
        if not json_edit.parse_document(text, comments=True):
            text = json_edit.set_member(text, ("$schema",), _SCHEMA, comments=True)
        listed = json_edit.get_value(text, _PLUGINS, comments=True)
        if not isinstance(listed, list) or self.plugin not in listed:
            text = json_edit.append_items(text, _PLUGINS, [self.plugin], comments=True)
        if not self.serves:
            return text
        server = {"type": "local", "command": [self.server], "enabled": True, "timeout": _PATIENCE}
        return json_edit.set_member(text, _SERVER, server, comments=True)

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without our entries; emptied parents go, unless present before."""
        if json_edit.get_value(text, (*_SERVER, "command"), comments=True) == [self.server]:
            text = json_edit.remove_member(text, _SERVER, comments=True)
            text = _drop_empty(text, before, _SERVER[:1], {})
        text = json_edit.remove_item(text, _PLUGINS, self.plugin, comments=True)
        return _drop_empty(text, before, _PLUGINS, [])

    def is_blank(self, text: str) -> bool:
        """True if the file has only default content."""
        return json_edit.parse_document(text, comments=True).keys() <= {"$schema"}


class OpenCodeRemoval(OpenCodeRegistration):
    """Our entries in a superseded configuration file."""

    def insert_into(self, text: str) -> str:
        """Return the text without our entries."""
        return self.remove_from(text, "")


def is_installed(here: InstallPlace) -> bool:
    """True if the client is on this machine, by folder or program."""
    return os.path.isdir(_config_folder(here)) or here.has_program(RUNTIME)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, {PLUGIN: render_plugin(here.package, here.launcher_path)}),
        edits=(_build_registration(here), *_build_removals(here)),
        remarks=tuple(_list_remarks(here)),
    )


def render_plugin(package: str, launcher: str) -> bytes:
    """Return the plugin for a launcher."""
    with open(os.path.join(package, "plugins", RUNTIME, PLUGIN), encoding="utf-8") as file:
        text = file.read().replace(_LAUNCHER, json.dumps(launcher), 1)
    return text.replace(_COMMANDS, json.dumps(build_commands(), ensure_ascii=False), 1).encode()


def build_commands() -> dict[str, dict[str, str]]:
    """Return commands without user text, by name.

    OpenCode runs text between !` and ` in the words after any command (seen with 1.18.33). Where
    people would paste text, no command is offered.
    """
    return {
        f"{NAME}:{page.name}": {"description": page.about, "template": page.body}
        for page in build_command_pages(runs=True)
        if page.pair.only_reads or not page.pair.hint
    }


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    edit = _build_registration(here)
    text = load_client_file(edit.path)
    registered = insert_edit(edit, text) == text
    return "" if registered else f"our plugin is not registered; see {edit.path}"


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return build_sample(
        folder,
        transcript_path=os.path.join(folder, "opencode.db#twiceshy-doctor"),
        tool_name="skill",
        tool_input={"name": skill},
        tool_response={"commandName": skill},
    )


def _config_folder(here: InstallPlace) -> str:
    """Return the user's configuration folder.

    OPENCODE_CONFIG and OPENCODE_CONFIG_DIR add more, hiding none of these plugins.
    """
    return os.path.join(here.client_folder("XDG_CONFIG_HOME", ".config"), RUNTIME)


def _list_remarks(here: InstallPlace) -> Iterator[str]:
    yield from here.remarks
    if not os.path.isdir(os.path.join(_config_folder(here), *_FETCHED)):
        yield _SLOW


def _build_registration(here: InstallPlace) -> OpenCodeRegistration:
    plugin = os.path.join(here.runtime_folder(RUNTIME), PLUGIN)
    config = _find_config_file(_config_folder(here))
    return OpenCodeRegistration(config, plugin, here.server_path, here.mcp)


def _build_removals(here: InstallPlace) -> Iterator[OpenCodeRemoval]:
    """Yield removals from formerly used files."""
    now, done = _build_registration(here), receipt.load_receipt(here.home, RUNTIME)
    for file in done.shared_files if done else ():
        if file.path != now.path and read_bytes(file.path) is not None:
            yield OpenCodeRemoval.of({**now.fields(), "path": file.path})


def _find_config_file(folder: str) -> str:
    """Return the effective configuration file, else the last present, else a new one."""
    paths = [os.path.join(folder, name) for name in _FILES]
    there = {path: content for path in paths if (content := read_bytes(path)) is not None}
    listing = [
        path for path, content in there.items() if _has_plugins(read_client_file(path, content))
    ]
    return (listing or [*there] or [os.path.join(folder, _NEW)])[-1]


def _has_plugins(text: str) -> bool:
    """True if a configuration lists plugins; only the last such list counts."""
    try:
        return json_edit.get_value(text, _PLUGINS, comments=True) is not None
    except ConfigError:
        return True  # whoever looks closer finds out, and says so


def _drop_empty(text: str, before: str, path: tuple[str, ...], nothing: object) -> str:
    """Remove an emptied list or object, unless present before."""
    now, then = (json_edit.get_value(each, path, comments=True) for each in (text, before))
    return (
        json_edit.remove_member(text, path, comments=True)
        if now == nothing and then is None
        else text
    )
