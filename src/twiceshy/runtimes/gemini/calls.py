"""Gemini CLI calls in our words: tool and argument names, directory, an id, and the outcome.

The client tells hooks no id, but writes the calling message before the call ends. That
message's id, with a checksum of the call, is known to the hook and to later readers of the
chat, in any copy: an error seen by both is one error.

It writes its own lines after the output of a command, and shows the output without them. So
imitations printed by a command stay output.
"""

from __future__ import annotations

import os
from zlib import crc32

from twiceshy.core.event import FOREIGN
from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.value import Value
from twiceshy.runtimes.dialect import ToolName, ToolNames, is_plain_id
from twiceshy.runtimes.fields import extract_field, read_last_lines

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
_OPEN, _CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"
_HOOK, _HOOK_END = "<hook_context>", "</hook_context>"
_PRINTED, _NOTHING = "Output: ", "(empty)"
_CODE, _SIGNAL = "Exit Code: ", "Signal: "
_BEHIND = ("Process Group PGID: ", "Background PIDs: ", _SIGNAL, _CODE)  # from the last line up
_STOPPED = "Command was cancelled by user"
_TOO_LONG = "Command was automatically cancelled"
_TELLING = 2_000  # characters at the end of what was shown that tell where it ends
_FROM_SERVER = " with response: "  # behind it, what a foreign tool answered, as JSON


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


class CommandOutcome(Value):
    """Output of a command, and its failure in Claude Code's words."""

    printed: str
    failure: str = ""
    stopped: bool = False  # by the user

    @property
    def error_text(self) -> str:
        """Return the error text of a failed command."""
        return "\n".join(filter(None, (self.failure, self.printed)))


def extract_text(content: object) -> str:
    """Return the text of a tool answer: plain, a part, or a list."""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(filter(None, map(_part_text, parts)))


def _part_text(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def strip_hook_context(text: str) -> str:
    """Return a text without hook context."""
    kept: list[str] = []
    while (start := text.find(_HOOK)) >= 0 and (end := text.find(_HOOK_END, start)) >= 0:
        kept.append(text[:start])
        text = text[end + len(_HOOK_END) :]
    return "".join([*kept, text])


def strip_wrapping(text: str) -> str:
    """Return a tool answer without wrapping by client and hooks."""
    if text.startswith(_OPEN) and _CLOSE in text:  # the client lets nobody else write that end
        return text[len(_OPEN) : text.rindex(_CLOSE)]
    return strip_hook_context(text).rstrip("\n")


def server_error(message: str) -> str:
    """Return a foreign tool's error from the wrapped exchange."""
    _, between, answer = message.partition(_FROM_SERVER)
    if not (between and message.startswith("MCP tool ")):
        return message
    try:
        said = parse_json(answer)
    except (ValueError, RecursionError):
        return message
    match said:
        case [{"functionResponse": {"response": {"content": content}}}, *_]:
            return extract_text(content) or message
        case _:
            return message


def parse_command_outcome(text: str, shown: object) -> CommandOutcome:
    """Return a command's outcome from the model's text and the displayed text."""
    inner = strip_wrapping(text)
    if inner.startswith((_STOPPED, _TOO_LONG)):
        return CommandOutcome("", inner, stopped=inner.startswith(_STOPPED))
    if not inner.startswith(_PRINTED):
        return CommandOutcome(inner)  # it runs in the background, or a model has summed it up
    lines = inner.removeprefix(_PRINTED).split("\n")
    behind = _client_lines(lines, _squeeze_tail(_displayed_text(shown)))
    printed = "\n".join(lines[: len(lines) - len(behind)])
    said = {name: line[len(name) :] for name, line in behind.items()}
    return CommandOutcome("" if printed == _NOTHING else printed, _describe_failure(said))


def _client_lines(lines: list[str], shown: str) -> dict[str, str]:
    """Return the client's last lines: as many as possible while the rest equals the display."""
    found: dict[str, str] = {}
    for name in _BEHIND:
        last = lines[: len(lines) - len(found)][-1:]
        if last and last[0].startswith(name):
            found[name] = last[0]
    for count in range(len(found), -1, -1):
        if _squeeze_tail("\n".join(lines[: len(lines) - count])).endswith(shown):
            return dict(list(found.items())[:count])
    return found


def _describe_failure(said: dict[str, str]) -> str:
    code, signal = said.get(_CODE, ""), said.get(_SIGNAL, "")
    if code.lstrip("-").isdecimal() and code != "0":
        return f"Exit code {code}"
    return f"Signal {signal}" if signal else ""


def _displayed_text(shown: object) -> str:
    """Return the displayed text: plain, or terminal rows in coloured pieces."""
    if isinstance(shown, str):
        return shown
    rows = shown if isinstance(shown, list) else []
    return "\n".join("".join(map(_part_text, row)) for row in rows if isinstance(row, list))


def _squeeze_tail(text: str) -> str:
    """Return the end of a text without blanks, which a terminal may add."""
    return "".join(text[-4 * _TELLING :].split())[-_TELLING:]
