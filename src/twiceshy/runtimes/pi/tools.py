"""Pi tool names: a shell and seven file tools; others are extensions."""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.runtimes.dialect import ToolName, ToolNames

_FILE = {"path": "file_path"}
_OURS = ("skill_note", "skill_recall", "recall", "note", "search", "handoff", "feedback", "status")

TOOLS = ToolNames(
    own={
        "bash": ToolName("Bash"),
        "powershell": ToolName("PowerShell"),
        "read": ToolName("Read", _FILE),
        "edit": ToolName("Edit", _FILE | {"oldText": "old_string", "newText": "new_string"}),
        "write": ToolName("Write", _FILE),
        "grep": ToolName("Grep"),
        "find": ToolName("Glob"),
        "ls": ToolName("LS"),
        # Pi has no MCP, so our extension brings these; elsewhere our server does, under this name
        **{name: ToolName(f"{FOREIGN}twiceshy__{name}") for name in _OURS},
    },
    foreign="",
)
