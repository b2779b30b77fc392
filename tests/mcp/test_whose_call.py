"""A server learns from the hook before a call in which session it is called, and tells nobody his own news."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import MORNING, Session
from tests.requirements import requirement

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp.conftest import Client

SERVER = "mcp__plugin_twiceshy_twiceshy__"


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_NOW", MORNING)


def a_session(project: Path, name: str) -> Session:
    session = Session(project, name)
    session.env = dict(UNHURRIED)
    return session


def calls(session: Session, client: Client, tool: str, **given: object) -> None:
    """Let a session's agent call a tool, as its client does: the hook first, then the server."""
    session.told("PreToolUse", **session.call(SERVER + tool, **given))
    client.do(tool, **given)


@requirement("A13", "U150")
def test_who_hands_over_by_a_tool_is_not_shown_it_himself(client: Client, project: Path) -> None:
    author, other = a_session(project, "s1"), a_session(project, "s2")
    author.start()
    calls(author, client, "handoff", action="write", status="half done", left=["mend it"])

    own, told = author.prompt("go on"), other.start()

    assert own == ""
    assert "Status: half done" in told


@requirement("U150")
def test_who_notes_by_a_tool_does_not_hear_of_it_and_another_session_does(
    client: Client, project: Path
) -> None:
    author, other = a_session(project, "s1"), a_session(project, "s2")
    author.start()
    other.start()
    calls(author, client, "note", text="Ship on Mondays.", kind="decision", why="fewer alarms")

    own, told = author.prompt("go on"), other.prompt("go on")

    assert own == ""
    assert "Ship on Mondays." in told


def test_a_client_without_hooks_has_a_session_of_its_own(client: Client, project: Path) -> None:
    session = a_session(project, "s1")
    session.start()
    client.do("note", text="Ship on Mondays.", kind="decision")

    assert "Ship on Mondays." in session.prompt("go on")
