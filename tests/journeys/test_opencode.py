"""What earlier sessions learned reaches the model of a real OpenCode, and what it does is learned from."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.approving import approve
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.script import Step, calls, says
from tests.requirements import requirement
from tests.store.support import Clock, learn, opened, raw

from twiceshy.app import read_clock
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.core.transcript import SkillStep, UserMessage
from twiceshy.places.project import identify_project
from twiceshy.runtimes.opencode.transcript import list_transcripts, read_transcript

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.lab.bench import Lab
    from tests.journeys.lab.claude_code import ClaudeCode
    from tests.journeys.lab.opencode import OpenCode

pytestmark = pytest.mark.journey

LESSON = "Weigh the box before you tape it shut."
RULE = "Never ship on a Friday."
GO_ON = ("--continue",)
TOO_LONG = 400_000  # tokens; OpenCode compacts before the next request


@pytest.fixture
def connected(opencode: OpenCode) -> OpenCode:
    """OpenCode after ``twiceshy install``."""
    # or the client itself would write this into its file
    opencode.set(**{"$schema": "https://opencode.ai/config.json"})
    opencode.lab.twiceshy("install", "opencode", "--yes")
    return opencode


@pytest.fixture
def shop(connected: OpenCode) -> Path:
    """A project with a skill, a lesson about it, and a rule."""
    project = connected.lab.project("shop")
    connected.skill(project, "pack")
    connected.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    connected.lab.twiceshy("note", RULE, "--kind", "rule", cwd=project)
    return project


def bash(command: str) -> Step:
    return calls("bash", command=command, description="Look")


def messages(lab: Lab, number: int = -1) -> list[dict[str, Any]]:
    """Return the conversation that a request held, without what stands before it."""
    found = lab.requests[number].body["messages"]
    assert isinstance(found, list)
    return [message for message in found if message["role"] != "system"]


def results(lab: Lab, number: int = -1) -> list[str]:
    """Return what came of the calls that a request tells of."""
    return [each["content"] for each in messages(lab, number) if each["role"] == "tool"]


def signals(lab: Lab) -> list[tuple[str, str, str, str]]:
    with raw(lab.memory / "twiceshy.db") as db:
        asked = "SELECT tool, skill, target, excerpt FROM signals ORDER BY at"
        return db.execute(asked).fetchall()


def learned(lab: Lab, part: str) -> str:
    """Wait until a session has taught something about a call, and return that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with raw(lab.memory / "twiceshy.db") as db:
            found = db.execute("SELECT text FROM notes WHERE trigger <> ''").fetchall()
        for (text,) in found:
            if part in text:
                return str(text)
        time.sleep(0.05)  # who learns is nobody's child, so that there is nothing else to wait for
    raise AssertionError(f"nothing was learned about {part}")


@requirement("U003", "R06")
def test_a_session_is_briefed_at_its_start_and_where_its_skill_is_loaded(
    connected: OpenCode, shop: Path
) -> None:
    lab = connected.lab

    ran = connected.ask(
        "pack the red box",
        calls("skill", name="pack", intent="pack the red box"),
        bash("echo packing >&2; echo no tape left >&2; exit 3"),
        calls("read", filePath=str(shop / "crate.txt")),
        calls("twiceshy_skill_recall", skill="pack"),
        project=shop,
    )

    assert (ran.code, ran.out) == (0, "All done.\n"), ran.err
    asked, told = messages(lab)[0]["content"]
    assert asked == {"type": "text", "text": "pack the red box"}
    assert told["text"].startswith("<project-memory")
    assert RULE in told["text"]
    loaded, failed, *_, recalled = results(lab)
    assert "</skill_content>\n\n<skill-memory skill=" in loaded  # behind the skill's own text
    assert LESSON in loaded
    assert failed == "packing\nno tape left\n"
    assert LESSON in recalled  # the tools are there as well
    assert lab.broken_prefix() == ""
    (skill,) = (
        tool["function"]["parameters"]
        for tool in lab.requests[0].body["tools"]
        if tool["function"]["name"] == "skill"
    )
    assert skill["properties"].keys() == {"name", "intent"}
    assert signals(lab)[:1] == [
        (
            "Bash",
            "pack",
            "echo packing >&2; echo no tape left >&2; exit 3",
            "Exit code 3\npacking\nno tape left",
        )
    ]
    assert ("Read", "pack") in [row[:2] for row in signals(lab)]
    assert not (lab.memory / "hook.log").exists()


