"""Install for Claude Code: the plugin folder, and two members of its settings.json.

They name the marketplace folder and switch its plugin on: the client then reads the folder
in place, in a terminal and with -p (seen with 2.1.325).
"""

import os

from twiceshy.files.json_edit import get_value
from twiceshy.runtimes import receipt
from twiceshy.runtimes.claude_code.plugin import NAME, RUNTIME, render_commands, render_plugin
from twiceshy.runtimes.edits import JsonMembers, NotedEdit, load_client_file, name_file
from twiceshy.runtimes.install_plan import InstallPlace, InstallRequest, build_sample
from twiceshy.runtimes.plan import read_bytes
from twiceshy.runtimes.receipt import hash_content

TITLE = "Claude Code"
LEVEL = "automatic"
_MARKETPLACE = ("extraKnownMarketplaces", NAME)
_ENABLED = ("enabledPlugins", f"{NAME}@{NAME}")


def is_installed(here: InstallPlace) -> bool:
    """True if the client is on this machine, by folder or program."""
    return os.path.isdir(_config_folder(here)) or here.has_program("claude")


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder, plugins = here.runtime_folder(RUNTIME), os.path.join(_config_folder(here), "plugins")
    rendered = render_plugin(
        here.package,
        here.launcher_path,
        server=here.server_command,
        answers=here.answers,
        counts=here.counts,
        of_model=here.of_model,
    )
    short, left = _short_commands(here)
    source = {"source": {"source": "directory", "path": folder}}
    settings = JsonMembers(_settings_path(here), ((_MARKETPLACE, source), (_ENABLED, True)))
    # what the client writes down by itself after seeing the plugin
    noted = {
        "known_marketplaces.json": (NAME,),
        "installed_plugins.json": ("plugins", _ENABLED[1]),
    }
    return InstallRequest(
        RUNTIME,
        {**here.build_files(RUNTIME, rendered), **short},
        edits=(settings,),
        noted=tuple(
            NotedEdit(os.path.join(plugins, name), ((member, None),))
            for name, member in noted.items()
        ),
        leftovers=(os.path.join(plugins, "data", f"{NAME}-{NAME}"),),  # made for every plugin
        remarks=(*here.remarks, *left),
    )


def _short_commands(here: InstallPlace) -> tuple[dict[str, tuple[bytes, int]], tuple[str, ...]]:
    """Return the commands under their short names, and a remark about the user's own of that name."""
    if not here.short:
        return {}, ()
    folder, done = (
        os.path.join(_config_folder(here), "commands"),
        receipt.load_receipt(here.home, RUNTIME),
    )
    ours = {file.path: file.after for file in done.own_files} if done else {}
    made, left = {}, []
    for name, text in render_commands(here.of_model).items():
        path = os.path.join(folder, name)
        there = read_bytes(path)
        if there is None or there == text.encode() or hash_content(there) == ours.get(path):
            made[path] = (text.encode(), 0o600)
        else:
            left.append(name)
    kept = f"{', '.join(left)} in {folder} is yours and stays" if left else ""
    return made, (kept,) if kept else ()


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; empty if none."""
    done = receipt.load_receipt(here.home, RUNTIME)
    others = [file.path for file in done.shared_files] if done else []
    for path in dict.fromkeys([_settings_path(here), *others]):
        text = load_client_file(path)
        with name_file(path):
            why = _find_settings_trouble(text, here.runtime_folder(RUNTIME))
        if why:
            return f"{why}; see {path}"
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill."""
    return build_sample(
        folder,
        transcript_path=os.path.join(folder, "transcript.jsonl"),
        permission_mode="default",
        tool_name="Skill",
        tool_input={"skill": skill},
        tool_response={"success": True, "commandName": skill},
        duration_ms=1,
    )


def _config_folder(here: InstallPlace) -> str:
    return here.client_folder("CLAUDE_CONFIG_DIR", ".claude")


def _settings_path(here: InstallPlace) -> str:
    return os.path.join(_config_folder(here), "settings.json")


def _find_settings_trouble(text: str, folder: str) -> str:
    if get_value(text, (*_MARKETPLACE, "source", "path")) != folder:
        return "the plugin is not in its settings"
    if get_value(text, _ENABLED) is not True:
        return "the plugin is switched off"
    if get_value(text, ("disableAllHooks",)) is True:
        return "disableAllHooks is set: it runs no hooks at all"
    return ""
