"""Gemini CLI tool and argument names in our words."""

from __future__ import annotations

import os

from twiceshy.core.event import FOREIGN
from twiceshy.runtimes.dialect import Tool, Tools

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = "run_shell_command"
_IN_PATH = {"dir_path": "path"}
TOOLS = Tools(
    {
        SHELL: Tool("Bash"),
        "read_file": Tool("Read", {"absolute_path": "file_path"}),
        "write_file": Tool("Write"),
        "replace": Tool("Edit", {"allow_multiple": "replace_all"}),
        "grep_search": Tool("Grep", _IN_PATH),
        "search_file_content": Tool("Grep", _IN_PATH),
        "glob": Tool("Glob", _IN_PATH),
        "list_directory": Tool("LS", _IN_PATH),
        "activate_skill": Tool("Skill", {"name": "skill"}),
        "invoke_agent": Tool("Agent", {"agent_name": "subagent_type"}),
        "web_fetch": Tool("WebFetch"),
        "google_web_search": Tool("WebSearch"),
        "write_todos": Tool("TodoWrite"),
    },
    foreign="mcp_",
)
_PLACES = ("file_path", "path")
_SHOWN_AS = " MCP Server)"  # "tool (server MCP Server)"


def arguments_of(tool: str, given: Mapping[str, object], cwd: str) -> dict[str, object]:
    """Return arguments by our names; relative paths start at the agent's directory."""
    arguments = dict(TOOLS.arguments(tool, given))
    if tool in TOOLS.own:
        for name in _PLACES:
            path = arguments.get(name)
            if isinstance(path, str) and path and not os.path.isabs(path):
                arguments[name] = os.path.join(cwd, path)
    return arguments


def place_of(tool: str, given: Mapping[str, object], cwd: str) -> str:
    """Return the directory of a call."""
    inside = given.get("dir_path") if tool == SHELL else ""
    return os.path.join(cwd, inside) if isinstance(inside, str) and inside else cwd


def foreign(server: str, tool: str) -> str:
    """Return our name of a server tool; empty if unknown."""
    return f"{FOREIGN}{server}__{tool}" if server and tool else ""


def named_by(shown: str) -> str:
    """Return our tool name from the displayed name; empty for unknown servers.

    The client joins server and tool by an underscore, which may also occur within either.
    """
    tool, between, server = shown.removesuffix(_SHOWN_AS).rpartition(" (")
    return foreign(server, tool) if between and shown.endswith(_SHOWN_AS) else ""
