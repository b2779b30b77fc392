"""Whether to compact now, told from the transcript of the session at work here and of no other."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_file, a_return, a_use, by_agent, by_user
from tests.runtimes.opencode.database import Database, text
from tests.store.support import opened

from twiceshy.app import open_app
from twiceshy.core.session import Session
from twiceshy.learning.compaction_advice import find_context_percent
from twiceshy.runtimes.callers import AGENT_MARKS

OTHER = "00000000-0000-4000-8000-0000000000b1"


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)


def transcript(
    project: Path, tokens: int, command: str, *, session: str = "s1", failed: bool = False
) -> str:
    """Write a session of Claude Code that ran one command."""
    folder = Path(os.environ["HOME"]) / ".claude" / "projects" / f"-{project.name}"
    folder.mkdir(parents=True, exist_ok=True)
    where: dict[str, Any] = {"cwd": str(project), "sessionId": session}
    call = by_agent(f"a-{session}", a_use(f"c-{session}", "Bash", command=command), **where)
    message = dict(call["message"])  # type: ignore[call-overload]  # an object of ours
    told = {**call, "message": message | {"model": "claude-x", "usage": {"input_tokens": tokens}}}
    result = a_return(f"c-{session}", "1 failed" if failed else "fine", is_error=failed)
    answer = by_user(f"r-{session}", [result], **where)
    return a_file(
        folder / f"{session}.jsonl", by_user(f"u-{session}", "go", **where), told, answer
    )


@requirement("U196", "E62")
@pytest.mark.parametrize(
    ("tokens", "command", "failed", "verdict", "reason"),
    [
        (130_000, "pytest -q", False, "compact now: it is a good moment", "the tests just passed"),
        (130_000, "pytest -q", True, "do not compact yet", "a failure is not solved yet"),
        (130_000, "ls", False, "compact when this piece of work is done", "nothing speaks"),
        (119_000, "pytest -q", False, "no need to compact below 60 %", "the tests just passed"),
    ],
)
def test_it_tells_when_to_compact_and_when_not(
    twiceshy: Command,
    project: Path,
    *,
    tokens: int,
    command: str,
    failed: bool,
    verdict: str,
    reason: str,
) -> None:
    transcript(project, tokens, command, failed=failed)

    ran = twiceshy("compact-guide")

    assert ran.out == f"context: {tokens // 2_000} % of 200,000 tokens\n{verdict}\n"
    assert ran.err.startswith(reason)


def test_json_has_the_figures(twiceshy: Command, project: Path) -> None:
    transcript(project, 130_000, "git push")

    assert twiceshy("compact-guide", "--json").json == {
        "tokens": 130_000,
        "window": 200_000,
        "percent": 65,
        "due": True,
        "moment": "good",
        "because": "just committed",
        "sentence": "The context is 65 % full. Now is a good moment to compact: "
        "the work was just committed.",
    }


def test_k13_m7_another_projects_newer_session_is_never_taken(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "site" / "shop"
    other.mkdir(parents=True)
    mine = transcript(project, 20_000, "ls")
    theirs = transcript(other, 190_000, "ls", session=OTHER)
    os.utime(mine, (1_000, 1_000))
    os.utime(theirs, (2_000, 2_000))

    assert twiceshy("compact-guide", "--json").json["tokens"] == 20_000
    assert twiceshy("compact-guide", "--session", OTHER, "--json").json["tokens"] == 190_000


def test_a_session_in_a_database_is_known_by_when_it_began(
    twiceshy: Command, project: Path
) -> None:
    folder = Path(os.environ["HOME"]) / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    database = Database(folder)
    database.put("session", {"id": "ses_1", "directory": str(project), "time_created": 5})
    database.answer(1, text("done"), tokens={"input": 7_000})
    os.utime(transcript(project, 20_000, "ls"), (1, 1))

    assert twiceshy("compact-guide", "--json").json["tokens"] == 20_000


def test_an_agent_is_told_about_its_own_session(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript(project, 20_000, "ls")
    os.utime(transcript(project, 130_000, "ls", session=OTHER), (1_000, 1_000))
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)

    assert twiceshy("compact-guide", "--json").json["tokens"] == 130_000


def test_without_a_transcript_it_says_so(twiceshy: Command) -> None:
    assert "no session of this project" in twiceshy("compact-guide", fails=1).err
    assert "no transcript of session" in twiceshy("compact-guide", "--session", "s9", fails=1).err


def test_a_transcript_without_an_answer_tells_nothing_yet(
    twiceshy: Command, project: Path
) -> None:
    transcript(project, 0, "ls")

    assert "does not tell how full" in twiceshy("compact-guide", fails=1).err


def test_the_fullness_of_a_session_is_known_by_its_id(
    twiceshy: Command, project: Path, home: Path
) -> None:
    path = transcript(project, 130_000, "ls")
    with opened(home) as store:
        store.save_records(Session("s1", "claude-code", "demo", str(project), path, 1, 1))
        store.save_records(Session("s2", "claude-code", "demo", str(project), "", 1, 1))
        store.save_records(Session("s3", "claude-code", "demo", str(project), path + "x", 1, 1))

    with open_app() as app:
        found = [find_context_percent(app, session) for session in ("s1", "s2", "s3", "s4")]

    assert found == [65, 0, 0, 0]


def test_it_is_told_in_chinese_too(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript(project, 130_000, "pytest")
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")

    assert "現在是壓縮的好時機" in twiceshy("compact-guide").out
