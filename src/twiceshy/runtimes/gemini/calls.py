"""Gemini CLI calls in our words: tool and argument names, directory, and an id.

The client tells hooks no id, but writes the calling message before the call ends. That
message's id, with a checksum of the call, is known to the hook and to later readers of the
chat, in any copy: an error seen by both is one error.
"""

from __future__ import annotations

import os
from zlib import crc32

from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import write_json
from twiceshy.runtimes.dialect import ToolName, ToolNames, is_plain_id
from twiceshy.runtimes.fields import extract_field
from twiceshy.runtimes.tail import read_last_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_TAIL = 1 << 18  # bytes; the message that makes a call is the last one, and holds no output yet
_LONGEST_ID = 100
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


def build_call_id(message: str, tool: str, arguments: Mapping[str, object]) -> str:
    """Return the id of a call of a message; empty without the message."""
    if not is_plain_id(message, longest=_LONGEST_ID):
        return ""
    try:
        said = write_json({name: arguments[name] for name in sorted(arguments)})
    except RecursionError:
        said = ""
    return f"{message}-{crc32(f'{tool} {said}'.encode('utf-8', 'replace')):08x}"


def find_calling_message(chat: str) -> str:
    """Return the id of the agent's last message in a chat; empty if not found."""
    for line in reversed(read_last_lines(chat, _TAIL)):
        if line.startswith(b'{"id":') and extract_field(b"type", line) == b"gemini":
            return extract_field(b"id", line).decode("ascii", "replace")
    return ""


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
