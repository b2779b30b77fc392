"""A hook, a tool and a command that are asked about one skill give one answer."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from tests.hooks.attack import RUN
from tests.hooks.conftest import Client as HookClient
from tests.hooks.conftest import Memory
from tests.mcp.conftest import PATIENCE, Wire, a_skill, twiceshy
from tests.requirements import requirement
from tests.store.support import Clock, app_of, opened

from twiceshy import app
from twiceshy.cli import run_command_line
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.scope import GLOBAL
from twiceshy.core.text import estimate_tokens
from twiceshy.notes.write import change_note
from twiceshy.places.project import identify_project
from twiceshy.safety.signing import Signature

INTENTS = ("sign the tag with the key", "")
SETTINGS = {
    "usual": "",
    "less": "skill-memory:\n  max_tokens: 140\n",
    "more": "skill-memory: {max_tokens: 1500, max_pinned_tokens: 25}\n",
    "beyond the ceiling": "skill-memory: {max_tokens: 9000, max_pinned_tokens: 25}\n",
    "newest first": "skill-memory: {ranking_relevance: 0, ranking_recency: 1, ranking_hit: 0}\n",
    "seen most first": "skill-memory: {ranking_relevance: 0, ranking_recency: 0, ranking_hit: 1}\n",
    "broken": "skill-memory: {max_tokens: many}\n",
}
OFF = {
    "by the skill": ("skill-memory: {enabled: false}\n", "auto"),
    "by policy": ("", "off"),
    "without opt-in": ("", "opt-in"),
    "malformed, with opt-in": ("skill-memory: { enabled: [true\n", "opt-in"),
    "not literally true, with opt-in": ("skill-memory: { enabled: maybe }\n", "opt-in"),
}
REFUSED = "notes are not enabled for skill 'release'"
RULE = "Always tag from main."
EXPIRED, UNSIGNED = "This is past: sign the tag twice.", "Sign the tag with a thumb."
Server = Callable[[str], tuple[str, bool]]


def hook(project: Path, intent: str) -> str:
    """Load the skill in a session of its own; return what the hook's process puts before the model."""
    session = uuid4().hex
    event = {
        "session_id": session,
        "cwd": str(project),
        "transcript_path": "/t.jsonl",
        "hook_event_name": "PostToolUse",
        "tool_name": "Skill",
        "tool_use_id": f"{session}-1",
        "tool_input": {"skill": "release", "args": intent},
        "tool_response": {"commandName": "release"},
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(RUN), "claude-code"],
        input=json.dumps(event).encode(),
        capture_output=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "TWICESHY_HOOK_DEADLINE_MS": "10000"},
    )
    if not done.stdout:
        return ""
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


@pytest.fixture
def server(memory: Memory, project: Path) -> Iterator[Server]:
    """A server process that is asked for the skill; it returns its text and whether that is an error."""
    wire = Wire(project)
    with wire.process:
        wire.hello()

        def ask(intent: str) -> tuple[str, bool]:
            given = {"skill": "release", "intent": intent}
            result = wire.ask("tools/call", name="skill_recall", arguments=given)
            return str(result["content"][0]["text"]), bool(result.get("isError"))

        yield ask
        wire.process.kill()


