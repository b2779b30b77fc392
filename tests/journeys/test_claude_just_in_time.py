"""A real Claude Code makes a mistake once: the next session is told at its start, and at the failure."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.approving import approve
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.script import Step, calls
from tests.store.support import Clock, learn, opened, raw

from twiceshy.app import read_clock
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.places.project import identify_project

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.lab.claude_code import ClaudeCode

    from twiceshy.safety.signing import Act

pytestmark = pytest.mark.journey

WRONG, RIGHT = "git stauts", "git status"
LESSON = "`git`: use `status`, not `stauts`: "
FAILED = f"As seen before: {LESSON.removesuffix(': ')}</twiceshy-note>"
RULE = "A person looks at that."


def bash(command: str) -> Step:
    return calls("Bash", command=command, description="Look")


# eight calls behind a mistake it is clear what put it right
WORK = [bash(WRONG), bash(RIGHT), *(bash(f"echo part {number}") for number in range(8))]


@pytest.fixture
def shop(connected: ClaudeCode) -> Path:
    project = connected.lab.project("shop")
    connected.trust(project)
    return project


def lessons(claude: ClaudeCode) -> list[str]:
    """Return what is known about calls."""
    with raw(claude.lab.memory / "twiceshy.db") as db:
        return [text for (text,) in db.execute("SELECT text FROM notes WHERE trigger <> ''")]


def learned(claude: ClaudeCode) -> str:
    """Wait until a session has taught something, and return that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := lessons(claude):
            return found[0]
        time.sleep(0.05)  # who learns is nobody's child, so that there is nothing else to wait for
    raise AssertionError("nothing was learned")


def results(claude: ClaudeCode, number: int = -1) -> list[dict[str, Any]]:
    """Return what came to the model with the result of the call before a request."""
    content = claude.lab.requests[number].body["messages"][-1]["content"]
    assert isinstance(content, list)
    return content


def texts(node: object) -> str:
    return json.dumps(node, ensure_ascii=False)


def test_what_one_session_got_wrong_the_next_is_told_at_its_start_and_at_the_failure(
    connected: ClaudeCode, shop: Path
) -> None:
    connected.ask("look around", bash(WRONG), bash(RIGHT), project=shop)
    lesson = learned(connected)

    ran = connected.ask("look again", bash(WRONG), bash(WRONG), project=shop)

    assert LESSON in lesson
    assert (ran.code, ran.out, ran.err) == (0, "All done.\n", "")
    assert LESSON in texts(connected.lab.requests[0].body["messages"])  # in time to do it right
    result, *beside = results(connected, 1)
    assert (result["type"], result["is_error"], beside) == ("tool_result", True, [])
    assert FAILED in result["content"]
    assert result["content"].count("<twiceshy-note") == 1
    assert texts(results(connected, 2)).count("<twiceshy-note") == 0  # nor is it said twice
    assert connected.lab.broken_prefix() == ""
    assert connected.hook_troubles() == []


def test_a_failure_that_was_met_before_says_so_inside_its_result(
    connected: ClaudeCode, shop: Path
) -> None:
    here = Scope(identify_project(str(shop), cache=None).id, NO_SKILL)
    text = "Use `b.txt`: `a.txt` does not exist"
    evidence = '`cat a.txt` failed: "cat: a.txt: No such file". `cat b.txt` worked.'
    with opened(connected.lab.memory, clock=Clock(read_clock())) as store:
        learn(
            store,
            text,
            why=evidence,
            scope=here,
            source="detector",
            subtype="fix",
            trigger="Bash/missing a.txt cat",
        )

    connected.ask("read", bash("cat a.txt"), bash("cat a.txt | head -1"), project=shop)

    result, *beside = results(connected, 1)
    assert (result["is_error"], beside) == (True, [])
    # the start may have told it in full
    assert "een before: Use `b.txt`" in result["content"]
    assert len(connected.lab.find("een before: ")) == 2  # in both requests behind it, once each


def a_rule(claude: ClaudeCode, project: Path, act: Act) -> None:
    """Let the user have approved of a rule about a call."""
    here = Scope(identify_project(str(project), cache=None).id, NO_SKILL)
    with opened(claude.lab.memory, clock=Clock(read_clock())) as store:
        note = learn(store, RULE, kind="rule", scope=here, trigger=f"Bash {WRONG}")
        approve(store, note, act)


@pytest.mark.parametrize("act", ["deny", "ask"])
def test_a_rule_that_the_user_approved_keeps_a_call_from_being_made(
    connected: ClaudeCode, shop: Path, act: Act
) -> None:
    a_rule(connected, shop, act)

    ran = connected.ask("look", bash(f"touch made; {WRONG}"), bash("touch other"), project=shop)

    assert ran.code == 0
    assert not (shop / "made").exists()
    assert (shop / "other").exists()
    [result] = [part for part in results(connected, 1) if part["type"] == "tool_result"]
    assert result["is_error"] is True
    if act == "deny":
        assert RULE in result["content"]


def test_a_session_that_is_killed_is_learned_from_all_the_same(
    connected: ClaudeCode, shop: Path
) -> None:
    with connected.terminal(*WORK, project=shop) as terminal:
        terminal.wait_for("? for shortcuts")
        terminal.press("look around\r")
        terminal.wait_for("All done.")
        terminal.wait_until(lambda: bool(lessons(connected)), "a lesson")  # the session goes on
        terminal.kill()

    connected.ask("look again", bash(WRONG), project=shop)

    assert FAILED in texts(results(connected, 1))


def sent(claude: ClaudeCode, project: Path, *, hooks: bool) -> list[str]:
    """Run a session of many calls that nothing is known about, and return what the model was sent."""
    file = claude.lab.memory / "claude-code" / "plugins" / "twiceshy" / "hooks" / "hooks.json"
    installed = file.read_text()
    if not hooks:
        file.write_text('{"hooks": {}}')
    steps = [bash(f"echo part {number}") for number in range(12)]
    read = calls("Read", file_path=str(project / "notes.txt"))
    claude.ask("work", *steps, read, bash("exit 3"), project=project)
    file.write_text(installed)
    return [texts(neutral(claude.lab, request.body)) for request in claude.lab.requests]


def test_where_there_is_nothing_to_say_the_model_is_sent_the_same_bytes_as_without_us(
    connected: ClaudeCode, shop: Path
) -> None:
    (shop / "notes.txt").write_text("one\n")
    here = Scope(identify_project(str(shop), cache=None).id, NO_SKILL)
    with opened(connected.lab.memory, clock=Clock(read_clock())) as store:
        learn(store, LESSON, scope=here, source="user", trigger="Bash git stauts")
    without_us = sent(connected, shop, hooks=False)

    with_us = sent(connected, shop, hooks=True)

    assert len(with_us) == 15
    assert with_us == without_us
