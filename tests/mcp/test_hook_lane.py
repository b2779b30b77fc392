"""A runtime may send its events to a running server: the answers are those of the hook, and it never fails."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hooks.conftest import Client as HookClient
from tests.mcp.conftest import Client, twiceshy
from tests.requirements import requirement

from twiceshy.mcp import hook

LESSON = "Tag last, or the release job finds nothing."
LOADED = {
    "hook_event_name": "PostToolUse",
    "tool_name": "Skill",
    "tool_input": {"skill": "release", "args": "cut it"},
    "tool_response": {"success": True, "commandName": "release"},
    "tool_use_id": "toolu_1",
}


def event(project: Path, **fields: object) -> dict[str, object]:
    """Return an event of Claude Code as it sends one to a command hook."""
    common = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": str(project)}
    return {"runtime": "claude-code", **common, **fields}


def as_text(fields: dict[str, object]) -> dict[str, object]:
    """Return the same as Claude Code fills in its placeholders: objects as JSON, nothing as nothing."""
    texts = {n: v if isinstance(v, str) else json.dumps(v) for n, v in fields.items()}
    return {**texts, "agent_id": "", "prompt": ""}


@requirement("R03")
@pytest.mark.parametrize("form", [dict, as_text], ids=["objects", "texts"])
def test_an_event_is_answered_as_the_hook_answers_it(
    client: Client, project: Path, form: Any
) -> None:
    twiceshy(project, "note", LESSON, "--skill", "release")

    answer = client.call("hook", **form(event(project, **LOADED)))

    printed = json.loads(answer.text)["hookSpecificOutput"]
    other = HookClient(project, session="s2").load("release", "cut it")
    assert printed["hookEventName"] == "PostToolUse"
    assert printed["additionalContext"] == other
    assert LESSON in other


def test_a_session_that_changes_lanes_is_told_once(client: Client, project: Path) -> None:
    twiceshy(project, "note", LESSON, "--skill", "release")
    assert LESSON in HookClient(project, session="s1").load("release", "cut it")

    answer = client.call("hook", **event(project, **LOADED))

    assert answer.text == ""
    assert not answer.failed


def test_a_failure_that_comes_this_way_is_kept(client: Client, project: Path) -> None:
    failed = {
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {"command": "make release"},
        "error": "Exit code 2\nmake: no rule for release",
        "is_interrupt": "false",
        "tool_use_id": "toolu_2",
    }

    client.call("hook", **event(project, **failed))

    assert json.loads(twiceshy(project, "status", "--json"))["signals"] == 1


@requirement("T55")
def test_calls_that_come_this_way_teach_without_a_transcript(
    client: Client, project: Path
) -> None:
    failed = {
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {"command": "git stauts"},
        "error": "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'.",
        "is_interrupt": "false",
        "tool_use_id": "toolu_2",
    }
    worked = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "git status"},
        "tool_response": {"stdout": "clean", "stderr": ""},
        "tool_use_id": "toolu_3",
    }

    client.call("hook", **event(project, **failed))
    client.call("hook", **event(project, **worked))
    learned = json.loads(twiceshy(project, "distill", "--all", "--wait", "--json"))

    assert (learned["captured"], learned["new"]) == (1, 1)


def test_nothing_to_say_is_an_empty_answer(client: Client, project: Path) -> None:
    read = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": "/x"},
    }

    answer = client.call("hook", **event(project, **read))

    assert (answer.text, answer.failed, answer.facts) == ("", False, None)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"runtime": "claude-code"},
        {"runtime": "other", "hook_event_name": "PreToolUse"},
        {"runtime": "claude-code", "hook_event_name": "PreToolUse", "cwd": "a\x00b"},
        {"runtime": 7, "cwd": ["x"], "hook_event_name": {"a": 1}},
        {"runtime": "claude-code", "hook_event_name": "PostToolUse", "tool_input": "{broken"},
    ],
)
def test_an_event_that_makes_no_sense_gets_an_empty_answer(
    client: Client, sent: dict[str, Any]
) -> None:
    answer = client.call("hook", **sent)

    assert (answer.text, answer.failed) == ("", False)


def test_a_failure_of_ours_is_logged_and_not_told(
    client: Client, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy(project, "note", LESSON)
    (home / "twiceshy.db").rename(home / "elsewhere.db")
    (home / "twiceshy.db").mkdir()

    answer = client.call("hook", **event(project, **LOADED))

    assert (answer.text, answer.failed) == ("", False)
    assert "claude-code PostToolUse" in (home / "hook.log").read_text()


@requirement("H04")
def test_an_answer_that_takes_too_long_is_not_waited_for(
    client: Client, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_HOOK_WALL_MS", "20")
    home.mkdir(mode=0o700, exist_ok=True)
    slept: list[float] = []

    def slow(*_: object) -> None:
        time.sleep(0.5)
        slept.append(0.5)

    monkeypatch.setattr(hook, "answer_event", slow)

    answer = client.call("hook", **event(project, **LOADED))

    assert (answer.text, slept) == ("", [])
    while not slept:  # what it had to keep, it keeps afterwards
        time.sleep(0.01)
    assert "DeadlineExpired: 20 ms of wall time" in (home / "hook.log").read_text()


@requirement("H05")
def test_a_push_that_there_was_no_time_to_look_at_is_asked_about(
    client: Client, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(hook, "answer_event", fail)
    push = {"hook_event_name": "PreToolUse", "tool_name": "Bash"}

    asked = client.call("hook", **event(project, **push, tool_input={"command": "git push"}))
    silent = client.call("hook", **event(project, **push, tool_input={"command": "ls"}))

    assert '"permissionDecision":"ask"' in asked.text
    assert silent.text == ""


def test_a_model_that_we_started_ourselves_is_not_answered(
    client: Client, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy(project, "note", LESSON, "--skill", "release")
    monkeypatch.setenv("TWICESHY_INSIDE", "1")

    assert client.call("hook", **event(project, **LOADED)).text == ""


def test_no_model_is_told_of_the_tool(client: Client, portal: BlockingPortal) -> None:
    assert "hook" not in [tool.name for tool in client.tools()]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
NAMES = st.sampled_from([*LOADED, "runtime", "cwd", "session_id", "prompt", "error", "x"])


@settings(max_examples=80)
@given(st.dictionaries(NAMES, JSON | st.sampled_from(["claude-code", "PreToolUse", "{", "[1]"])))
def test_whatever_comes_the_tool_answers_with_text(sent: dict[str, object]) -> None:
    assert isinstance(hook.answer_hook_event(sent), str)
    assert hook.answer_limit(sent) > 0
