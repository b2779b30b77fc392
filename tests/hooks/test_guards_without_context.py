"""Gemini CLI hears nothing but a ruling before a call: a warning is not wasted on it, and a guard that stops still does."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import fire
from tests.hooks.sessions import store_of

from twiceshy.recall.guard import FOLDER
from twiceshy.runtimes.dialect import CANNOT_ASK

CALLS: dict[str, tuple[str, dict[str, str]]] = {
    "a file": ("write_file", {"file_path": ".env", "content": "A=1"}),
    "a command": ("run_shell_command", {"command": "echo A=1 > .env"}),
    "a push": ("run_shell_command", {"command": "git push --force"}),
}


def asks(project: Path, tool: str, given: dict[str, str], *, mode: str) -> Any:
    """Be about to make a call in Gemini CLI, and return what the hook says; None if nothing."""
    payload = {
        "session_id": "session-1",
        "transcript_path": str(project / "chat.jsonl"),
        "cwd": str(project),
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-05T09:00:49.000Z",
        "tool_name": tool,
        "tool_input": given,
    }
    env = {"TWICESHY_GUARDS_MODE": mode, "TWICESHY_HOOK_DEADLINE_MS": "10000"}
    ended = fire(payload, env=env, arguments=["gemini"])
    assert (ended.code, ended.err) == (0, b"")
    return json.loads(ended.out) if ended.out else None


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    with store_of(home):  # somebody uses it
        return folder


@pytest.mark.parametrize("call", CALLS)
def test_a_warning_that_would_not_be_heard_is_not_given_and_does_not_count_as_given(
    project: Path, home: Path, call: str
) -> None:
    assert asks(project, *CALLS[call], mode="warn") is None
    assert not (home / FOLDER).exists()
    assert not (home / "hook.log").exists()


@pytest.mark.parametrize("mode", ["ask", "deny"])
@pytest.mark.parametrize("call", CALLS)
def test_a_guard_that_stops_is_heard_every_time(project: Path, call: str, mode: str) -> None:
    first, again = (asks(project, *CALLS[call], mode=mode) for _ in range(2))

    assert first == again
    assert first["decision"] == "deny"
    assert first["reason"].startswith("<twiceshy-guard>About this call: ")
    # it cannot ask in the middle of a call, so the model is told to
    assert (CANNOT_ASK in first["reason"]) is (mode == "ask")


def test_a_harmless_call_is_not_stopped(project: Path) -> None:
    harmless = {"file_path": ".env.example", "content": "A="}

    assert asks(project, "write_file", harmless, mode="deny") is None
