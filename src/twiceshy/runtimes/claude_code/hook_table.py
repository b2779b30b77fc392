"""Which events of Claude Code start our hook: the one table that hooks.json is made from.

Codex reads the same file and wants the common subset: shell-form commands, no http, no args, no async.
"""

from __future__ import annotations

from twiceshy.core.value import Value

RUNTIME = "claude-code"

# Tools whose calls a note can be about: files that are not there are met by whoever looks for them.
_BEFORE = "Bash|Skill|Edit|MultiEdit|Write|NotebookEdit|Read|Grep|Task|Agent|mcp__.*"
_AFTER = "Skill|Read|Bash"


class HookRow(Value):
    """An event, the tools it concerns (none named: all), and when the client may give up on us."""

    event: str
    matcher: str = ""
    timeout_s: int = 5


HOOKS = (
    HookRow("SessionStart"),
    HookRow("UserPromptSubmit"),
    HookRow("UserPromptExpansion"),
    HookRow("PreToolUse", _BEFORE),
    HookRow("PostToolUse", _AFTER),
    HookRow("PostToolUseFailure"),
    HookRow("PreCompact"),
    HookRow("PostCompact"),
    HookRow("SubagentStart"),
    HookRow("SubagentStop"),
    HookRow("Stop"),
    HookRow("SessionEnd", timeout_s=10),  # without one of its own the client waits a second or so
)


def hooks_document(command: str) -> dict[str, object]:
    """Return hooks.json with one command for every event, so that it never changes."""
    return {"hooks": {row.event: [_group(row, command)] for row in HOOKS}}


def _group(row: HookRow, command: str) -> dict[str, object]:
    hook = {"type": "command", "command": command, "timeout": row.timeout_s}
    return ({"matcher": row.matcher} if row.matcher else {}) | {"hooks": [hook]}
