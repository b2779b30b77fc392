"""The save reminder, where the user switched it on: after so many tool uses, and at the end of a turn."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_command
from tests.hooks.attack import fire
from tests.hooks.sessions import MORNING, Session
from tests.requirements import requirement

import twiceshy
from twiceshy.recall.save_reminder import FEWEST, FOLDER
from twiceshy.runtimes.claude_code.plugin import generate_files, render_plugin

PACKAGE = Path(twiceshy.__file__).parent
RULE = "═" * 63
HOOKS = "plugins/twiceshy/hooks/hooks.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def working(project: Path, *, every: int = 5) -> Session:
    """Return a started session of a user who wants the reminder after so many tool uses."""
    session = Session(project)
    session.env |= {
        "TWICESHY_KEEPER_BANNER": "true",
        "TWICESHY_KEEPER_SAVE_INTERVAL": str(every),
    }
    session.start()
    return session


def stop(session: Session, **fields: object) -> dict[str, Any]:
    """End a turn, and return all that the client is told."""
    payload = {
        "session_id": session.name,
        "transcript_path": "/none.jsonl",
        "cwd": str(session.project),
        "hook_event_name": "Stop",
        "stop_hook_active": False,
    }
    ended = fire(payload | fields, env={"TWICESHY_NOW": MORNING} | session.env)
    assert (ended.code, ended.err) == (0, b"")
    return dict(json.loads(ended.out or "{}"))


@requirement("K09")
def test_the_banner_asks_after_every_so_many_tool_uses_and_names_the_steps(project: Path) -> None:
    session = working(project, every=3)

    told = [session.calls(f"ls {number}") for number in range(6)]

    assert [bool(text) for text in told] == [False, False, True] * 2
    head = f"{RULE}\n[MEMORY_KEEPER] AUTO-SAVE TRIGGERED - 3 tool uses reached\n{RULE}\n"
    assert told[2].startswith(head)
    verbs = (
        "add-decision",
        "add-pattern",
        "add-issue",
        "extract-facts FILE",
        "memory-set project",
    )
    assert all(verb in told[2] for verb in verbs)


@requirement("K11")
@pytest.mark.parametrize("tool", ["Glob", "TodoWrite", "WebFetch", "Bash", "mcp__wiki__read"])
def test_every_tool_is_counted_where_the_banner_is_on(project: Path, tool: str) -> None:
    session = working(project, every=2)
    (rows,) = json.loads(generate_files("hook", counts=True)[HOOKS])["hooks"]["PreToolUse"]

    told = [session.told("PreToolUse", **session.call(tool, what="x")) for _ in range(2)]

    assert "matcher" not in rows  # the client asks before every tool
    assert [bool(text) for text in told] == [False, True]


@requirement("K11")
def test_where_the_banner_is_off_no_hook_line_is_added_for_it() -> None:
    off, on = (json.loads(generate_files("hook", counts=each)[HOOKS]) for each in (False, True))

    assert "Glob" not in off["hooks"]["PreToolUse"][0]["matcher"]
    assert [name for name in on["hooks"] if on["hooks"][name] != off["hooks"][name]] == [
        "PreToolUse"
    ]


@requirement("K17")
def test_the_end_of_a_turn_asks_for_a_final_save_that_ends_in_compress(project: Path) -> None:
    session = working(project, every=15)
    for number in range(FEWEST):
        session.calls(f"ls {number}")

    said = stop(session)

    assert said["decision"] == "block"  # the word by which the client lets its agent go on
    assert "[MEMORY_KEEPER] SESSION ENDING - Final Save Required" in said["reason"]
    assert "extract-facts" in said["reason"]
    assert "twiceshy compress" in said["reason"]
    assert stop(session) == {}  # the counter began anew


@requirement("K17")
def test_no_turn_is_prolonged_twice_or_for_a_short_answer_or_for_a_sub_agent(
    project: Path,
) -> None:
    session = working(project, every=15)
    for number in range(FEWEST - 1):
        session.calls(f"ls {number}")
    short = stop(session)
    session.calls("ls last")

    assert short == {}
    assert stop(session, stop_hook_active=True) == {}
    assert stop(session, agent_id="a1") == {}
    assert "Final Save" in stop(session)["reason"]


@requirement("K01")
def test_the_skill_ships_and_its_description_names_what_to_see_and_that_it_comes_first() -> None:
    files = render_plugin(str(PACKAGE), "/h/bin/hook")
    text = files["plugins/twiceshy/skills/memory-save/SKILL.md"].decode()

    _, front, body = text.split("---\n", 2)

    assert "\nname: memory-save\n" in f"\n{front}"
    assert "as soon as you see [MEMORY_KEEPER], before any other step" in " ".join(front.split())
    assert "twiceshy extract-facts" in body


@requirement("K43")
def test_a_session_is_told_again_after_clear_and_compaction_and_not_when_it_is_resumed(
    project: Path, home: Path
) -> None:
    session = Session(project)
    session.start()
    line = ["add-issue", "The queue is slow", "open"]
    run_command(*line, cwd=project, env={"TWICESHY_NOW": MORNING})

    told = {how: session.start(how) for how in ("startup", "clear", "compact", "resume")}

    assert {how for how, text in told.items() if "The queue is slow" in text} == {
        "startup",
        "clear",
        "compact",
    }
    assert told["resume"] == ""


def test_who_switches_the_banner_off_is_asked_nothing_and_counted_no_more(
    project: Path, home: Path
) -> None:
    session = working(project)
    for number in range(9):
        session.calls(f"ls {number}")
    session.env["TWICESHY_KEEPER_BANNER"] = "false"

    assert stop(session) == {}

    [counter] = (home / FOLDER).iterdir()
    assert counter.read_bytes() == b""
