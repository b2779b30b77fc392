"""What earlier sessions learned reaches the model of a real Claude Code, where and when it should."""

from pathlib import Path

import pytest
from tests.journeys.lab.claude_code import ClaudeCode, a_market
from tests.journeys.lab.script import calls, says
from tests.requirements import requirement

pytestmark = pytest.mark.journey

LESSON = "Weigh the box before you tape it shut."
SESSION = "00000000-0000-4000-8000-000000000001"
AGAIN = ("--resume", SESSION)


@pytest.fixture
def shop(connected: ClaudeCode) -> Path:
    """A project with a skill, and a lesson about it."""
    project = connected.lab.project("shop")
    connected.trust(project)
    connected.skill(project, "pack")
    connected.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    return project


@requirement("U130", "U132", "F01", "M05")
def test_a_skill_brings_its_notes_inside_the_tool_result(
    connected: ClaudeCode, shop: Path
) -> None:
    ran = connected.ask(
        "pack the red box",
        calls("Skill", skill="pack", args="the red box"),
        calls("Bash", command="echo taped", description="Tape"),
        calls("Bash", command="exit 3", description="Lift"),
        project=shop,
    )

    assert (ran.code, ran.out, ran.err) == (0, "All done.\n", "")
    result = connected.lab.requests[-1].body["messages"][2]["content"][0]
    assert result["type"] == "tool_result"
    assert '<skill-memory skill="pack"' in result["content"]
    assert {place.path for place in connected.lab.find(LESSON)} == {
        "messages[2].content[0].content"
    }
    assert [place.request for place in connected.lab.find(LESSON)] == [1, 2, 3]
    assert connected.lab.broken_prefix() == ""


def test_a_skill_that_is_loaded_again_tells_nothing_twice(
    connected: ClaudeCode, shop: Path
) -> None:
    connected.ask("pack", *[calls("Skill", skill="pack")] * 3, project=shop)

    told = [place for place in connected.lab.find(LESSON) if place.request == 3]
    assert len(told) == 1
    assert connected.lab.broken_prefix() == ""


@requirement("U020", "F01")
def test_a_skill_brings_no_notes_of_another_one(connected: ClaudeCode, shop: Path) -> None:
    connected.skill(shop, "wrap")

    connected.ask(
        "wrap and pack",
        calls("Skill", skill="wrap"),
        calls("Skill", skill="pack"),
        project=shop,
    )

    assert [place.request for place in connected.lab.find(LESSON)] == [2]


@requirement("U130")
def test_a_skill_invoked_with_a_slash_brings_its_notes(connected: ClaudeCode, shop: Path) -> None:
    ran = connected.ask("/pack the red box", project=shop)

    assert ran.code == 0
    assert [place.request for place in connected.lab.find(LESSON)] == [0]
    assert connected.lab.find("ARGUMENTS: the red box")


def test_a_skill_that_is_only_read_brings_its_notes(connected: ClaudeCode, shop: Path) -> None:
    file = str(shop / ".claude" / "skills" / "pack" / "SKILL.md")

    connected.ask("how do we pack?", calls("Read", file_path=file), project=shop)

    assert [place.path for place in connected.lab.find(LESSON)] == [
        "messages[2].content[0].content"
    ]


@pytest.mark.parametrize("way", ["by its name", "with a slash", "by reading it"])
def test_a_skill_of_a_plugin_brings_its_notes(connected: ClaudeCode, shop: Path, way: str) -> None:
    market = a_market(connected)
    connected.command("plugin", "marketplace", "add", str(market))
    connected.command("plugin", "install", "kit@stall")
    lesson = "Wrap it twice."
    connected.lab.twiceshy("note", lesson, "--skill", "kit:wrap", cwd=shop)
    file = market / "kit" / "skills" / "wrap" / "SKILL.md"

    match way:
        case "by its name":
            connected.ask("wrap it", calls("Skill", skill="kit:wrap"), project=shop)
        case "with a slash":
            connected.ask("/wrap it", project=shop)
        case _:
            connected.ask("how?", calls("Read", file_path=str(file)), project=shop)

    assert len(connected.lab.find(lesson)) == 1


