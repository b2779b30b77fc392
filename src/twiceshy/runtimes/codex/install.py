"""Install for Codex: a marketplace of two plugins, copied by its commands, and the user's trust."""

from __future__ import annotations

import os

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.codex import config_file, plugin
from twiceshy.runtimes.codex.plugin import HOOKS, PLUGINS, RUNTIME
from twiceshy.runtimes.edits import text_of
from twiceshy.runtimes.installing import (
    WITHOUT_TOOLS,
    Wanted,
    client_folder,
    hook_file,
    on_path,
    server_file,
    skill_file,
)
from twiceshy.runtimes.plan import read

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.runtimes.installing import Here

    Words = tuple[str, ...]

TITLE = "Codex"
LEVEL = "automatic"
_PROGRAM = "codex"
_PLUGIN = (_PROGRAM, "plugin")
_TRUST = "start codex and choose “Trust all and continue”, or open /hooks in it"


def found(home_dir: str, environ: Mapping[str, str]) -> bool:
    """True if the client's program is on this machine; it must register us."""
    del home_dir
    return on_path(_PROGRAM, environ)


def wanted(here: Here) -> Wanted:
    """Return the changes that connect the client, and those that disconnect."""
    folder, own, config = here.folder(RUNTIME), _own(here), _config(here)
    rendered = _rendered(here)
    files = hook_file(here) | server_file(here)
    for name, content in rendered.items():
        files[os.path.join(folder, name)] = (content, 0o600)
    text = _text(config)
    return Wanted(
        RUNTIME,
        files,
        commands=tuple(_commands(text, folder, own, rendered)),
        undo=tuple(_undo(text, own)),
        touches=(config,),
        noted=(config_file.Registered(config, here.launcher),),
        leftovers=(_cache(own),),
        remarks=tuple(_remarks(here, text)),
    )


def trouble(here: Here) -> str:
    """Return the reason the client does not run our hooks; the trusted hash is unknown."""
    config = _config(here)
    text = _text(config)
    why = _unregistered(text, here.folder(RUNTIME))
    if why:
        return f"{why}; see {config}"
    if any(_outdated(name, _own(here), _rendered(here)) for name in PLUGINS):
        return "its copy of the plugin is another one; run: twiceshy install"
    if missing := _untrusted(text):
        learns = config_file.notifies(text, here.launcher)
        instead = "; until then it only learns, by notify" if learns else ""
        return (
            f"{missing} of {len(HOOKS)} hooks are not trusted, so it skips them: {_TRUST}{instead}"
        )
    return ""


def sample(folder: str, skill: str) -> dict[str, object]:
    """Return a sample payload of a loaded skill: its file was read."""
    skill_file(folder, ".agents", skill)
    return {
        "session_id": "twiceshy-doctor",
        "turn_id": "twiceshy-doctor",
        "transcript_path": os.path.join(folder, "rollout-doctor.jsonl"),
        "cwd": folder,
        "hook_event_name": "PostToolUse",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": f"cat .agents/skills/{skill}/SKILL.md"},
        "tool_response": "",
        "tool_use_id": "call_doctor",
    }


def _own(here: Here) -> str:
    return client_folder(here.home_dir, here.environ, "CODEX_HOME", ".codex")


def _config(here: Here) -> str:
    return os.path.join(_own(here), "config.toml")


def _cache(own: str) -> str:
    return os.path.join(own, "plugins", "cache", NAME)


def _text(config: str) -> str:
    text = text_of(config, read(config))
    try:
        config_file.document(text)
    except ConfigError as error:
        raise ConfigError(f"{config}: {error}", hint=error.hint) from error
    return text


def _rendered(here: Here) -> dict[str, bytes]:
    server = here.server if here.mcp else ""
    return plugin.rendered(here.package, here.launcher, server=server, answers=here.answers)


def _source(text: str) -> str:
    """Return the client's folder of our marketplace."""
    source = config_file.value_at(text, ("marketplaces", NAME, "source"))
    return source if isinstance(source, str) else ""


def _enabled(text: str, name: str) -> object:
    return config_file.value_at(text, ("plugins", f"{name}@{NAME}", "enabled"))


def _is(source: str, folder: str) -> bool:
    return source != "" and os.path.realpath(source) == os.path.realpath(folder)


def _commands(text: str, folder: str, own: str, rendered: Mapping[str, bytes]) -> Iterator[Words]:
    """Yield registration commands still needed."""
    known = _is(_source(text), folder)
    if not known and _source(text):
        yield (*_PLUGIN, "marketplace", "remove", NAME)
    if not known:
        yield (*_PLUGIN, "marketplace", "add", folder)
    for name in PLUGINS:
        if not known or _enabled(text, name) is not True or _outdated(name, own, rendered):
            yield (*_PLUGIN, "add", f"{name}@{NAME}")


def _undo(text: str, own: str) -> Iterator[Words]:
    for name in PLUGINS:
        copied = os.path.isdir(os.path.join(_cache(own), name))
        if copied or _enabled(text, name) is not None:
            yield (*_PLUGIN, "remove", f"{name}@{NAME}")
    if _source(text):
        yield (*_PLUGIN, "marketplace", "remove", NAME)


def _outdated(name: str, own: str, rendered: Mapping[str, bytes]) -> bool:
    """True if the client's plugin copy of a version differs from ours."""
    base = os.path.join(_cache(own), name)
    copied = {
        os.path.relpath(os.path.join(place, file), base).replace(os.sep, "/").partition("/")[2]: (
            os.path.join(place, file)
        )
        for place, _, files in os.walk(base)
        for file in files
    }
    ours = plugin.of_plugin(name, rendered)
    return copied.keys() != ours.keys() or any(read(copied[p]) != ours[p] for p in ours)


def _unregistered(text: str, folder: str) -> str:
    if not _is(_source(text), folder):
        return "it is not told about the plugins"
    if any(_enabled(text, name) is not True for name in PLUGINS):
        return "a plugin is switched off"
    off = [name for name in ("hooks", "plugins") if _switch(text, name) is False]
    return f"its feature {off[0]!r} is switched off" if off else ""


def _switch(text: str, feature: str) -> object:
    return config_file.value_at(text, ("features", feature))


def _untrusted(text: str) -> int:
    return sum(not config_file.trusted(text, key) for key in plugin.trust_keys())


def _remarks(here: Here, text: str) -> Iterator[str]:
    if not here.mcp:
        yield WITHOUT_TOOLS
    if not _untrusted(text):
        return
    yield f"Codex runs hooks only when you trust them: {_TRUST}"
    if config_file.notifies(text, here.launcher):
        return
    if config_file.value_at(text, ("notify",)) is not None:
        yield "your own `notify` in config.toml stays; ours would let it learn without trust"
        return
    line = f'notify = ["{here.launcher}", "{RUNTIME}"]'
    yield f"to only learn, without trust: {line} at the beginning of {_config(here)}"
