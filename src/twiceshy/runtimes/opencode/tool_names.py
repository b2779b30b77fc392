"""OpenCode names of common tools; every other tool is foreign."""

from __future__ import annotations

from twiceshy.runtimes.dialect import Tool, Tools

_FILE = {"filePath": "file_path"}
_TEXTS = {"oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
# Its own, of which no other client has the like: they keep their names.
_ALONE = (
    "apply_patch batch codesearch invalid lsp patch plan_enter plan_exit"
    " list_mcp_resources list_mcp_resource_templates read_mcp_resource"
)

TOOLS = Tools(
    own={
        "bash": Tool("Bash"),
        "read": Tool("Read", _FILE),
        "edit": Tool("Edit", _FILE | _TEXTS),
        "multiedit": Tool("MultiEdit", _FILE),
        "write": Tool("Write", _FILE),
        "grep": Tool("Grep", {"include": "glob"}),
        "glob": Tool("Glob"),
        "list": Tool("LS"),
        "skill": Tool("Skill", {"name": "skill", "intent": "args"}),
        "task": Tool("Task"),
        "webfetch": Tool("WebFetch"),
        "websearch": Tool("WebSearch"),
        "todowrite": Tool("TodoWrite"),
        "todoread": Tool("TodoRead"),
        "question": Tool("AskUserQuestion"),
        **{name: Tool(name) for name in _ALONE.split()},
    },
    foreign="",
)
