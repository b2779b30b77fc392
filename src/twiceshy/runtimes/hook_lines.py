"""Build hooks.json: events that reach us, by process or by MCP server.

Claude Code and Codex read the same form. A hook line never changes between versions, so
trust in a line lasts.
"""

import json
from collections.abc import Iterable

from twiceshy.core.value import Value

TOOL = "hook"  # of the MCP server, which does not list it
_ALWAYS = ("session_id", "transcript_path", "cwd", "hook_event_name")


class HookRow(Value):
    """An event, its tools (none: every tool), and the client's timeout.

    ``handed`` is the server's input; if empty, only a process can be called.
    """

    event: str
    matcher: str = ""
    timeout_s: int = 5
    handed: tuple[str, ...] = ()


def build_hooks_document(
    rows: Iterable[HookRow], command: str, *, runtime: str, server: str = ""
) -> dict[str, object]:
    """Return hooks.json with a command for every event; ``server`` takes the possible ones."""
    return {"hooks": {row.event: [_build_group(row, command, runtime, server)] for row in rows}}


def render_json(document: object) -> str:
    """Render a file that a client reads."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _build_group(row: HookRow, command: str, runtime: str, server: str) -> dict[str, object]:
    hook: dict[str, object] = {"type": "command", "command": command}
    if server and row.handed:
        given = {name: f"${{{name}}}" for name in (*_ALWAYS, *row.handed)}
        asked = {"runtime": runtime} | given
        hook = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": asked}
    group: dict[str, object] = {"matcher": row.matcher} if row.matcher else {}
    return group | {"hooks": [hook | {"timeout": row.timeout_s}]}
