"""Install for Codex: a marketplace of two plugins, copied by its commands, and the user's trust."""

from __future__ import annotations

import os

from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.codex import plugin
from twiceshy.runtimes.codex.plugin import HOOKS, PLUGINS, RUNTIME
from twiceshy.runtimes.edits import load_client_file, name_file
from twiceshy.runtimes.install_plan import InstallRequest, build_sample, write_sample_skill
from twiceshy.runtimes.plan import read_bytes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.runtimes.install_plan import InstallPlace

    Words = tuple[str, ...]

TITLE = "Codex"
LEVEL = "automatic"
_PROGRAM = "codex"
_PLUGIN = (_PROGRAM, "plugin")
_TRUST = "start codex and choose “Trust all and continue”, or open /hooks in it"


def is_installed(here: InstallPlace) -> bool:
    """True if the client's program is on this machine; it must register us."""
    return here.has_program(_PROGRAM)


def build_request(here: InstallPlace) -> InstallRequest:
    """Return the changes that connect the client, and those that disconnect."""
    folder, own, config = here.runtime_folder(RUNTIME), _own_files(here), _config_path(here)
    rendered = _render_files(here)
    text = _read_config(config)
    return InstallRequest(
        RUNTIME,
        here.build_files(RUNTIME, rendered),
        commands=tuple(_needed_commands(text, folder, own, rendered)),
        undo=tuple(_undo_commands(text, own)),
        touches=(config,),
        noted=(plugin.CodexRegistration(config, here.launcher_path),),
        leftovers=(_cache_folder(own),),
        remarks=tuple(_list_remarks(here, text)),
    )


def find_trouble(here: InstallPlace) -> str:
    """Return the reason the client does not run our hooks; the trusted hash is unknown."""
    config = _config_path(here)
    text = _read_config(config)
    why = _describe_unregistered(text, here.runtime_folder(RUNTIME))
    if why:
        return f"{why}; see {config}"
    if any(_is_outdated(name, _own_files(here), _render_files(here)) for name in PLUGINS):
        return "its copy of a plugin is outdated; run: twiceshy install"
    if missing := _untrusted_hooks(text):
        learns = plugin.has_notify(text, here.launcher_path)
        instead = "; until then it only learns, by notify" if learns else ""
        return (
            f"{missing} of {len(HOOKS)} hooks are not trusted, so it skips them: {_TRUST}{instead}"
        )
    return ""


def sample_payload(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill: its file was read."""
    write_sample_skill(folder, ".agents", skill)
    return build_sample(
        folder,
        turn_id="twiceshy-doctor",
        transcript_path=os.path.join(folder, "rollout-doctor.jsonl"),
        permission_mode="default",
        tool_name="Bash",
        tool_input={"command": f"cat .agents/skills/{skill}/SKILL.md"},
        tool_response="",
    )


def _own_files(here: InstallPlace) -> str:
    return here.client_folder("CODEX_HOME", ".codex")


def _config_path(here: InstallPlace) -> str:
    return os.path.join(_own_files(here), "config.toml")


def _cache_folder(own: str) -> str:
    return os.path.join(own, "plugins", "cache", NAME)


def _read_config(config: str) -> str:
    text = load_client_file(config)
    with name_file(config):
        plugin.parse_config(text)
    return text


def _render_files(here: InstallPlace) -> dict[str, bytes]:
    return plugin.render_marketplace(
        here.package, here.launcher_path, server=here.server_command, answers=here.answers
    )


def _registered_source(text: str) -> str:
    """Return the client's folder of our marketplace."""
    source = plugin.get_value(text, ("marketplaces", NAME, "source"))
    return source if isinstance(source, str) else ""


def _is_enabled(text: str, name: str) -> object:
    return plugin.get_value(text, ("plugins", f"{name}@{NAME}", "enabled"))


def _is_registered(source: str, folder: str) -> bool:
    return source != "" and os.path.realpath(source) == os.path.realpath(folder)


def _needed_commands(
    text: str, folder: str, own: str, rendered: Mapping[str, bytes]
) -> Iterator[Words]:
    """Yield registration commands still needed."""
    known = _is_registered(_registered_source(text), folder)
    if not known and _registered_source(text):
        yield (*_PLUGIN, "marketplace", "remove", NAME)
    if not known:
        yield (*_PLUGIN, "marketplace", "add", folder)
    for name in PLUGINS:
        if not known or _is_enabled(text, name) is not True or _is_outdated(name, own, rendered):
            yield (*_PLUGIN, "add", f"{name}@{NAME}")


def _undo_commands(text: str, own: str) -> Iterator[Words]:
    for name in PLUGINS:
        copied = os.path.isdir(os.path.join(_cache_folder(own), name))
        if copied or _is_enabled(text, name) is not None:
            yield (*_PLUGIN, "remove", f"{name}@{NAME}")
    if _registered_source(text):
        yield (*_PLUGIN, "marketplace", "remove", NAME)


def _is_outdated(name: str, own: str, rendered: Mapping[str, bytes]) -> bool:
    """True if the client's plugin copy of a version differs from ours."""
    base = os.path.join(_cache_folder(own), name)
    copied = {
        os.path.relpath(os.path.join(place, file), base).replace(os.sep, "/").partition("/")[2]: (
            os.path.join(place, file)
        )
        for place, _, files in os.walk(base)
        for file in files
    }
    ours = plugin.plugin_files(name, rendered)
    return copied.keys() != ours.keys() or any(read_bytes(copied[p]) != ours[p] for p in ours)


def _describe_unregistered(text: str, folder: str) -> str:
    if not _is_registered(_registered_source(text), folder):
        return "the plugins are not in its configuration"
    if any(_is_enabled(text, name) is not True for name in PLUGINS):
        return "a plugin is switched off"
    for feature in ("hooks", "plugins"):
        if plugin.get_value(text, ("features", feature)) is False:
            return f"its feature {feature!r} is switched off"
    return ""


def _untrusted_hooks(text: str) -> int:
    return sum(not plugin.is_hook_trusted(text, key) for key in plugin.list_trust_keys())


def _list_remarks(here: InstallPlace, text: str) -> Iterator[str]:
    yield from here.remarks
    if not _untrusted_hooks(text):
        return
    yield f"Codex runs hooks only when you trust them: {_TRUST}"
    if plugin.has_notify(text, here.launcher_path):
        return
    if plugin.get_value(text, ("notify",)) is not None:
        yield "your own `notify` in config.toml stays; ours would let it learn without trust"
        return
    line = f'notify = ["{here.launcher_path}", "{RUNTIME}"]'
    yield f"to only learn, without trust: {line} at the beginning of {_config_path(here)}"
