"""The table of Claude Code events that reach us, source of hooks.json.

The client starts no MCP server before a session begins, and has ended it when the session is
over (seen with 2.1.325): these two events need a process.
"""

from __future__ import annotations

from twiceshy.runtimes.hook_lines import HookRow, build_hooks_document

RUNTIME = "claude-code"

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


def build_hooks_file(command: str, *, server: str = "") -> dict[str, object]:
    """Return hooks.json; ``server`` is the client's name of our MCP server, if it answers."""
    return build_hooks_document(HOOKS, command, runtime=RUNTIME, server=server)
