"""The summariser is asked for lessons about skills, and only in a session that used some."""

from pathlib import Path

import pytest
from tests.hooks.attack import UNHURRIED, fire
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import store_of
from tests.requirements import requirement

from twiceshy.learning.distil.observations import parse_observations


class Agent:
    """A session in any client, whose every event is a process of its own."""

    def __init__(self, project: Path, runtime: str = "claude-code") -> None:
        self.project, self.runtime = project, runtime
        self.env: dict[str, str] = {}

    def fires(self, event: str, **fields: object) -> str:
        """Fire an event, and return what the hook printed."""
        common = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": str(self.project)}
        payload = {**common, "hook_event_name": event, **fields}
        ended = fire(payload, arguments=[self.runtime], env=UNHURRIED | self.env)
        assert (ended.code, ended.err) == (0, b"")
        return ended.out.decode()

    def loads(self, skill: str) -> None:
        given = {"tool_name": "Skill", "tool_input": {"skill": skill}, "tool_use_id": f"t-{skill}"}
        self.fires("PostToolUse", **given, tool_response={"commandName": skill})

    def compacts(self, **fields: object) -> str:
        return self.fires("PreCompact", trigger="manual", **fields)


@pytest.fixture
def agent(home: Path, project: Path) -> Agent:
    agent = Agent(project)
    agent.fires("SessionStart", source="startup")
    return agent


@requirement("T90")
def test_the_request_is_two_plain_lines_that_name_the_skills(agent: Agent, project: Path) -> None:
    a_skill(project / ".claude/skills/deploy")
    agent.loads("release")
    agent.loads("deploy")

    said = agent.compacts()

    assert len(said.splitlines()) == 2
    assert "(deploy, release)" in said or "(release, deploy)" in said
    assert "<skill_observations>" in said
    assert not said.startswith("{")  # JSON is no instruction there, but an error
    assert parse_observations(f"{said}\n</skill_observations>") == []


@requirement("T92")
def test_nobody_is_asked_without_a_skill(agent: Agent) -> None:
    assert agent.compacts() == ""


@requirement("T92")
def test_a_skill_that_was_only_read_was_not_used(agent: Agent, project: Path) -> None:
    path = str(project / ".claude/skills/release/SKILL.md")
    given = {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_use_id": "t1"}
    agent.fires("PostToolUse", **given, tool_response={"type": "text"})

    assert agent.compacts() == ""


@requirement("T92")
def test_a_subagent_is_not_asked(agent: Agent) -> None:
    agent.loads("release")

    assert agent.compacts(agent_id="a1") == ""


@requirement("T92")
@pytest.mark.parametrize("how", ["user's settings", "project's settings", "environment"])
def test_the_user_can_switch_it_off(agent: Agent, home: Path, project: Path, how: str) -> None:
    agent.loads("release")
    if how == "environment":
        agent.env["TWICESHY_LEARN_PROMOTE"] = "false"
    else:
        file = home / "config.toml" if how == "user's settings" else project / ".twiceshy.toml"
        file.write_text("[learn]\npromote = false\n")

    assert agent.compacts() == ""


@requirement("T92")
@pytest.mark.parametrize("runtime", ["codex", "gemini"])
def test_who_cannot_be_asked_hears_nothing(agent: Agent, runtime: str) -> None:
    agent.loads("release")
    agent.runtime = runtime

    assert agent.compacts() == ""
    assert agent.fires("PreCompress", trigger="auto") == ""


@requirement("T90")
def test_what_was_asked_is_on_record_with_its_tokens(agent: Agent, home: Path) -> None:
    agent.loads("release")

    agent.compacts()
    agent.compacts()

    with store_of(home) as store:
        [asked] = [
            one for one in store.list_exposures(session="s1") if one.channel == "summariser"
        ]
    assert 40 < asked.tokens < 130
