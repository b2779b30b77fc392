"""Guards and rules hold on a bad day: slow git, no time, no store; they ask, and are never silent."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.approving import approve
from tests.hooks.attack import HOOK, UNHURRIED, compact, payload
from tests.hooks.sessions import Session, store_of, teach
from tests.hooks.test_guards import add, asks, git
from tests.requirements import requirement


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a commit that adds a sensitive file, and a remote without it."""
    remote, folder = tmp_path / "remote.git", tmp_path / "shop"
    for place, how in ((remote, "--bare"), (folder, "--initial-branch=main")):
        place.mkdir()
        git(place, "init", "-q", how)
    git(folder, "remote", "add", "origin", str(remote))
    add(folder, "README.md")
    git(folder, "push", "-q", "-u", "origin", "main")
    add(folder, ".env")
    return folder


@pytest.fixture
def session(home: Path, project: Path) -> Session:
    session = Session(project)
    session.env |= {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "30000"}
    session.start()
    return session


def slow_git(folder: Path, seconds: float) -> dict[str, str]:
    """Return an environment in which git thinks for a while before it answers."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\nsleep {seconds}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def pushes(session: Session, command: str = "git push") -> dict[str, Any]:
    return asks(session, "Bash", command=command)


@requirement("H05")
def test_a_push_that_sends_a_secret_is_asked_about_by_default(session: Session) -> None:
    said = pushes(session)

    assert said["permissionDecision"] == "ask"
    assert "sends commits that add `.env`" in said["permissionDecisionReason"]


@requirement("T94")
@pytest.mark.parametrize("wrapper", ["squeeze", "squeeze quietly", "squeeze run --"])
def test_no_wrapper_has_to_be_listed_to_be_seen_through(session: Session, wrapper: str) -> None:
    assert pushes(session, f"{wrapper} git push")["permissionDecision"] == "ask"


@requirement("H05")
def test_the_user_can_have_it_refused_or_be_only_warned(session: Session) -> None:
    session.env["TWICESHY_GUARDS_PUSH_SECRETS"] = "deny"
    assert pushes(session)["permissionDecision"] == "deny"

    session.env["TWICESHY_GUARDS_PUSH_SECRETS"] = "warn"
    assert "sends commits that add `.env`" in session.calls("git push")


@requirement("H05")
def test_every_push_on_a_line_is_searched(session: Session, tmp_path: Path) -> None:
    clean = tmp_path / "clean"
    clean.mkdir()
    git(clean, "init", "-q", "--initial-branch=main")
    add(clean, "README.md")

    said = pushes(session, f"git -C {clean} push origin main && git push origin main")

    assert said["permissionDecision"] == "ask"
    assert "`.env`" in said["permissionDecisionReason"]


@requirement("H05")
def test_a_slow_git_changes_no_verdict_to_silence(session: Session, tmp_path: Path) -> None:
    session.env |= slow_git(tmp_path / "slow", 0.35)
    session.env["TWICESHY_GUARDS_MODE"] = "deny"

    said = pushes(session)

    # with time enough it is known what the push sends, and without it the user is asked
    assert said["permissionDecision"] in ("ask", "deny")
    assert "guard" in said["permissionDecisionReason"]


@requirement("H05")
def test_a_guard_whose_hook_runs_out_of_time_asks(
    home: Path, session: Session, tmp_path: Path
) -> None:
    session.env |= slow_git(tmp_path / "slow", 60)
    session.env |= {"TWICESHY_HOOK_WALL_MS": "1500"}

    said = pushes(session)

    assert said["permissionDecision"] == "ask"


@requirement("H05")
def test_a_rule_asks_while_the_store_is_busy(home: Path, project: Path) -> None:
    rule = teach(home, project, "Never deploy.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        approve(store, rule, "deny")
    session = Session(project)
    session.env |= {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "30000"}
    session.start()
    assert asks(session, "Bash", command="make deploy")["permissionDecision"] == "deny"

    (home / "twiceshy.db").rename(home / "aside.db")
    (home / "twiceshy.db").write_bytes(b"this is no database" * 1000)
    said = asks(session, "Bash", command="make deploy")

    assert said["permissionDecision"] == "ask"
    assert "could not check it" in said["permissionDecisionReason"]
    assert asks(session, "Bash", command="make test") == {}


@requirement("H05")
def test_nobody_is_asked_about_calls_that_no_rule_and_no_guard_concerns(
    home: Path, session: Session
) -> None:
    (home / "twiceshy.db").write_bytes(b"this is no database" * 1000)

    assert asks(session, "Bash", command="make deploy") == {}
    assert asks(session, "Bash", command="git status") == {}


@requirement("H05", "L15")
def test_a_rule_that_is_approved_while_a_session_runs_holds_for_its_next_call(
    home: Path, session: Session, project: Path
) -> None:
    assert asks(session, "Bash", command="make deploy") == {}
    rule = teach(home, project, "Never deploy.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        approve(store, rule, "deny")

    assert asks(session, "Bash", command="make deploy")["permissionDecision"] == "deny"
    assert len(list((home / "watch").iterdir())) > 2  # and the other calls are quick again


@requirement("H05")
def test_a_client_inside_another_one_is_judged_by_its_own_project(
    home: Path, session: Session, project: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Session(elsewhere, "session-2").start()
    rule = teach(home, project, "Never deploy.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        approve(store, rule, "deny")
    session.start()
    Session(elsewhere, "session-2").start()
    (home / "twiceshy.db").write_bytes(b"this is no database" * 1000)
    call = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}, "tool_use_id": "t1"}
    raw = payload("PreToolUse", cwd=project, **call)

    ended = subprocess.run(
        [*HOOK, "codex"],
        input=compact(raw),
        capture_output=True,
        check=True,
        env=os.environ | UNHURRIED | {"CLAUDE_PROJECT_DIR": str(elsewhere)},
    )

    assert b'"permissionDecision":"deny"' in ended.stdout  # Codex cannot ask
    assert b"could not check it" in ended.stdout


@requirement("H08")
def test_a_guard_does_not_wait_for_a_pipe_in_the_place_of_its_memory(
    home: Path, session: Session
) -> None:
    assert asks(session, "Write", file_path=".env")
    [told] = (home / "guard").iterdir()
    told.unlink()
    os.mkfifo(told)

    assert "`.env`" in str(asks(session, "Write", file_path=".env"))