def test_a_subagent_that_loads_the_skill_is_told_as_well(
    connected: ClaudeCode, shop: Path
) -> None:
    task = {"description": "Pack", "prompt": "Pack it.", "subagent_type": "general-purpose"}

    connected.ask(
        "pack, and let somebody else pack too",
        calls("Skill", skill="pack"),
        calls("Agent", **task, run_in_background=False),
        calls("Skill", skill="pack"),
        says("Packed."),
        project=shop,
    )

    its_own = [
        request for request in connected.lab.requests if "Pack it." in first_prompt(request.body)
    ]
    assert len(its_own) == 2
    assert LESSON not in str(its_own[0].body)
    assert LESSON in str(its_own[1].body)


def first_prompt(body: dict[str, object]) -> str:
    """Return what a conversation began with."""
    messages = body["messages"]
    assert isinstance(messages, list)
    return str(messages[0])


@requirement("U021")
def test_the_next_session_knows_what_an_agent_noted_and_another_project_does_not(
    connected: ClaudeCode, shop: Path
) -> None:
    bank = connected.lab.project("bank")
    connected.skill(bank, "pack")
    here, everywhere = "Tape is in the second drawer.", "Write the address twice."
    noted = [
        f'twiceshy note "{here}" --skill pack --as-agent',
        f'twiceshy note "{everywhere}" --skill pack --as-agent --everywhere',
    ]

    steps = [calls("Bash", command=command, description="Note it") for command in noted]
    connected.ask("pack", *steps, project=shop)
    connected.ask("pack again", calls("Skill", skill="pack"), project=shop)
    next_session = [len(connected.lab.find(text)) for text in (LESSON, here, everywhere)]
    connected.ask("pack here", calls("Skill", skill="pack"), project=bank)
    elsewhere = [len(connected.lab.find(text)) for text in (LESSON, here, everywhere)]

    assert next_session == [1, 1, 1]
    assert elsewhere == [0, 0, 1]


@requirement("U149")
def test_a_session_start_tells_the_rules_and_one_that_goes_on_repeats_nothing(
    connected: ClaudeCode, shop: Path
) -> None:
    rule, later = "Never ship on a Friday.", "Never ship on a Monday."
    summary = says("We said hello.")

    def told_after(prompt: str, *options: str) -> tuple[int, int]:
        connected.ask(prompt, project=shop, options=options)
        return len(connected.lab.find(rule)), len(connected.lab.find(later))

    connected.lab.twiceshy("note", rule, "--kind", "rule", cwd=shop)
    started = told_after("hello", "--session-id", SESSION)
    connected.lab.twiceshy("note", later, "--kind", "rule", cwd=shop)
    resumed = told_after("go on", *AGAIN)
    forked = told_after("go on elsewhere", *AGAIN, "--fork-session")
    connected.ask("/compact", summary, summary, project=shop, options=AGAIN)
    compacted = told_after("go on", *AGAIN)
    connected.ask("/clear", project=shop, options=AGAIN)
    cleared = told_after("begin anew", "--continue")

    assert (started, resumed, forked) == ((1, 0), (1, 0), (1, 0))
    assert (compacted, cleared) == ((1, 1), (1, 1))


def test_after_a_compaction_the_notes_are_given_again(connected: ClaudeCode, shop: Path) -> None:
    began = ("--session-id", SESSION)
    summary = says("A box is being packed.")

    connected.ask("pack", calls("Skill", skill="pack"), project=shop, options=began)
    connected.ask("/compact", summary, summary, project=shop, options=AGAIN)
    connected.ask("go on", project=shop, options=AGAIN)

    assert "A box is being packed." in str(connected.lab.requests[0].body)
    assert len(connected.lab.find(LESSON)) == 1


def test_a_session_that_we_started_ourselves_is_told_nothing(
    connected: ClaudeCode, shop: Path
) -> None:
    ran = connected.ask("pack", calls("Skill", skill="pack"), project=shop, TWICESHY_INSIDE="1")

    assert ran.code == 0
    assert connected.lab.find("Launching skill: pack")
    assert connected.lab.find(LESSON) == []
