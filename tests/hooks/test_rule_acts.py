"""A rule that the user approved for it asks or denies before the call it is about; nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.approving import approve
from tests.hooks.sessions import TRIGGER, Session, exposures, state, store_of, teach
from tests.requirements import requirement

if TYPE_CHECKING:
    from pathlib import Path

    from twiceshy.core.note import Note
    from twiceshy.safety.signing import Act

RULE = "Never deploy by hand."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def session(project: Path) -> Session:
    return Session(project)


def a_rule(home: Path, project: Path, act: Act | None, text: str = RULE, **fields: Any) -> Note:
    """Write a rule about a call down, and approve of it if it is said for what."""
    usual = {"kind": "rule", "subtype": "hard", "source": "user", "trigger": TRIGGER}
    note = teach(home, project, text, **(usual | fields))
    if act is not None:
        with store_of(home) as store:
            approve(store, note, act)
    return note


def ruling(session: Session, command: str = "make deploy") -> dict[str, Any]:
    return session.answer("PreToolUse", **session.call("Bash", command=command))


@requirement("L15")
@pytest.mark.parametrize("act", ["ask", "deny"])
def test_a_rule_rules_on_its_call_each_time_and_gives_its_reason(
    home: Path, project: Path, session: Session, act: Act
) -> None:
    note = a_rule(home, project, act)
    session.start()

    first = ruling(session)
    session.wait(1)
    second = ruling(session, "cd x; make deploy")

    reason = (
        f'<twiceshy-note id="{note.handle}">A rule that the user approved: {RULE}</twiceshy-note>'
    )
    assert list(first) == ["permissionDecision", "permissionDecisionReason"]
    assert first["permissionDecision"] == act
    assert first["permissionDecisionReason"] == reason
    assert second == first
    assert ruling(session, "make test") == {}
    assert sorted(shown.channel for shown in exposures(home)) == ["call", "call", "start"]


def test_a_rule_that_only_tells_is_told_once(home: Path, project: Path) -> None:
    a_rule(home, project, "tell")

    unmet = Session(project, "session-2")
    first, second = ruling(unmet), ruling(unmet)
    briefed = Session(project, "session-3")
    start = briefed.start()

    assert list(first) == ["additionalContext"]
    assert RULE in first["additionalContext"]
    assert second == {}
    assert RULE in start
    assert ruling(briefed) == {}


def test_the_strictest_rule_about_a_call_wins(home: Path, project: Path, session: Session) -> None:
    a_rule(home, project, "tell", "Tell the team.")
    a_rule(home, project, "ask", "Ask the owner.")
    a_rule(home, project, "deny", "Builds are made by the farm.", trigger="Bash make")

    assert ruling(session)["permissionDecision"] == "deny"
    assert ruling(session, "make test")["permissionDecision"] == "deny"
    assert "Builds are made" in ruling(session)["permissionDecisionReason"]


@requirement("L15")
def test_a_rule_that_nobody_approved_is_no_rule(
    home: Path, project: Path, session: Session
) -> None:
    a_rule(home, project, None)

    assert ruling(session) == {}
    assert exposures(home) == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE signatures SET act = 'deny'",
        "UPDATE notes SET trigger = 'Bash make' WHERE kind = 'rule'",
        "UPDATE notes SET text = 'Deploy at once.' WHERE kind = 'rule'",
        "UPDATE notes SET project = '*' WHERE kind = 'rule'",
        "DELETE FROM signatures",
    ],
)
@requirement("L14")
def test_a_rule_that_was_tampered_with_rules_on_nothing(
    home: Path, project: Path, session: Session, sql: str
) -> None:
    from tests.hooks.test_rules import tamper

    a_rule(home, project, "ask")
    assert ruling(session)["permissionDecision"] == "ask"

    tamper(home, sql)

    assert ruling(session) == {}


def test_without_the_key_a_rule_rules_on_nothing(
    home: Path, project: Path, session: Session
) -> None:
    a_rule(home, project, "deny")
    (home / "rules.key").unlink()

    assert ruling(session) == {}


def test_a_rule_binds_the_session_that_gave_rise_to_it(
    home: Path, project: Path, session: Session
) -> None:
    a_rule(home, project, "deny", origin_session=session.name)

    assert ruling(session)["permissionDecision"] == "deny"


def test_a_rule_that_is_unsigned_does_not_hide_a_note_about_the_call(
    home: Path, project: Path, session: Session
) -> None:
    a_rule(home, project, None)
    state(home, project)

    said = ruling(session)

    assert list(said) == ["additionalContext"]
    assert "make ship" in said["additionalContext"]
    assert RULE not in said["additionalContext"]


@requirement("L11")
def test_a_rule_is_never_withheld(home: Path, project: Path) -> None:
    note = a_rule(home, project, "deny")
    with store_of(home) as store, store.change():
        for _ in range(9):
            store.increment_counter("recalls", [note.id])

    said = [ruling(Session(project, f"session-{number}")) for number in range(30)]

    assert {one["permissionDecision"] for one in said} == {"deny"}


def test_a_rule_of_a_skill_binds_while_that_skill_is_in_use(
    home: Path, project: Path, session: Session
) -> None:
    from tests.hooks.conftest import a_skill
    from tests.hooks.sessions import project_of

    from twiceshy.core.scope import Scope

    a_skill(project / ".claude/skills/release")
    a_rule(home, project, "deny", scope=Scope(project_of(project), "release"))
    session.start()

    before = ruling(session)
    loaded = {"tool_response": {"success": True, "commandName": "release"}}
    session.told("PostToolUse", **session.call("Skill", skill="release"), **loaded)

    assert before == {}
    assert ruling(session)["permissionDecision"] == "deny"


def test_a_rule_never_tells_of_a_failure(home: Path, project: Path, session: Session) -> None:
    a_rule(home, project, "deny")

    assert session.fails("make deploy") == ""


@pytest.mark.parametrize("text", ["规" * 2_000, "word " * 1_000])
def test_a_long_rule_denies_all_the_same(
    home: Path, project: Path, session: Session, text: str
) -> None:
    a_rule(home, project, "deny", text)

    assert ruling(session)["permissionDecision"] == "deny"
