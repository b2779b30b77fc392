"""A database of OpenCode, made from rows: recorded ones, or some that a test writes."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parents[2] / "payloads" / "opencode" / "transcripts"
START = 1_767_603_600_000
SESSION, AGENT = "ses_0a", "ses_0b"
COLUMNS = {
    "session": "id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER",
    "message": "id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT",
    "part": "id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT",
}
Row = Mapping[str, object]


class Database:
    """One that a client writes to while others read."""

    def __init__(self, folder: Path, name: str = "opencode.db") -> None:
        self.path = folder / name
        self._at = START
        with closing(self.open()) as db:
            db.execute("PRAGMA journal_mode = WAL")
            for table, columns in COLUMNS.items():
                db.execute(f"CREATE TABLE {table} ({columns})")

    def open(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, isolation_level=None)
        made.execute("PRAGMA synchronous = OFF")
        return made

    def place(self, session: str = SESSION) -> str:
        return f"{self.path}#{session}"

    def put(self, table: str, row: Row) -> None:
        """Write a row, or write it anew."""
        known = [column.split()[0] for column in COLUMNS[table].split(", ")]
        texts = {key: value for key, value in row.items() if key in known}
        if isinstance(texts.get("data"), dict):
            texts["data"] = json.dumps(texts["data"])
        marks = ", ".join("?" * len(texts))
        with closing(self.open()) as db:
            db.execute(
                f"INSERT OR REPLACE INTO {table} ({', '.join(texts)}) VALUES ({marks})",
                list(texts.values()),
            )

    def session(self, name: str = SESSION, parent: str | None = None) -> None:
        at = self._tick()
        row = {"id": name, "parent_id": parent, "directory": "/home/u/shop", "time_created": at}
        self.put("session", row)

    def message(
        self, name: str, role: str, *, session: str = SESSION, number: int = 0, **more: Any
    ) -> None:
        at = START + number * 1_000
        data = {"role": role, "time": {"created": at}} | more
        row = {"id": name, "session_id": session, "time_created": at, "data": data}
        self.put("message", row)

    def part(self, name: str, message: str, data: object, *, session: str = SESSION) -> None:
        row = {"id": name, "message_id": message, "session_id": session, "data": data}
        self.put("part", row)

    def delete(self, table: str, name: str) -> None:
        with closing(self.open()) as db:
            db.execute(f"DELETE FROM {table} WHERE id = ?", [name])

    def said(self, number: int, text: str, **more: Any) -> None:
        """Let the user say something."""
        self.message(f"msg_{number:03}", "user", number=number)
        data = {"type": "text", "text": text, **more}
        self.part(f"prt_{number:03}", f"msg_{number:03}", data)

    def answer(
        self, number: int, *parts: dict[str, Any], unfinished: bool = False, **more: Any
    ) -> None:
        """Let the agent answer; what it answered before under this number is written anew."""
        times = {"created": START + number * 1_000} | ({} if unfinished else {"completed": 1})
        name = f"msg_{number:03}"
        self.message(name, "assistant", number=number, **({"time": times} | more))
        for place, data in enumerate(parts):
            self.part(f"prt_{number:03}_{place}", name, data)

    def _tick(self) -> int:
        self._at += 1_000
        return self._at


def recorded(folder: Path, *names: str) -> Database:
    """Return a database with the sessions that were recorded under these names."""
    made = Database(folder)
    for name in names:
        tables = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
        for table in COLUMNS:
            for row in tables[table]["rows"]:
                made.put(table, row)
    return made


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said, "time": {"start": 1, "end": 2}}


def call(
    tool: str, call_id: str, given: object, status: str = "completed", **state: object
) -> dict[str, Any]:
    times = {"start": 5} | ({"end": 6} if status in ("completed", "error") else {})
    state = {"status": status, "input": given, "time": times} | state
    return {"type": "tool", "tool": tool, "callID": call_id, "state": state}


def bash(
    command: str, output: str = "", code: object = 0, call_id: str = "call_1"
) -> dict[str, Any]:
    metadata = {"output": output, "exit": code}
    return call("bash", call_id, {"command": command}, output=output, metadata=metadata)


def keys(steps: Iterable[Any]) -> list[str]:
    return [step.key for step in steps]
