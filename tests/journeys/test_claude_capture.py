"""What goes wrong in a session of Claude Code is on record afterwards, in the words it came in."""

from pathlib import Path

import pytest
from tests.journeys.lab.claude_code import ClaudeCode, reject
from tests.journeys.lab.script import calls, says
from tests.requirements import requirement
from tests.store.support import bytes_under, raw

from twiceshy.core.transcript import ResultStep, UserMessage
from twiceshy.runtimes.claude_code.transcript import read_transcript

pytestmark = pytest.mark.journey


@pytest.fixture
def shop(connected: ClaudeCode) -> Path:
    project = connected.lab.project("shop")
    connected.trust(project)
    connected.skill(project, "pack")
    return project


def signals(claude: ClaudeCode) -> list[tuple[str, str, str, str]]:
    """Return tool, skill, target and excerpt of every signal, the oldest first."""
    with raw(claude.lab.memory / "twiceshy.db") as db:
        return db.execute(
            "SELECT tool, skill, target, excerpt FROM signals ORDER BY at"
        ).fetchall()


@requirement("U071", "F07")
def test_a_failing_command_is_on_record_with_its_skill_and_its_words(
    connected: ClaudeCode, shop: Path
) -> None:
    command = "echo packing; echo no tape left >&2; exit 3"

    connected.ask(
        "pack",
        calls("Bash", command="exit 4", description="Look around"),
        calls("Skill", skill="pack"),
        calls("Bash", command=command, description="Pack"),
        calls("Bash", command="echo packed", description="Pack again"),
        project=shop,
    )

    assert signals(connected) == [
        ("Bash", "", "exit 4", "Exit code 4"),
        ("Bash", "pack", command, "Exit code 3\npacking\nno tape left"),
    ]


def test_a_secret_in_an_error_does_not_reach_the_disk(connected: ClaudeCode, shop: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    command = f"echo login with {secret} failed; exit 1"

    connected.ask("log in", calls("Bash", command=command, description="Log in"), project=shop)

    [(_, _, _, excerpt)] = signals(connected)
    files = bytes_under(connected.lab.memory)
    assert "failed" in excerpt
    assert [file for file, content in files.items() if secret.encode() in content] == []


def test_a_failure_hidden_behind_a_pipe_is_on_record(connected: ClaudeCode, shop: Path) -> None:
    command = "cat crate.txt | head -1"

    connected.ask("look", calls("Bash", command=command, description="Look"), project=shop)

    [(tool, _, target, excerpt)] = signals(connected)
    assert (tool, target) == ("Bash", command)
    assert "cat: crate.txt: No such file or directory" in excerpt


def test_a_rejected_call_and_its_reason_are_found_in_the_transcript(
    connected: ClaudeCode, shop: Path
) -> None:
    reason = "Keep the boxes, sweep the floor."

    with connected.terminal(
        calls("Bash", command="rm -rf boxes", description="Clear the room"),
        says("Then I sweep."),
        project=shop,
    ) as terminal:
        terminal.wait_for("? for shortcuts")
        terminal.press("clear the room\r")
        reject(terminal, reason)
        terminal.wait_for("Then I sweep.")
        terminal.press("/exit\r")
        terminal.wait_until(lambda: "rejected" in transcript(connected), "the transcript")

    [file] = connected.transcripts()
    steps = list(read_transcript(str(file)))
    said = [step.text for step in steps if isinstance(step, UserMessage)]
    [result] = [step for step in steps if isinstance(step, ResultStep)]
    assert said == ["clear the room"]
    assert (result.failed, result.refusal, result.reason) == (True, "rejected", reason)


def transcript(claude: ClaudeCode) -> str:
    return "".join(file.read_text() for file in claude.transcripts())
