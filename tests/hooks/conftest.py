"""A client that fires its events at our hooks, in this process, and a project to work in."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.approving import approve
from tests.store.support import Clock, a_store, learn

from twiceshy import app
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.recall.answer import answer_event
from twiceshy.store.command_store import WholeStore


class Client:
    """One session of a client; what an agent of it is told is returned as text."""

    def __init__(
        self, project: Path, *, session: str = "session-1", runtime: str = "claude-code"
    ) -> None:
        self.project = project
        self.runtime = runtime
        self.session = session
        self.calls = 0

    def fire(self, name: str, **fields: object) -> str:
        """Fire one event at the hook, and return what it puts before the model."""
        common = {"session_id": self.session, "cwd": str(self.project), "hook_event_name": name}
        said: list[str] = []
        raw = json.dumps({**common, "transcript_path": "/t.jsonl", **fields}).encode()
        answer_event(self.runtime, raw, said.append, lambda: None)
        if not said:
            return ""
        (printed,) = map(json.loads, said)
        assert list(printed) == ["hookSpecificOutput"]
        assert printed["hookSpecificOutput"]["hookEventName"] == name
        return str(printed["hookSpecificOutput"]["additionalContext"])

    def start(self, source: str = "startup") -> str:
        return self.fire("SessionStart", source=source)

    def prompt(self, text: str) -> str:
        return self.fire("UserPromptSubmit", prompt=text)

    def load(self, skill: str, args: str = "", **fields: object) -> str:
        """Invoke a skill, as the model does."""
        return self._after(
            "Skill", {"skill": skill, "args": args}, {"commandName": skill}, **fields
        )

    def slash(self, skill: str, args: str = "") -> str:
        """Invoke a skill, as a person does."""
        return self.fire(
            "UserPromptExpansion",
            expansion_type="slash_command",
            command_name=skill,
            command_args=args,
            prompt=f"/{skill} {args}",
        )

    def read(self, path: Path | str, **fields: object) -> str:
        return self._after("Read", {"file_path": str(path)}, {"type": "text"}, **fields)

    def bash(self, command: str, output: str, **fields: object) -> str:
        return self._after("Bash", {"command": command}, {"stdout": output}, **fields)

    def fail(self, command: str, error: str, *, tool: str = "Bash", **fields: object) -> str:
        self.calls += 1
        return self.fire(
            "PostToolUseFailure",
            **{
                "tool_name": tool,
                "tool_input": {"command": command},
                "error": error,
                "is_interrupt": False,
                "tool_use_id": f"{self.session}-{self.calls}",
                **fields,
            },
        )

    def _after(
        self, tool: str, given: dict[str, str], response: dict[str, str], **fields: object
    ) -> str:
        self.calls += 1
        return self.fire(
            "PostToolUse",
            **{
                "tool_name": tool,
                "tool_input": given,
                "tool_response": response,
                "tool_use_id": f"{self.session}-{self.calls}",
                **fields,
            },
        )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a skill in it."""
    folder = tmp_path / "shop"
    a_skill(folder / ".claude/skills/release")
    return folder


def a_skill(folder: Path, *, settings: str = "", body: str = "Cut it.") -> Path:
    """Write a SKILL.md and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "SKILL.md"
    path.write_text(f"---\nname: {folder.name}\ndescription: d\n{settings}---\n\n{body}\n")
    return path


@pytest.fixture
def client(project: Path) -> Client:
    return Client(project)


class Memory:
    """The store that the hooks use, and the project they are in."""

    def __init__(self, store: WholeStore, project: str) -> None:
        self.store = store
        self.project = project

    def learn(self, text: str, *, skill: str = "release", **fields: Any) -> Note:
        scope = fields.pop("scope", Scope(self.project, skill))
        note = learn(self.store, text, scope=scope, **fields)
        return approve(self.store, note) if note.kind == "rule" else note


@pytest.fixture
def memory(home: Path, project: Path) -> Iterator[Memory]:
    from twiceshy.places.project import identify_project

    identity = identify_project(str(project), cache=None)
    # a clock that moves when looked at must not run ahead of the hooks, which read the real one
    store = a_store(home, clock=Clock(app.read_clock() - 10_000))
    yield Memory(store, identity.id)
    store.close()
