"""What users of memory-engine switch on, or find as it was, at the events of a session."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import MORNING, Session, learning, teach
from tests.requirements import requirement
from tests.sync.support import bare, in_remote

from twiceshy.core.moment import DAY, parse_stamp

if TYPE_CHECKING:
    from pathlib import Path

NOW = parse_stamp(MORNING)
GIT = ["git", "-c", "user.name=u", "-c", "user.email=u@example.org", "-c", "commit.gpgSign=false"]
# git may take its time on a busy machine
SLOWLY = {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "60000"}


@pytest.fixture
def repository(project: Path, tmp_path: Path) -> Path:
    """A project that pushes to a remote, and has nothing sensitive to push."""
    for where, *words in (
        (tmp_path, "init", "-q", "--bare", "remote.git"),
        (project, "init", "-q", "--initial-branch=main"),
        (project, "remote", "add", "origin", str(tmp_path / "remote.git")),
        (project, "commit", "-q", "--allow-empty", "-m", "first"),
    ):
        subprocess.run([*GIT, "-C", str(where), *words], check=True, capture_output=True)
    return project


def session(project: Path, **settings: str) -> Session:
    one = Session(project)
    one.env = {**UNHURRIED, **SLOWLY, **settings}
    one.start()
    return one


@requirement("E43")
def test_before_every_push_three_things_are_recalled_if_that_is_switched_on(
    repository: Path, home: Path
) -> None:
    one = session(repository, TWICESHY_GUARDS_PUSH_REMINDER="true")

    first, second = one.calls("git push"), one.calls("git push")

    assert "1. no key, password or .env file is in the commits; 2. the tests passed; 3." in first
    assert first == second
    assert one.calls("git status") == ""


def test_a_push_of_nothing_sensitive_is_silent_by_default(repository: Path, home: Path) -> None:
    assert session(repository).calls("git push") == ""


@requirement("E40")
@pytest.mark.parametrize("name", ["password.go", "README.md", "TODO.md", "CHANGELOG.md"])
def test_a_name_is_warned_about_once_it_is_listed(project: Path, home: Path, name: str) -> None:
    usual = session(project)
    listed = session(project, TWICESHY_GUARDS_PROTECTED=f'["{name}"]')
    listed.name = "session-2"
    path = str(project / name)

    silent = usual.told("PreToolUse", **usual.call("Write", file_path=path, content="x"))
    warned = listed.told("PreToolUse", **listed.call("Write", file_path=path, content="x"))

    assert silent == ""
    assert "usually holds secrets" in warned
    assert str(project)[:40] in warned


@requirement("E34")
def test_the_newest_pitfall_that_was_learned_by_itself_is_told_if_that_is_switched_on(
    project: Path, home: Path
) -> None:
    teach(home, project, "Wait for the lock before `make deploy`.", learned_at=NOW - DAY)
    teach(
        home, project, "Call `make old` with care.", learned_at=NOW - 5 * DAY, trigger="Bash old"
    )

    usual = Session(project, "s1")
    usual.env = {**UNHURRIED, "TWICESHY_TELLING_SESSION_TOKENS": "0"}
    asked = Session(project, "s2")
    asked.env = {**usual.env, "TWICESHY_BRIEF_NEWEST_PITFALL": "true"}

    assert "Wait for the lock" not in usual.start()
    told = asked.start()
    assert "Wait for the lock before" in told
    assert "make old" not in told


@requirement("E67", "U195")
@pytest.mark.parametrize("event", ["SessionEnd", "PreCompact"])
def test_the_memory_is_backed_up_after_sessions_and_before_compactions_if_that_is_switched_on(
    project: Path, home: Path, tmp_path: Path, event: str
) -> None:
    remote = bare(tmp_path / "remote.git")
    one = Session(project)
    one.env = {
        **UNHURRIED,
        "TWICESHY_SYNC_REMOTE": remote,
        "TWICESHY_SYNC_AFTER_SESSIONS": "true",
    }
    teach(home, project)
    one.works(("ls", None))
    one.start()
    more = {"reason": "exit"} if event == "SessionEnd" else {"trigger": "auto"}

    with learning(one) as learner:
        one.told(event, **more)
        assert learner.ended()

    assert in_remote(remote, "for-each-ref")
