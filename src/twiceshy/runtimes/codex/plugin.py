"""The Codex marketplace, a versioned plugin and one of unchanging hooks, and its registration.

Codex trusts plugin hooks by a hash of the plugin's files (seen with 0.166): with the skill
beside them, every upgrade would silence the hooks until the user looked again.

The client's own commands write config.toml, and so does its user, who trusts our hooks there.
Our tables are removed; foreign bytes stay.
"""

from __future__ import annotations

import json

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code import plugin as shipped
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.hook_lines import HookRow, build_hooks_document, render_json

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    Path = tuple[str, ...]

RUNTIME = "codex"
HOOKS_NAME = f"{NAME}-hooks"
PLUGINS = (NAME, HOOKS_NAME)
MARKETPLACE = ".claude-plugin/marketplace.json"
MANIFEST = ".claude-plugin/plugin.json"
HOOKS_FILE = "hooks/hooks.json"
# It reads no commands, and what tells of them is for another client.
_NOT_FOR_IT = ("commands/", "hooks/", "README.md")
_NEVER_CHANGES = "1"  # a version that moves with ours would move the hash

# A server can only be handed what is always there: where a field is missing the client skips the hook.
_CALL = ("tool_name", "tool_use_id", "tool_input")
# The client has no events for failures and for skills, cuts the last event short by itself, and tells
# whoever gives it longer so at every start.
HOOKS = (
    HookRow("SessionStart"),
    HookRow("UserPromptSubmit", handed=("prompt",)),
    HookRow("PreToolUse", "Bash|apply_patch|spawn_agent|mcp__.*", handed=_CALL),
    HookRow("PostToolUse", "Bash", handed=(*_CALL, "tool_response")),
    HookRow("PreCompact", handed=("trigger",)),
    HookRow("PostCompact", handed=("trigger",)),
    HookRow("SubagentStart", handed=("agent_id", "agent_type")),
    HookRow("Stop", handed=("stop_hook_active",)),
    HookRow("SessionEnd", timeout_s=3),
)
_TRUSTED = ("hooks", "state")
_NOTIFY = "notify"
_OURS = ("marketplaces", NAME), *(("plugins", f"{name}@{NAME}") for name in PLUGINS)


def render_marketplace(
    package: str, launcher: str, *, server: str = "", answers: bool = False
) -> dict[str, bytes]:
    """Return every file of the marketplace by path, for these launchers.

    ``server`` starts the MCP server, if available; ``answers``: the server also answers events,
    by the user's choice.
    """
    import shlex  # noqa: PLC0415 - no hook renders anything

    own = f"plugins/{NAME}/"
    files = {
        path: content
        for path, content in shipped.render_plugin(package, launcher, server=server).items()
        if not path.removeprefix(own).startswith(_NOT_FOR_IT)
    }
    command = f"{shlex.quote(launcher)} {RUNTIME}"
    asked = NAME if server and answers else ""
    files[MARKETPLACE] = _add_hook_plugin(files[MARKETPLACE])
    files[f"plugins/{HOOKS_NAME}/{MANIFEST}"] = render_json(_manifest_json()).encode()
    files[f"plugins/{HOOKS_NAME}/{HOOKS_FILE}"] = render_json(
        build_hooks_document(HOOKS, command, runtime=RUNTIME, server=asked)
    ).encode()
    return dict(sorted(files.items()))


def plugin_files(name: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a plugin by path."""
    own = f"plugins/{name}/"
    return {p.removeprefix(own): content for p, content in files.items() if p.startswith(own)}


def list_trust_keys() -> list[str]:
    """Return the client's trust keys, one per hook."""
    where = f"{HOOKS_NAME}@{NAME}:{HOOKS_FILE}"
    return [f"{where}:{_snake_case(row.event)}:0:0" for row in HOOKS]


def _add_hook_plugin(marketplace: bytes) -> bytes:
    found = json.loads(marketplace)
    plugin = {"name": HOOKS_NAME, "source": f"./plugins/{HOOKS_NAME}"}
    found["plugins"].append(plugin | {"description": _manifest_json()["description"]})
    return render_json(found).encode()


def _manifest_json() -> dict[str, object]:
    return {
        "name": HOOKS_NAME,
        "version": _NEVER_CHANGES,
        "description": "The hooks of twiceshy: one command for every event, the same in every version.",
        "author": {"name": NAME},
        "license": "MIT",
    }


def _snake_case(event: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in event).lstrip("_")


class CodexRegistration(Value):
    """Every entry about us in the file: removed, never inserted, by us."""

    path: str
    launcher: str

    def insert_into(self, text: str) -> str:
        """Return the text unchanged."""
        return text

    def remove_from(self, text: str, before: str) -> str:
        """Return the text without us; ConfigError if other content would change."""
        del before  # it may be one that has us in it
        from twiceshy.files import toml_edit  # noqa: PLC0415 - it loads tomlkit

        def goes(path: Path) -> bool:
            return _is_ours(path) or (path == (_NOTIFY,) and has_notify(text, self.launcher))

        then = parse_config(text)
        try:
            left = toml_edit.remove_entries(text, goes)
            if get_value(left, _TRUSTED) == {} != get_value(text, _TRUSTED):
                left = toml_edit.remove_entries(left, lambda path: path == _TRUSTED)
        except ValueError:
            left = text
        now = parse_config(left)
        others_changed = _foreign_content(now) != _foreign_content(then, self.launcher)
        if others_changed or any(map(goes, toml_edit.find_leaves(now))):
            raise ConfigError(
                "cannot find twiceshy's entries in config.toml", hint="remove them by hand"
            )
        return left

    def is_blank(self, text: str) -> bool:
        """True if blank."""
        return not text.strip()


def parse_config(text: str) -> dict[str, object]:
    """Parse the file; ConfigError if invalid TOML."""
    import tomllib  # noqa: PLC0415 - no hook reads a client's settings

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # 5,000 digits are a ValueError of int()
        raise ConfigError(f"it is not valid TOML: {error}", hint="correct it first") from error


def get_value(text: str, path: Path) -> object:
    """Return the value at a path; None if absent."""
    found: object = parse_config(text)
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def is_hook_trusted(text: str, key: str) -> bool:
    """True if the user trusts a hook and it is on; the hash is not checked."""
    state = get_value(text, (*_TRUSTED, key))
    return (
        isinstance(state, dict) and "trusted_hash" in state and state.get("enabled") is not False
    )


def has_notify(text: str, launcher: str) -> bool:
    """True if the client notifies us of finished turns, which needs no trust."""
    return _mentions_us(get_value(text, (_NOTIFY,)), launcher)


def _mentions_us(notify: object, launcher: str) -> bool:
    return isinstance(notify, list) and notify[:1] == [launcher]


def _is_ours(path: Path) -> bool:
    if path[:2] in _OURS:
        return True
    return path[:2] == _TRUSTED and len(path) > 2 and path[2].startswith(f"{HOOKS_NAME}@{NAME}:")


def _foreign_content(found: object, launcher: str = "", above: Path = ()) -> object:
    """Return foreign content, without empty tables."""
    if not isinstance(found, dict):
        return found
    named = ((name, (*above, name), value) for name, value in found.items())
    kept = {
        name: _foreign_content(value, above=path)
        for name, path, value in named
        if not _is_ours(path) and not (path == (_NOTIFY,) and _mentions_us(value, launcher))
    }
    return {name: value for name, value in kept.items() if value != {}}
