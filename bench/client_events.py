"""A recorded session as each client would fire it: events for hooks, and the client's own transcript.

Calls, results and words are those of the recording. Tools get the names and arguments of the client; what it has no
tool for is left out.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar

from tests.runtimes.codex import rollout_lines as codex
from tests.runtimes.gemini import chat_lines as gemini
from tests.runtimes.opencode.database import COLUMNS
from tests.runtimes.pi import transcript_lines as pi

from twiceshy.core.moment import format_stamp
from twiceshy.core.value import Value
from twiceshy.replay.hook_home import has_installed_hook
from twiceshy.runtimes.gemini.install import HOOKS as GEMINI_HOOKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = dict[str, Any]
    Fired = tuple[str, Fields] | None

_EXIT = re.compile(r"Exit code (\d+)\n?")


class RecordedCall(Value):
    """A call of the recording, in the words of a client."""

    id: str
    tool: str
    given: Mapping[str, Any]
    at: int

    @property
    def payload(self) -> Fields:
        """Return the fields of a hook payload."""
        return {"tool_name": self.tool, "tool_use_id": self.id, "tool_input": self.given}


class ClientTape:
    """A session in Claude Code; the other clients differ from it."""

    runtime = "claude-code"
    tools: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]] = {}
    foreign = "mcp__{server}__{tool}"

    def __init__(self, folder: str, session: str, cwd: str, at: int) -> None:
        self.session, self.cwd, self.at = session, cwd, at
        self.path = self.name_transcript(folder)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        self._folder, self._written = folder, 0
        self.begin()

    @property
    def common(self) -> Fields:
        """Return the fields of every payload."""
        return {"session_id": self.session, "transcript_path": self.path, "cwd": self.cwd}

    @property
    def stamp(self) -> str:
        """Return the time of the recording."""
        return format_stamp(self.at)

    def translate(self, call: str, tool: str, given: Fields) -> RecordedCall | None:
        """Return a call in the words of the client; None without such a tool."""
        if tool.startswith("mcp__") and self.foreign:
            _, server, name = (*tool.split("__", 2), "", "")[:3]
            return RecordedCall(
                call, self.foreign.format(server=server, tool=name), given, self.at
            )
        if tool not in self.tools:
            return None
        name, arguments = self.tools[tool]
        renamed = {arguments.get(each, each): value for each, value in given.items()}
        return RecordedCall(call, name, renamed, self.at)

    def name_transcript(self, folder: str) -> str:
        return os.path.join(folder, "projects", f"{self.session}.jsonl")

    def begin(self) -> None:
        """Write the beginning of the transcript."""

    def start(self, source: str) -> Fired:
        return "SessionStart", {"source": source}

    def prompt(self, text: str) -> Fired:
        self._claude("user", {"role": "user", "content": text})
        return "UserPromptSubmit", {"prompt": text}

    def say(self, text: str, *, by_user: bool, summary: bool = False) -> None:
        """Write words that fire no event."""
        if by_user:
            more = {"isCompactSummary": True} if summary else {}
            self._claude("user", {"role": "user", "content": text}, **more)
        else:
            self._claude("assistant", {"role": "assistant", "content": [_text(text)]})

    def pend(self, call: RecordedCall) -> Fired:
        use = {"type": "tool_use", "id": call.id, "name": call.tool, "input": call.given}
        self._claude("assistant", {"role": "assistant", "content": [use]})
        return (
            ("PreToolUse", call.payload) if has_installed_hook("PreToolUse", call.tool) else None
        )

    def end(self, call: RecordedCall, text: str, *, failed: bool) -> Fired:
        event = "PostToolUseFailure" if failed else "PostToolUse"
        back = {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": failed}
        self._claude("user", {"role": "user", "content": [back]})
        if not has_installed_hook(event, call.tool):
            return None
        if failed:
            return event, {**call.payload, "error": text, "is_interrupt": False}
        said = {"stdout": text, "stderr": ""} if call.tool == "Bash" else {"content": text}
        return event, {**call.payload, "tool_response": said}

    def finish(self) -> None:
        """Complete the transcript."""

    def write_line(self, record: object) -> None:
        """Append a record to the transcript."""
        self._written += 1
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")

    def name_record(self) -> str:
        """Return an id for the next record."""
        return f"{self.session}-{self._written}"

    def _claude(self, kind: str, message: Fields, **fields: object) -> None:
        self.write_line(
            {
                "type": kind,
                "uuid": self.name_record(),
                "sessionId": self.session,
                "cwd": self.cwd,
                "timestamp": self.stamp,
                "isSidechain": False,
                "message": message,
                **fields,
            }
        )


class ClaudeCodeTape(ClientTape):
    """Claude Code: the recorded calls as they are."""

    def translate(self, call: str, tool: str, given: Fields) -> RecordedCall | None:
        return RecordedCall(call, tool, given, self.at)


class CodexTape(ClientTape):
    """Codex: a shell, patches, foreign tools and agents; files are read by the shell."""

    runtime = "codex"

    def translate(self, call: str, tool: str, given: Fields) -> RecordedCall | None:
        if tool in ("Edit", "Write", "apply_patch"):
            patch = given.get("input") or _write_patch(given)
            return RecordedCall(call, "apply_patch", {"command": patch}, self.at)
        if tool in ("Task", "Agent"):
            prompt = {"message": given.get("prompt", "")}
            return RecordedCall(call, "spawn_agent", prompt, self.at)
        known = tool == "Bash" or tool.startswith("mcp__")
        return RecordedCall(call, tool, given, self.at) if known else None

    def name_transcript(self, folder: str) -> str:
        began = self.stamp[:19].replace(":", "-")
        return os.path.join(folder, "sessions", f"rollout-{began}-{self.session}.jsonl")

    def begin(self) -> None:
        self._add(codex.a_beginning(self.session, session_id=self.session, cwd=self.cwd))

    def prompt(self, text: str) -> Fired:
        self._add(codex.an_item("UserMessage", self.name_record(), content=[_text(text)]))
        return "UserPromptSubmit", {"prompt": text}

    def say(self, text: str, *, by_user: bool, summary: bool = False) -> None:
        if summary:
            self._add(codex.a_record("compacted", message=text))
        elif not by_user:
            said = [{"type": "Text", "text": text}]
            self._add(codex.an_item("AgentMessage", self.name_record(), content=said))

    def pend(self, call: RecordedCall) -> Fired:
        if call.tool == "apply_patch":
            made = {"call_id": call.id, "name": call.tool, "input": call.given["command"]}
            self._add(codex.a_record("response_item", type="custom_tool_call", **made))
        elif call.tool == "Bash":
            self._add(codex.a_call(call.id, "exec_command", cmd=call.given.get("command", "")))
        else:
            self._add(codex.a_call(call.id, call.tool, **call.given))
        return "PreToolUse", call.payload

    def end(self, call: RecordedCall, text: str, *, failed: bool) -> Fired:
        code, printed = _split_exit(text, failed=failed)
        if call.tool == "Bash":
            command = ["/bin/bash", "-lc", call.given.get("command", "")]
            where = f"file://{self.cwd}"
            self._add(codex.an_end(call.id, code, printed, command=command, cwd=where))
            return "PostToolUse", {**call.payload, "tool_response": printed}
        if call.tool == "apply_patch":
            said = f"Exit code: {code}\nWall time: 0 seconds\nOutput:\n{printed}"
            output = {"type": "custom_tool_call_output", "call_id": call.id, "output": said}
            self._add(codex.a_record("response_item", **output))
        else:
            self._add(codex.an_output(call.id, text))
        return None

    def _add(self, record: Fields) -> None:
        self.write_line({**record, "timestamp": self.stamp})


class OpenCodeTape(ClientTape):
    """OpenCode: tools in small letters, and a database instead of a transcript."""

    runtime = "opencode"
    foreign = "{server}_{tool}"
    tools: ClassVar = {
        "Bash": ("bash", {}),
        "Read": ("read", {"file_path": "filePath"}),
        "Edit": (
            "edit",
            {
                "file_path": "filePath",
                "old_string": "oldString",
                "new_string": "newString",
                "replace_all": "replaceAll",
            },
        ),
        "Write": ("write", {"file_path": "filePath"}),
        "Grep": ("grep", {"glob": "include"}),
        "Task": ("task", {}),
        "Agent": ("task", {}),
        "Skill": ("skill", {"skill": "name"}),
    }

    def name_transcript(self, folder: str) -> str:
        return os.path.join(folder, f"opencode.db#{self.session}")

    def begin(self) -> None:
        self._database = self.path.partition("#")[0]
        self._rows: dict[str, list[Fields]] = {"session": [], "message": [], "part": []}
        row = {"id": self.session, "directory": self.cwd, "time_created": self.at}
        self._rows["session"].append(row)
        self._ends: dict[str, Fields] = {}

    def prompt(self, text: str) -> Fired:
        self._add("user", {"type": "text", "text": text})
        return "UserPromptSubmit", {"prompt": text}

    def say(self, text: str, *, by_user: bool, summary: bool = False) -> None:
        if not (by_user or summary):
            self._add("assistant", {"type": "text", "text": text})

    def pend(self, call: RecordedCall) -> Fired:
        state = {"status": "running", "input": dict(call.given), "time": {"start": self.at}}
        part = {"type": "tool", "tool": call.tool, "callID": call.id, "state": state}
        self._ends[call.id] = part
        self._add("assistant", part)
        return "PreToolUse", call.payload

    def end(self, call: RecordedCall, text: str, *, failed: bool) -> Fired:
        state = self._ends[call.id]["state"]
        state["time"]["end"] = self.at
        code, printed = _split_exit(text, failed=failed)
        if call.tool == "bash":
            state |= {"status": "completed", "output": printed}
            state["metadata"] = {"output": printed, "exit": code}
            if not code:
                return "PostToolUse", {**call.payload, "tool_response": {"stdout": printed}}
            return "PostToolUseFailure", {**call.payload, "error": text, "is_interrupt": False}
        if failed:
            state |= {"status": "error", "error": text}
            return "PostToolUseFailure", {**call.payload, "error": text, "is_interrupt": False}
        state |= {"status": "completed", "output": text}
        if call.tool != "skill":
            return None
        loaded = {"tool_response": {"commandName": call.given.get("name", "")}}
        return "PostToolUse", {**call.payload, **loaded}

    def finish(self) -> None:
        new = not os.path.exists(self._database)
        with closing(sqlite3.connect(self._database)) as db, db:
            for table, columns in COLUMNS.items():
                if new:
                    db.execute(f"CREATE TABLE {table} ({columns})")
                names = [column.split()[0] for column in columns.split(", ")]
                marks = ", ".join("?" * len(names))
                rows = [[_cell(row.get(name)) for name in names] for row in self._rows[table]]
                db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)

    def _add(self, role: str, part: Fields) -> None:
        self._written += 1
        message, times = f"msg_{self.session}_{self._written:06}", {"created": self.at}
        times |= {"completed": self.at} if role == "assistant" else {}
        shared = {"session_id": self.session, "time_created": self.at}
        data = {"role": role, "time": times}
        self._rows["message"].append({"id": message, "data": data, **shared})
        name = message.replace("msg_", "prt_")
        self._rows["part"].append({"id": name, "message_id": message, "data": part, **shared})


class PiTape(ClientTape):
    """Pi: a shell and file tools, and no foreign ones."""

    runtime = "pi"
    foreign = ""
    tools: ClassVar = {
        "Bash": ("bash", {}),
        "Read": ("read", {"file_path": "path"}),
        "Edit": ("edit", {"file_path": "path", "old_string": "oldText", "new_string": "newText"}),
        "Write": ("write", {"file_path": "path"}),
        "Grep": ("grep", {}),
        "Glob": ("find", {}),
    }

    def name_transcript(self, folder: str) -> str:
        began = self.stamp[:23].replace(":", "-").replace(".", "-").rstrip("Z")
        return os.path.join(folder, "sessions", f"{began}Z_{self.session}.jsonl")

    def begin(self) -> None:
        self._add(pi.a_head(self.session, cwd=self.cwd))

    def prompt(self, text: str) -> Fired:
        self._add(pi.by_user(self.name_record(), text))
        return "UserPromptSubmit", {"prompt": text}

    def say(self, text: str, *, by_user: bool, summary: bool = False) -> None:
        if summary:
            self._add(pi.an_entry(self.name_record(), "compaction", summary=text))
        elif not by_user:
            self._add(pi.by_agent(self.name_record(), pi.a_text(text)))

    def pend(self, call: RecordedCall) -> Fired:
        use = {"type": "toolCall", "id": call.id, "name": call.tool, "arguments": call.given}
        self._add(pi.by_agent(self.name_record(), use))
        return "PreToolUse", call.payload

    def end(self, call: RecordedCall, text: str, *, failed: bool) -> Fired:
        code, printed = _split_exit(text, failed=failed)
        if call.tool == "bash" and code:
            text = f"{printed}\n\nCommand exited with code {code}"
        self._add(pi.by_tool(self.name_record(), call.id, call.tool, text, failed=failed))
        if failed:
            return "PostToolUseFailure", {**call.payload, "error": text}
        if call.tool != "bash":
            return None
        return "PostToolUse", {**call.payload, "tool_response": text}

    def _add(self, record: Fields) -> None:
        self.write_line({**record, "timestamp": self.stamp})


class GeminiTape(ClientTape):
    """Gemini CLI: other events, one for all ends of calls, and no ids of calls."""

    runtime = "gemini"
    foreign = "mcp_{server}_{tool}"
    tools: ClassVar = {
        "Bash": ("run_shell_command", {}),
        "Read": ("read_file", {}),
        "Edit": ("replace", {"replace_all": "allow_multiple"}),
        "Write": ("write_file", {}),
        "Grep": ("grep_search", {"path": "dir_path"}),
        "Glob": ("glob", {"path": "dir_path"}),
        "Task": ("invoke_agent", {"subagent_type": "agent_name"}),
        "Agent": ("invoke_agent", {"subagent_type": "agent_name"}),
        "Skill": ("activate_skill", {"skill": "name"}),
    }

    @property
    def common(self) -> Fields:
        return {**super().common, "timestamp": self.stamp}

    def name_transcript(self, folder: str) -> str:
        began = self.stamp[:16].replace(":", "-")
        name = f"session-{began}-{self.session[:8]}.jsonl"
        return os.path.join(folder, "tmp", self.session, "chats", name)

    def begin(self) -> None:
        above = os.path.dirname(os.path.dirname(self.path))
        with open(os.path.join(above, ".project_root"), "w", encoding="utf-8") as file:
            file.write(self.cwd)
        self._messages: dict[str, Fields] = {}
        self.write_line(gemini.a_head(self.session, startTime=self.stamp))

    def prompt(self, text: str) -> Fired:
        self._add(gemini.by_user(self.name_record(), text))
        return "BeforeAgent", {"prompt": text}

    def say(self, text: str, *, by_user: bool, summary: bool = False) -> None:
        if not (by_user or summary):
            self._add(gemini.by_agent(self.name_record(), text))

    def pend(self, call: RecordedCall) -> Fired:
        self._messages[call.id] = self._add(gemini.by_agent(self.name_record()))
        return self._fire("BeforeTool", call, {})

    def end(self, call: RecordedCall, text: str, *, failed: bool) -> Fired:
        code, printed = _split_exit(text, failed=failed)
        given = dict(call.given)
        answer: Fields = {"llmContent": text, "returnDisplay": text}
        if call.tool == "run_shell_command":
            made = gemini.a_command(str(given.get("command", "")), printed, code=code)
            made["args"] = given
            answer = {"llmContent": gemini.untrusted(printed, code=code), "returnDisplay": printed}
        elif failed:
            made = gemini.a_call(call.tool, given, status="error", error=text)
            answer["error"] = {"message": text, "type": "unknown"}
        else:
            made = gemini.a_call(call.tool, given, output=text)
        message = self._messages.pop(call.id)
        self.write_line({**message, "toolCalls": [{**made, "timestamp": self.stamp}]})
        return self._fire("AfterTool", call, {"tool_response": answer})

    def _fire(self, event: str, call: RecordedCall, more: Fields) -> Fired:
        row = next(row for row in GEMINI_HOOKS if row.event == event)
        if not re.search(row.matcher, call.tool):
            return None
        fields = {"tool_name": call.tool, "tool_input": call.given, **more}
        if call.tool.startswith("mcp_"):
            server, _, tool = call.tool.removeprefix("mcp_").partition("_")
            fields["mcp_context"] = {"server_name": server, "tool_name": tool}
        return event, fields

    def _add(self, record: Fields) -> Fields:
        record = {**record, "timestamp": self.stamp}
        self.write_line(record)
        return record


TAPES = {
    each.runtime: each for each in (ClaudeCodeTape, CodexTape, OpenCodeTape, PiTape, GeminiTape)
}


def _text(text: str) -> Fields:
    return {"type": "text", "text": text}


def _cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict) else value


def _split_exit(text: str, *, failed: bool) -> tuple[int, str]:
    """Return the exit status and the output of a command, as Claude Code reports both."""
    found = _EXIT.match(text) if failed else None
    if found:
        return int(found[1]), text[found.end() :]
    return int(failed), text


def _write_patch(given: Mapping[str, Any]) -> str:
    """Write an edit as a patch of Codex."""
    path = given.get("file_path", "")
    if "content" in given:
        lines = [f"*** Add File: {path}", *_mark("+", given["content"])]
    else:
        old, new = str(given.get("old_string", "")), str(given.get("new_string", ""))
        lines = [f"*** Update File: {path}", "@@", *_mark("-", old), *_mark("+", new)]
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


def _mark(sign: str, text: object) -> list[str]:
    return [f"{sign}{line}" for line in str(text).splitlines()]