@requirement("R12")
def test_what_one_client_got_wrong_the_other_is_told_when_it_does_it_again(
    connected: OpenCode, claude: ClaudeCode
) -> None:
    lab = connected.lab
    lab.twiceshy("install", "claude-code", "--yes")
    shop = lab.project("shop")
    claude.trust(shop)

    def look(command: str) -> Step:
        return calls("Bash", command=command, description="Look")

    claude.ask("look around", look("git stauts"), look("git status"), project=shop)
    learned(lab, "use `status`, not `stauts`: ")
    connected.ask(
        "look again", bash("git stauts"), bash("git brnch"), bash("git branch"), project=shop
    )
    here = results(lab)
    prefix = lab.broken_prefix()
    learned(lab, "use `branch`, not `brnch`: ")
    claude.ask("look once more", look("git brnch"), project=shop)

    told, *later = here
    assert "\n\n<twiceshy-note id=" in told
    assert "As seen before: `git`: use `status`, not `stauts`</twiceshy-note>" in told
    assert told.count("<twiceshy-note") == 1
    assert [text for text in later if "<twiceshy-note" in text] == []
    assert prefix == ""
    assert lab.find("As seen before: `git`: use `branch`, not `brnch`</twiceshy-note>")


@requirement("R06")
def test_a_session_that_goes_on_repeats_nothing_until_it_loses_its_memory(
    connected: OpenCode, shop: Path
) -> None:
    lab = connected.lab

    connected.ask("pack", calls("skill", name="pack"), project=shop)
    connected.ask("go on", project=shop, options=GO_ON)
    resumed = len(lab.find(LESSON)), len(lab.find(RULE))
    full = replace(bash("echo one"), tokens=TOO_LONG)
    connected.ask("go on", full, bash("echo two"), bash("echo three"), project=shop, options=GO_ON)

    assert resumed == (1, 1)
    two, three = results(lab)
    assert two.startswith("two\n")
    assert LESSON in two
    assert RULE in two
    assert three == "three\n"
    with raw(lab.memory / "twiceshy.db") as db:
        kept = db.execute("SELECT summary FROM episodes WHERE kind = 'compact'").fetchall()
        assert kept == [("An aside.",)]


@requirement("M31")
def test_a_subagent_that_loads_the_skill_is_told_as_well(connected: OpenCode, shop: Path) -> None:
    lab = connected.lab
    task = {"description": "Pack", "prompt": "Pack it.", "subagent_type": "general"}

    connected.ask(
        "pack, and let somebody else pack too",
        calls("skill", name="pack"),
        calls("task", **task),
        calls("skill", name="pack"),
        says("Packed."),
        project=shop,
    )

    its_own = [
        number
        for number in range(len(lab.requests))
        if "Pack it." in json.dumps(messages(lab, number)[0])
    ]
    assert len(its_own) == 2
    assert LESSON in results(lab, its_own[1])[0]
    assert RULE in json.dumps(messages(lab, its_own[0])[0])


def test_a_skill_invoked_with_a_slash_brings_its_notes_and_is_nobodys_words(
    connected: OpenCode, shop: Path
) -> None:
    lab = connected.lab

    ran = connected.ask("the red box", project=shop, options=("--command", "pack"))

    assert ran.code == 0
    body, told = messages(lab)[0]["content"]
    assert "the red box" in body["text"]
    assert LESSON in told["text"]
    (place,) = list_transcripts(str(connected.database.parent))
    steps = list(read_transcript(place))
    assert not any(isinstance(step, UserMessage) for step in steps)
    (used,) = (step for step in steps if isinstance(step, SkillStep))
    assert (used.name, used.arguments, used.how) == ("pack", "the red box", "slash")


def test_a_rule_that_the_user_approved_keeps_a_call_from_being_made(
    connected: OpenCode, shop: Path
) -> None:
    lab = connected.lab
    here = Scope(identify_project(str(shop), cache=None).id, NO_SKILL)
    with opened(lab.memory, clock=Clock(read_clock())) as store:
        rule = learn(
            store, "A person looks at that.", kind="rule", scope=here, trigger="Bash git stauts"
        )
        approve(store, rule, "deny")

    ran = connected.ask("look", bash("touch made; git stauts"), bash("touch other"), project=shop)

    assert ran.code == 0
    assert not (shop / "made").exists()
    assert (shop / "other").exists()
    assert "A person looks at that." in results(lab)[0]
    assert signals(lab) == []  # what we refuse is no failure of the agent's


@requirement("R13")
def test_an_uninstall_leaves_the_configuration_as_it_was(opencode: OpenCode) -> None:
    opencode.set(**{"$schema": "https://opencode.ai/config.json"}, plugin=[])
    before = opencode.config.read_bytes()
    text = before.decode().replace('"autoupdate"', '// mine\n  "autoupdate"')
    opencode.config.write_text(text, encoding="utf-8")
    lab = opencode.lab
    shop = lab.project("shop")
    lab.twiceshy("note", RULE, "--kind", "rule", cwd=shop)

    lab.twiceshy("install", "opencode", "--yes")
    opencode.ask("hello", project=shop)
    told = lab.find(RULE)
    doctor = lab.twiceshy("doctor", cwd=shop)
    lab.twiceshy("uninstall", "opencode", "--yes")

    assert len(told) == 1
    assert "OpenCode: connected" in doctor.out
    assert opencode.config.read_text(encoding="utf-8") == text
    assert not (lab.memory / "opencode").exists()
    assert not (lab.memory / "bin").exists()
