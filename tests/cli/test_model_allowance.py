"""``twiceshy distill`` asks a model within what the user allows: enough tool calls, and so many calls a day."""

import json
import os
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.learning.sessions import Told
from tests.models.claude_program import FakeClaude
from tests.requirements import requirement

LIST_WORDS = ("release notes", "changelog", "review", "weekly report")


@pytest.fixture
def claude(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeClaude:
    """A program ``claude`` that finds nothing worth a lesson, chosen as the model."""
    folder = tmp_path / "bin"
    folder.mkdir()
    fake = FakeClaude(folder)
    fake.answers(any="[]")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TWICESHY_DISTILLER_BACKEND", "claude-cli")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T12:00:00Z")
    return fake


def distil(told: Told, folder: Path, **settings: str) -> None:
    path = told.file(folder)
    ran = run_command("distill", "--transcript", str(path), cwd=folder, env=settings)
    assert ran.code == 0, ran.err


@requirement("U074")
def test_a_session_with_fewer_calls_than_five_or_than_the_setting_is_not_distilled(
    claude: FakeClaude, tmp_path: Path
) -> None:
    asked = []
    for name, calls, wanted in (("s4", 4, ""), ("s5", 5, ""), ("s6", 6, "7"), ("s3", 3, "3")):
        settings = {"TWICESHY_LEARN_MIN_TOOL_CALLS": wanted} if wanted else {}
        distil(Told(name).mistaken().whiled(calls - 2), tmp_path, **settings)
        asked.append(len(claude.asked))

    assert asked == [0, 1, 1, 2]


@requirement("L16")
def test_no_model_is_asked_beyond_the_calls_of_a_day_and_cost_shows_it(
    claude: FakeClaude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    for number, day in enumerate((2, 2, 2, 3, 3, 3), start=1):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-0{day}T12:0{number}:00Z")
        told = Told(f"s{number}").mistaken().whiled(number + 3)
        distil(told, tmp_path, TWICESHY_DISTILLER_DAILY_CALLS="2")
        asked.append(len(claude.asked))

    shown = run_command("cost", cwd=tmp_path, env={"TWICESHY_DISTILLER_DAILY_CALLS": "2"}).out

    assert asked == [1, 2, 2, 3, 4, 4]
    assert "today: 2 of 2 calls; 0 left for claude-cli" in shown
    assert "2026-11-02  claude-cli" in shown


@requirement("U076")
def test_three_lessons_are_kept_and_the_same_material_is_paid_for_once(
    claude: FakeClaude, tmp_path: Path
) -> None:
    texts = [f"Use `gh pr diff --name-only` for the {word}" for word in LIST_WORDS]
    lessons = [{"op": "add", "kind": "fix", "text": text} for text in texts]
    claude.answers(any=json.dumps(lessons))
    told = Told("s1").mistaken().whiled(4)

    distil(told, tmp_path)
    distil(told, tmp_path)
    distil(told.fork("s2"), tmp_path)

    kept = run_command("list", "--all", "--status", "any", "--json", cwd=tmp_path, env={})
    sources = [note["source"] for note in json.loads(kept.out)]
    assert len(claude.asked) == 1
    assert sources.count("distiller") == 3


@requirement("F15")
def test_claude_is_called_without_tools_servers_hooks_or_a_transcript(
    claude: FakeClaude, tmp_path: Path
) -> None:
    distil(Told("s1").mistaken().whiled(4), tmp_path)

    [asked] = claude.asked
    line = " ".join(asked["argv"])
    assert asked["argv"][asked["argv"].index("--tools") + 1] == ""
    assert "--strict-mcp-config" in asked["argv"]
    assert '--settings {"disableAllHooks":true}' in line
    assert "--no-session-persistence" in asked["argv"]
