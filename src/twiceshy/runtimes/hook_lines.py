"""Write a hooks.json: which events reach us, through a process of their own or the MCP server that runs.

Claude Code and Codex read the same form. A hook line never changes between versions; whoever trusts it
trusts it for good.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

TOOL = "hook"  # of the MCP server, which does not list it
_ALWAYS = ("session_id", "transcript_path", "cwd", "hook_event_name")


class HookRow(Value):
    """An event, the tools it concerns (none named: all), and when the client may give up on us.

    ``handed`` is what a server gets of it; if that is nothing, only a process can be told.
    """

    event: str
    matcher: str = ""
    timeout_s: int = 5
    handed: tuple[str, ...] = ()


def document(
    rows: Iterable[HookRow], command: str, *, runtime: str, server: str = ""
) -> dict[str, object]:
    """Return hooks.json with one command for every event; ``server`` takes those it can take."""
    return {"hooks": {row.event: [_group(row, command, runtime, server)] for row in rows}}


def _group(row: HookRow, command: str, runtime: str, server: str) -> dict[str, object]:
    hook: dict[str, object] = {"type": "command", "command": command}
    if server and row.handed:
        given = {name: f"${{{name}}}" for name in (*_ALWAYS, *row.handed)}
        asked = {"runtime": runtime} | given
        hook = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": asked}
    group: dict[str, object] = {"matcher": row.matcher} if row.matcher else {}
    return group | {"hooks": [hook | {"timeout": row.timeout_s}]}
