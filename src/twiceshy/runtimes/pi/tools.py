"""Pi tool names: a shell and seven file tools; others are extensions."""

from __future__ import annotations

from twiceshy.core.event import FOREIGN
from twiceshy.runtimes.dialect import Tool, Tools

_FILE = {"path": "file_path"}
_OURS = ("skill_note", "skill_recall", "recall", "note", "search", "handoff", "feedback", "status")

TOOLS = Tools(
    own={
        "bash": Tool("Bash"),
        "powershell": Tool("PowerShell"),
        "read": Tool("Read", _FILE),
        "edit": Tool("Edit", _FILE | {"oldText": "old_string", "newText": "new_string"}),
        "write": Tool("Write", _FILE),
        "grep": Tool("Grep"),
        "find": Tool("Glob"),
        "ls": Tool("LS"),
        # Pi has no MCP, so our extension brings these; elsewhere our server does, under this name
        **{name: Tool(f"{FOREIGN}twiceshy__{name}") for name in _OURS},
    },
    foreign="",
)
