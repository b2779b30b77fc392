"""Every event that is answered leaves one line in a log that never grows beyond its bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import Session, state
from tests.requirements import requirement
from tests.store.support import modes_under

if TYPE_CHECKING:
    from pathlib import Path


@requirement("U189", "F65")
def test_each_run_leaves_its_time_session_and_event(home: Path, project: Path) -> None:
    state(home, project)
    session = Session(project)
    session.env = dict(UNHURRIED)
    session.start()
    said = session.calls("make deploy")
    session.prompt("say nothing of my words")
    session.calls("ls")  # nobody looks at that one

    log = (home / "run.log").read_text()

    assert log.splitlines() == [
        "2026-11-02T09:00:00Z claude-code session-1 SessionStart 0",
        f"2026-11-02T09:00:00Z claude-code session-1 PreToolUse {len(said)}",
        "2026-11-02T09:00:00Z claude-code session-1 UserPromptSubmit 0",
    ]
    assert modes_under(home)["run.log"] == "0600"


@requirement("U189")
def test_the_log_keeps_its_newest_lines(home: Path, project: Path) -> None:
    session = Session(project)
    session.env = {**UNHURRIED, "TWICESHY_RETENTION_LOG_KILOBYTES": "16"}
    session.start()
    with (home / "run.log").open("a") as log:
        log.writelines(f"line {number}\n" for number in range(2_000))

    session.prompt("go on")

    lines = (home / "run.log").read_text().splitlines()
    assert lines[-1].endswith(" UserPromptSubmit 0")
    assert "line 1999" in lines
    assert len("\n".join(lines)) < 16 << 10


def test_a_log_that_cannot_be_written_harms_nothing(home: Path, project: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "run.log").mkdir()
    session = Session(project)
    session.env = dict(UNHURRIED)

    assert session.start() == ""
    assert not (home / "hook.log").exists()
