"""Transcripts as Claude Code writes them, of sessions that the tests make up."""

import json
from collections.abc import Mapping
from pathlib import Path

from twiceshy.core.moment import format_stamp, parse_stamp

NOON = parse_stamp("2026-11-02T12:00:00Z")
HOUR = 3_600_000
UNKNOWN = "Exit code 2\nerror: unrecognized subcommand 'bun'"
PASSED = "12 pass, 0 fail"


class Session:
    """One session of a client in a folder; every line comes a second after the one before."""

    def __init__(self, name: str, cwd: Path | str, *, hours: int = 0) -> None:
        self.name = name
        self.cwd = str(cwd)
        self.lines: list[str] = []
        self._now = NOON + hours * HOUR
        self._calls = 0

    def says(self, text: str) -> "Session":
        """Let the user say something."""
        return self.line("user", {"role": "user", "content": text})

    def compacts(self, summary: str) -> "Session":
        """Let the client compact the conversation."""
        text = f"This session is being continued from a previous conversation\nSummary: {summary}"
        content = {"role": "user", "content": text}
        return self.line("user", content, isCompactSummary=True)

    def calls(self, tool: str, given: dict[str, str], *, id: str = "") -> str:  # noqa: A002 - the client's word
        """Let the agent call a tool, and return the call's id."""
        self._calls += 1
        call = id or f"toolu_{self.name}{self._calls}"
        block = {"type": "tool_use", "id": call, "name": tool, "input": given}
        self.line("assistant", {"role": "assistant", "content": [block]})
        return call

    def returns(
        self, call: str, text: str, *, failed: bool = False, **fields: object
    ) -> "Session":
        """Let a call come to its end."""
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed}
        return self.line("user", {"role": "user", "content": [block]}, **fields)

    def works(self, command: str, output: str = "done") -> "Session":
        """Run a command that works."""
        return self.returns(self.calls("Bash", {"command": command}), output)

    def fails(self, command: str, error: str) -> "Session":
        """Run a command that fails."""
        return self.returns(self.calls("Bash", {"command": command}), error, failed=True)

    def write(self, folder: Path) -> Path:
        """Write the session into a file that is named after it."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.jsonl"
        path.write_text("".join(f"{line}\n" for line in self.lines), encoding="utf-8")
        return path

    def line(self, kind: str, message: Mapping[str, object], **fields: object) -> "Session":
        """Write one record, whatever it says."""
        self._now += 1000
        record = {
            "type": kind,
            "uuid": f"{self.name}-{len(self.lines)}",
            "sessionId": self.name,
            "cwd": self.cwd,
            "timestamp": format_stamp(self._now),
            "isSidechain": False,
            "message": message,
            **fields,
        }
        self.lines.append(json.dumps(record, ensure_ascii=False))
        return self


def tripped(name: str, cwd: Path | str, *, hours: int = 0) -> Session:
    """A session that calls bun by way of rtk, which does not know it, and then finds out."""
    session = Session(name, cwd, hours=hours).says("run the tests please")
    return session.fails("rtk bun run test", UNKNOWN).works("bun run test", PASSED)
