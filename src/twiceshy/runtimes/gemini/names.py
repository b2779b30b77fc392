"""Gemini CLI tool and argument names in our words."""

from __future__ import annotations

import os

from twiceshy.core.event import FOREIGN
from twiceshy.runtimes.dialect import ToolName, ToolNames

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = "run_shell_command"
_IN_PATH = {"dir_path": "path"}
TOOLS = ToolNames(
    {
        SHELL: ToolName("Bash"),
        "read_file": ToolName("Read", {"absolute_path": "file_path"}),
        "write_file": ToolName("Write"),
        "replace": ToolName("Edit", {"allow_multiple": "replace_all"}),
        "grep_search": ToolName("Grep", _IN_PATH),
        "search_file_content": ToolName("Grep", _IN_PATH),
        "glob": ToolName("Glob", _IN_PATH),
        "list_directory": ToolName("LS", _IN_PATH),
        "activate_skill": ToolName("Skill", {"name": "skill"}),
        "invoke_agent": ToolName("Agent", {"agent_name": "subagent_type"}),
        "web_fetch": ToolName("WebFetch"),
        "google_web_search": ToolName("WebSearch"),
        "write_todos": ToolName("TodoWrite"),
    },
    foreign="mcp_",
)
_PLACES = ("file_path", "path")
_SHOWN_AS = " MCP Server)"  # "tool (server MCP Server)"


def translate_arguments(tool: str, given: Mapping[str, object], cwd: str) -> dict[str, object]:
    """Return arguments by our names; relative paths start at the agent's directory."""
    arguments = dict(TOOLS.our_arguments(tool, given))
    if tool in TOOLS.own:
        for name in _PLACES:
            path = arguments.get(name)
            if isinstance(path, str) and path and not os.path.isabs(path):
                arguments[name] = os.path.join(cwd, path)
    return arguments


def call_directory(tool: str, given: Mapping[str, object], cwd: str) -> str:
    """Return the directory of a call."""
    inside = given.get("dir_path") if tool == SHELL else ""
    return os.path.join(cwd, inside) if isinstance(inside, str) and inside else cwd


def foreign_tool_name(server: str, tool: str) -> str:
    """Return our name of a server tool; empty if unknown."""
    return f"{FOREIGN}{server}__{tool}" if server and tool else ""


def tool_from_display_name(shown: str) -> str:
    """Return our tool name from the displayed name; empty for unknown servers.

    The client joins server and tool by an underscore, which may also occur within either.
    """
    tool, between, server = shown.removesuffix(_SHOWN_AS).rpartition(" (")
    return foreign_tool_name(server, tool) if between and shown.endswith(_SHOWN_AS) else ""
