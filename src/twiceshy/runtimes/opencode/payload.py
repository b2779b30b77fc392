"""OpenCode plugin payloads to events: Claude Code's form, with own tools and transcript.

A transcript path is ``<database>#<session>``, since one database holds every session.
"""

from __future__ import annotations

import os

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded
from twiceshy.runtimes import dialect
from twiceshy.runtimes.dialect import GivenFields, ToolName, ToolNames
from twiceshy.runtimes.dialect import build_deny_reply as build_reply

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.event import Event

__all__ = ["build_reply", "parse"]

_FILE = {"filePath": "file_path"}
_TEXTS = {"oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
# Its own tools, of which no other client has the like: they keep their names.
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
_NAME, _SUFFIX, _MARK = "opencode", ".db", "#"
_DIALECT = dialect.PayloadDialect(tools=TOOLS, changes_calls=True)


def parse(raw: bytes, *, environ: Mapping[str, str], now: int) -> tuple[str, Event | None]:
    """Return the client's event name and the event; None if irrelevant."""
    name, event = dialect.parse_event(
        dialect.parse_payload(raw), _DIALECT, environ=environ, now=now
    )
    if event is None:
        return name, None
    if not event.transcript and (database := find_database(environ)):
        event = event.but(transcript=transcript_path(database, event.session))
    return name, _with_directory(event)


def _with_directory(event: Event) -> Event:
    """Return the event with the command's directory."""
    if not isinstance(event, CallPending | CallFailed | CallSucceeded) or event.tool != "Bash":
        return event
    place = GivenFields(event.arguments).get_text("workdir")
    return event.but(place=place) if place.startswith("/") else event


def transcript_path(database: str, session: str) -> str:
    """Return the transcript path of a session."""
    return f"{database}{_MARK}{session}"


def split_transcript_path(path: str) -> tuple[str, str]:
    """Split a transcript path into database and session."""
    database, _, session = path.rpartition(_MARK)
    return database, session


def find_database(environ: Mapping[str, str]) -> str:
    """Return OpenCode's database in this environment; empty if none."""
    home, data = environ.get("HOME", ""), environ.get("XDG_DATA_HOME", "")
    if not data and not home:
        return ""
    folder = os.path.join(data or os.path.join(home, ".local", "share"), _NAME)
    chosen = environ.get("OPENCODE_DB") or _NAME + _SUFFIX
    return "" if chosen == ":memory:" else os.path.join(folder, chosen)
