"""Render the plugin folder, with hook lines for the launcher of a memory home.

The folder is a marketplace of one plugin, read in place by the client. Manifests, hook
lines, commands and MCP server are generated; other files are copied. ``HOOKS`` are the events
that reach us. The client starts no MCP server before a session begins, and has ended it when
the session is over (seen with 2.1.325): these two events need a process.
"""

import os
from collections.abc import Collection, Iterator

from twiceshy import __version__
from twiceshy.runtimes.command_table import build_command_pages
from twiceshy.runtimes.hook_lines import HookRow, build_hooks_document, render_json

RUNTIME = "claude-code"
NAME = "twiceshy"
LAUNCHER = "@LAUNCHER@"  # stands in the shipped copy where a memory home's launcher will stand
_PLUGIN = f"plugins/{NAME}"
_SERVER = f"plugin:{NAME}:{NAME}"  # what the client calls the server of a plugin
SKILL = f"{_PLUGIN}/skills/{NAME}/SKILL.md"
COMMANDS = f"{_PLUGIN}/commands"
SUMMARY = "Memory for coding agents: what one session learned the hard way, the next one knows."

# Tools whose calls a note can be about: files that are not there are met by whoever looks for them.
_BEFORE = "Bash|Skill|Edit|MultiEdit|Write|NotebookEdit|Read|Grep|Task|Agent|mcp__.*"
_AFTER = "Skill|Read|Bash"
_CALL = ("tool_name", "tool_use_id", "tool_input", "agent_id")

HOOKS = (
    HookRow("SessionStart"),
    HookRow("UserPromptSubmit", handed=("prompt",)),
    HookRow("UserPromptExpansion", handed=("command_name", "command_args")),
    HookRow("PreToolUse", _BEFORE, handed=_CALL),
    HookRow("PostToolUse", _AFTER, handed=(*_CALL, "tool_response")),
    HookRow("PostToolUseFailure", handed=(*_CALL, "error", "is_interrupt")),
    HookRow("PreCompact", handed=("trigger",)),
    HookRow("PostCompact", handed=("trigger", "compact_summary")),
    HookRow("SubagentStart", handed=("agent_id", "agent_type")),
    HookRow("SubagentStop", handed=("agent_id", "agent_type")),
    HookRow("Stop", handed=("stop_hook_active",)),
    HookRow("SessionEnd", timeout_s=10),  # without one of its own the client waits a second or so
)


def find_shipped_folder(package: str) -> str:
    """Return the shipped folder inside the package."""
    return os.path.join(package, "plugins", RUNTIME)


def render_plugin(
    package: str,
    launcher: str,
    *,
    server: str = "",
    answers: bool = False,
    counts: bool = False,
    of_model: Collection[str] = (),
) -> dict[str, bytes]:
    """Return every file of the folder by path, for these launchers.

    ``server`` starts the MCP server, if available; ``answers``: the server also answers events,
    and ``counts``: every tool use is counted for the save reminder, by the user's choice, who also
    chose the commands ``of_model``, which the model may run by itself.
    """
    import shlex  # noqa: PLC0415 - no hook renders anything

    carried = dict(_shipped_files(find_shipped_folder(package)))
    words = shlex.quote(launcher)
    texts = generate_files(words, server=server, answers=answers, counts=counts)
    texts |= {f"{COMMANDS}/{name}": text for name, text in render_commands(of_model).items()}
    made = {path: text.encode() for path, text in texts.items()}
    return dict(sorted((carried | made).items()))


def render_commands(of_model: Collection[str] = ()) -> dict[str, str]:
    """Return the file of each slash command by its name."""
    return {
        f"{page.name}.md": page.to_markdown(of_model) for page in build_command_pages(runs=True)
    }


def generate_files(
    launcher: str, *, server: str = "", answers: bool = False, counts: bool = False
) -> dict[str, str]:
    """Return the generated files, for a shell-quoted launcher."""
    asked = _SERVER if server and answers else ""
    rows = [row.but(matcher="") if counts and row.matcher == _BEFORE else row for row in HOOKS]
    hooks = build_hooks_document(rows, f"{launcher} {RUNTIME}", runtime=RUNTIME, server=asked)
    made = {
        ".claude-plugin/marketplace.json": render_json(_marketplace_json()),
        f"{_PLUGIN}/.claude-plugin/plugin.json": render_json(_manifest_json()),
        f"{_PLUGIN}/hooks/hooks.json": render_json(hooks),
    }
    made |= {f"{COMMANDS}/{name}": text for name, text in render_commands().items()}
    if server:
        made[f"{_PLUGIN}/.mcp.json"] = render_json({"mcpServers": {NAME: {"command": server}}})
    return made


def _marketplace_json() -> dict[str, object]:
    plugin = {"name": NAME, "source": f"./{_PLUGIN}", "description": SUMMARY}
    return {
        "name": NAME,
        "description": "The plugin of twiceshy, as `twiceshy install` put it here.",
        "owner": {"name": NAME},
        "plugins": [plugin],
    }


def _manifest_json() -> dict[str, object]:
    return {
        "name": NAME,
        "version": __version__,
        "description": SUMMARY,
        "author": {"name": NAME},
        "license": "MIT",
        "keywords": ["memory", "lessons", "skills"],
    }


def _shipped_files(folder: str) -> Iterator[tuple[str, bytes]]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, folder).replace(os.sep, "/"), file.read()