@pytest.fixture
def memory(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """Notes of all sorts about the skill, some of which nobody may be told."""
    monkeypatch.setenv("TWICESHY_NOW", "2026-04-20T09:00:00Z")
    monkeypatch.chdir(project)
    now = app.read_clock()
    with opened(home, clock=Clock(now)) as store:
        memory = Memory(store, identify_project(str(project), cache=None).id)
        for number in range(12):
            text = (
                f"Step {number} of a tag: {'check it twice ' * (number % 3)}before key {number}."
            )
            at = now - (20 - number) * DAY
            memory.learn(text, sightings=number % 4 + 1, learned_at=at, skill_hash="0" * 16)
        memory.learn("Sign the tag with your own key.", why="audits")
        memory.learn("Ask before you push.", pinned=True)
        memory.learn("Say so in the channel before each of the releases.", pinned=True)
        memory.learn("Read before you write.", scope=GLOBAL, subtype="principle")
        memory.learn(RULE, kind="rule")
        store.drop_records(Signature, memory.learn(UNSIGNED, kind="rule").id)
        change_note(app_of(store), "edit", memory.learn(EXPIRED), expires_at=now - DAY)
        yield memory


def recalls(memory: Memory) -> dict[str, int]:
    return {
        note.text: note.recalls for note in memory.store.notes(NoteFilter(statuses=()), limit=100)
    }


@requirement("R05")
def test_the_hook_and_the_server_tell_the_same_to_the_byte_and_count_it_alike(
    server: Server, memory: Memory, project: Path
) -> None:
    for settings in SETTINGS.values():
        a_skill(project / ".claude/skills", "release", settings=settings)
        for intent in INTENTS:
            before = recalls(memory)
            loaded = hook(project, intent)
            by_hook = recalls(memory)
            recalled = server(intent)
            by_server = recalls(memory)

            assert recalled == (loaded, False), settings
            assert not any(text in loaded for text in (EXPIRED, UNSIGNED))
            shown = {text: by_hook[text] - before[text] for text in before}
            assert shown == {text: by_server[text] - by_hook[text] for text in before}
            assert sum(shown.values()) == loaded.count("\n- [") > 0


def test_what_a_skill_asks_for_is_what_it_gets(memory: Memory, project: Path) -> None:
    told = {}
    for name, settings in SETTINGS.items():
        a_skill(project / ".claude/skills", "release", settings=settings)
        told[name] = HookClient(project, session=name.replace(" ", "-")).load(
            "release", INTENTS[0]
        )

    lines = {name: text.count("\n- [") for name, text in told.items()}
    assert lines["less"] < lines["usual"] < lines["more"] == lines["beyond the ceiling"]
    assert estimate_tokens(told["less"]) <= 140
    assert RULE in told["more"]
    assert "learned on another version of this skill" in told["usual"]
    assert 'pinned="1"' in told["more"]
    assert 'pinned="2"' in told["usual"]
    assert told["broken"] == told["usual"]
    assert len({told[name] for name in ("usual", "newest first", "seen most first")}) == 3


@requirement("R05")
def test_the_commands_tell_what_the_skill_wants_told(memory: Memory, project: Path) -> None:
    a_skill(project / ".claude/skills", "release", settings=SETTINGS["seen most first"])

    loaded = hook(project, INTENTS[0])

    assert twiceshy(project, "recall", INTENTS[0], "--skill", "release") == f"{loaded}\n"
    injected = twiceshy(project, "inject", "--skill", "release")
    steps = [line for line in injected.splitlines() if "] Step" in line]
    assert [line.rpartition("[HIT:")[2] for line in steps[:4]] == ["4]", "4]", "4]", "3]"]
    assert not any(text in injected for text in (EXPIRED, UNSIGNED))


@requirement("M03", "M04")
@pytest.mark.parametrize("how", OFF)
def test_where_notes_are_switched_off_nobody_is_told_any(
    memory: Memory,
    project: Path,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    settings, policy = OFF[how]
    a_skill(project / ".claude/skills", "release", settings=settings)
    monkeypatch.setenv("TWICESHY_SKILLS_POLICY", policy)
    server: Server = request.getfixturevalue("server")  # it begins with the policy
    before = recalls(memory)

    said, failed = server(INTENTS[0])

    assert hook(project, INTENTS[0]) == ""
    assert failed
    assert REFUSED in said
    for verb in ("recall", "inject"):
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            assert run_command_line([verb, "--skill", "release"]) == 1
        assert out.getvalue() == ""
        assert REFUSED in err.getvalue()
    assert recalls(memory) == before
