"""Render the Codex marketplace: a versioned plugin, and a plugin of unchanging hooks.

Codex trusts plugin hooks by a hash of the plugin's files (seen with 0.166): with the skill
beside them, every upgrade would silence the hooks until the user looked again.
"""

from __future__ import annotations

import json

from twiceshy.runtimes.claude_code import plugin as shipped
from twiceshy.runtimes.claude_code.plugin import NAME
from twiceshy.runtimes.hook_lines import HookRow, build_hooks_document, render_json

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

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
