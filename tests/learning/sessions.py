"""Sessions as Claude Code writes them down, and what a store knows after learning from them."""

import json
from pathlib import Path
from typing import Any

from tests.runtimes.claude_code.transcript_lines import (
    a_line,
    a_return,
    a_text,
    a_use,
    by_agent,
    by_user,
)
from tests.store.support import EVERY_STATUS, app_of

from twiceshy.core.moment import format_stamp
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import Store
from twiceshy.learning.session import SessionLearner
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import LearningCounts
from twiceshy.runtimes.claude_code import transcript
from twiceshy.store.command_store import WholeStore

ROOT = "/home/u/shop"
PROJECT = "demo"
MORNING = 1_793_606_400_000
MINUTE, DAY = 60_000, 86_400_000
FLAG = "unknown flag: --stat"


class Told:
    """A session that goes on record by record; ids and times come by themselves."""

    def __init__(self, session: str = "s1", *, day: int = 0) -> None:
        self.session = session
        self.records: list[dict[str, object]] = []
        self._at = MORNING + day * DAY

    def said(self, text: str) -> "Told":
        """The user says something."""
        return self._add(by_user, text)

    def answered(self, text: str) -> "Told":
        """The agent says something."""
        return self._add(by_agent, a_text(text))

    def called(
        self, tool: str, result: str = "ok", *, failed: bool = False, **given: Any
    ) -> "Told":
        """The agent calls a tool, and something comes of it."""
        call = f"toolu_{self.session}_{len(self.records)}"
        self._add(by_agent, a_use(call, tool, **given))
        return self._add(by_user, [a_return(call, result, is_error=failed)])

    def ran(self, command: str, result: str = "ok", **how: Any) -> "Told":
        """A command works."""
        return self.called("Bash", result, command=command, **how)

    def failed(self, command: str, error: str = FLAG) -> "Told":
        """A command fails."""
        return self.called("Bash", error, failed=True, command=command)

    def mistaken(self) -> "Told":
        """The agent makes the mistake of these tests, and puts it right."""
        return self.failed("gh pr diff --stat").ran("gh pr diff --name-only")

    def whiled(self, calls: int) -> "Told":
        """The agent does this and that."""
        for _ in range(calls):
            self.ran(f"ls part-{len(self.records)}x")
        return self

    def lines(self) -> list[bytes]:
        return [a_line(record) for record in self.records]

    def file(self, folder: Path) -> Path:
        """Write the transcript, or write it anew."""
        path = folder / f"{self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(self.lines()))
        return path

    def again(self, session: str, *, day: int) -> "Told":
        """Return another session in which the same happened."""
        copy = Told(session, day=day)
        for record in self.records:
            said = json.dumps(record["message"]).replace(f"_{self.session}_", f"_{session}_")
            content = json.loads(said)["content"]
            if record["type"] == "user":
                copy._add(by_user, content)
            else:
                copy._add(by_agent, *content)
        return copy

    def fork(self, session: str) -> "Told":
        """Return a session that begins with a copy of this one: other ids, the same calls."""
        copy = Told(session)
        copy._at = self._at
        for record in self.records:
            uuid = f"{session}-{record['uuid']}"
            copy.records.append({**record, "sessionId": session, "uuid": uuid})
        return copy

    def _add(self, by: Any, *content: Any) -> "Told":
        self._at += MINUTE
        uuid = f"{self.session}-{len(self.records)}"
        fields = {"sessionId": self.session, "timestamp": format_stamp(self._at), "cwd": ROOT}
        self.records.append(by(uuid, *content, **fields))
        return self


def origin(session: str = "s1") -> SessionOrigin:
    """Return whose transcript a session of these tests is."""
    return SessionOrigin(session, PROJECT, ROOT)


def study(store: Store, path: Path, *, close: bool = True, **settings: Any) -> LearningCounts:
    """Learn from what came to a transcript since the last time."""
    learner = SessionLearner(app_of(store, **settings), origin(path.stem), str(path))
    return learner.learn_steps(
        transcript.read_transcript(str(path), after=learner.position), close=close
    )


def notes_of(store: WholeStore) -> list[Note]:
    """Return every note of a project, whatever became of it."""
    return [note for note in _list_notes(store) if note.scope.project != EVERYWHERE]


def _list_notes(store: WholeStore) -> list[Note]:
    notes = store.notes(EVERY_STATUS, limit=10_000)
    return sorted(notes, key=lambda note: (note.text, note.trigger, note.scope.project))


_FIELDS = """kind subtype text trigger scope status reason trust source origin_session learned_at
    sightings days""".split()
_TABLES = ("triggers", "trigger_counts", "evidence", "signals", "seen_calls")


def knowledge(store: WholeStore) -> dict[str, list[str]]:
    """Return all that was learned and counted, by what notes say and not by their ids."""
    notes = _list_notes(store)
    names = {note.id: f"{note.scope.project}|{note.trigger}|{note.text}" for note in notes}
    known: dict[str, list[str]] = {
        "notes": [repr([getattr(note, field) for field in _FIELDS]) for note in notes]
    }
    for table in _TABLES:
        cursor = store._db.execute(f"SELECT * FROM {table}")
        columns = [each[0] for each in cursor.description]
        rows = [
            {name: names.get(str(value), value) for name, value in zip(columns, row, strict=True)}
            for row in cursor.fetchall()
        ]
        if table == "seen_calls":
            rows = [{"id": row["id"]} for row in rows]
        known[table] = sorted(json.dumps(row, sort_keys=True) for row in rows)
    return known
