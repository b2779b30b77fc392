"""OpenCode names of common tools; every other tool is foreign."""

from __future__ import annotations

from twiceshy.runtimes.dialect import ToolName, ToolNames

_FILE = {"filePath": "file_path"}
_TEXTS = {"oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
# Its own, of which no other client has the like: they keep their names.
_ALONE = (
    "apply_patch batch codesearch invalid lsp patch plan_enter plan_exit"
    " list_mcp_resources list_mcp_resource_templates read_mcp_resource"
)

TOOLS = ToolNames(
    own={
        "bash": ToolName("Bash"),
        "read": ToolName("Read", _FILE),
        "edit": ToolName("Edit", _FILE | _TEXTS),
        "multiedit": ToolName("MultiEdit", _FILE),
        "write": ToolName("Write", _FILE),
        "grep": ToolName("Grep", {"include": "glob"}),
        "glob": ToolName("Glob"),
        "list": ToolName("LS"),
        "skill": ToolName("Skill", {"name": "skill", "intent": "args"}),
        "task": ToolName("Task"),
        "webfetch": ToolName("WebFetch"),
        "websearch": ToolName("WebSearch"),
        "todowrite": ToolName("TodoWrite"),
        "todoread": ToolName("TodoRead"),
        "question": ToolName("AskUserQuestion"),
        **{name: ToolName(name) for name in _ALONE.split()},
    },
    foreign="",
)
