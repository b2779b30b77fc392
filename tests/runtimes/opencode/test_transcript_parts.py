"""Every part of a message is the step it should be, in the words that all runtimes share."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.runtimes.opencode.database import Database, bash, call, recorded, text

from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    ResultStep,
    SkillStep,
    Step,
    UserMessage,
)
from twiceshy.runtimes.opencode.transcript import read_transcript

NOTE = '<twiceshy-note id="n1">About such calls: it failed.</twiceshy-note>'
BODY = (
    "# pack\n\nDo it.\n\n\nBase directory for this skill: /home/u/shop/.opencode/skills/pack\n"
    "Relative paths in this skill (e.g., scripts/, references/) are relative to this base directory."
    "\n\nthe red box"
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(tmp_path)
    made.session()
    return made


def steps_of(database: Database, *parts: dict[str, Any]) -> list[Step]:
    database.answer(1, *parts, path={"cwd": "/home/u/shop/src"})
    return list(read_transcript(database.place()))


def result_of(database: Database, part: dict[str, Any]) -> ResultStep:
    step = steps_of(database, part)[-1]
    assert isinstance(step, ResultStep)
    return step


def test_a_recorded_session_is_told_in_our_words(tmp_path: Path) -> None:
    database = recorded(tmp_path, "tools")

    steps = list(read_transcript(database.place("ses_00000000000000000000000003")))

    called = [
        (step.tool, json.loads(step.arguments)) for step in steps if isinstance(step, CallStep)
    ]
    failed = [step.text for step in steps if isinstance(step, ResultStep) and step.failed]
    used = [(step.name, step.how) for step in steps if isinstance(step, SkillStep)]
    assert isinstance(steps[0], UserMessage)
    assert isinstance(steps[-1], AgentMessage)
    assert ("Read", {"file_path": "/home/u/shop/boxes.txt"}) in called
    assert ("mcp__scales__weigh", {"box": "red"}) in called
    assert ("lift", {}) in called
    assert ("Skill", {"skill": "unpack"}) in called
    assert "Exit code 3\npacking\nno tape" in failed
    assert "the scales are broken" in failed
    assert used == [("pack", "tool"), ("pack", "read"), ("unpack", "tool")]


def test_a_command_that_fails_reads_as_in_claude_code(database: Database) -> None:
    result = result_of(database, bash("make", "boom\n", 3))

    assert (result.text, result.failed, result.refusal) == ("Exit code 3\nboom", True, "")


@pytest.mark.parametrize(
    ("printed", "code", "told", "failed"),
    [
        ("(no output)", 3, "Exit code 3", True),
        ("(no output)", 0, "", False),
        ("made\n", 0, "made", False),
        (f"boom\n\n\n{NOTE}\n\n{NOTE}", 1, "Exit code 1\nboom", True),
        (f"(no output)\n\n{NOTE}", 1, "Exit code 1", True),
    ],
)
def test_what_a_command_printed_is_told_without_what_we_added(
    database: Database, printed: str, code: int, told: str, failed: bool
) -> None:
    result = result_of(database, bash("make", printed, code))

    assert (result.text.strip(), result.failed) == (told, failed)


def test_a_command_that_was_stopped_has_no_exit_status(database: Database) -> None:
    why = "<shell_metadata>\nUser aborted the command\n</shell_metadata>"

    aborted = result_of(database, bash("sleep 9", f"half\n\n{why}", None))
    late = result_of(database, bash("sleep 9", "half\n\n<shell_metadata>\ntoo long", None))
    forged = result_of(database, bash("cat x", f"half\n\n{why}", 0))

    assert (aborted.refusal, aborted.vouched, aborted.failed) == ("interrupted", True, True)
    assert (late.refusal, late.failed) == ("", True)
    assert (forged.refusal, forged.failed) == ("", False)


@pytest.mark.parametrize(
    ("error", "refusal", "reason"),
    [
        ("File not found: /a.txt", "", ""),
        ("The user rejected permission to use this specific tool call.", "rejected", ""),
        (
            "The user rejected permission to use this specific tool call with the following "
            "feedback: use the blue tape",
            "rejected",
            "use the blue tape",
        ),
        (
            "The user has specified a rule which prevents you from using this specific tool call. "
            "Here are some of the relevant rules []",
            "denied",
            "",
        ),
        ("The edit tool was called with invalid arguments: SchemaError(x).\nAgain", "invalid", ""),
        (NOTE, "denied", ""),
    ],
)
def test_a_call_that_was_refused_says_by_whom(
    database: Database, error: str, refusal: str, reason: str
) -> None:
    result = result_of(database, call("edit", "call_1", {}, "error", error=error))

    assert (result.failed, result.refusal, result.reason) == (True, refusal, reason)
    assert result.vouched is False


def test_a_call_that_the_user_stopped_is_vouched_for_by_the_client(database: Database) -> None:
    metadata = {"interrupted": True}
    part = call("edit", "call_1", {}, "error", error="Tool execution aborted", metadata=metadata)

    result = result_of(database, part)

    assert (result.refusal, result.vouched) == ("interrupted", True)


def test_a_tool_that_is_not_there_was_not_called(database: Database) -> None:
    given = {"tool": "lift", "error": "Model tried to call unavailable tool 'lift'."}

    called, result = steps_of(database, call("invalid", "call_1", given, output="no such tool"))

    assert isinstance(called, CallStep)
    assert called.tool == "lift"
    assert isinstance(result, ResultStep)
    assert (result.failed, result.refusal) == (True, "invalid")


def test_a_skill_is_used_with_its_intent(database: Database) -> None:
    given = {"name": "pack", "intent": "the red box"}

    called, used, result = steps_of(
        database, call("skill", "call_1", given, output=f"Do it.\n\n{NOTE}")
    )

    assert isinstance(called, CallStep)
    assert json.loads(called.arguments) == {"skill": "pack", "args": "the red box"}
    assert isinstance(used, SkillStep)
    assert (used.name, used.arguments, used.how) == ("pack", "the red box", "tool")
    assert isinstance(result, ResultStep)
    assert result.text == "Do it."


def test_a_call_is_made_where_it_was_told_to_run(database: Database) -> None:
    part = bash("make", "made")
    part["state"]["input"]["workdir"] = "/home/u/shop/docs"

    elsewhere = steps_of(database, part)
    here = steps_of(database, bash("make", "made"))

    assert {step.cwd for step in elsewhere} == {"/home/u/shop/docs"}
    assert {step.cwd for step in here} == {"/home/u/shop/src"}


def test_steps_know_when_they_happened(database: Database) -> None:
    called, result = steps_of(database, bash("make", "made"))

    assert (called.at, result.at) == (5, 6)


@pytest.mark.parametrize(
    "more",
    [
        {"synthetic": True},
        {"ignored": True},
        {"metadata": {"twiceshy": "odd"}},
    ],
)
def test_what_nobody_typed_is_nobodys_words(database: Database, more: dict[str, object]) -> None:
    database.said(1, "Continue if you have next steps.", **more)

    assert list(read_transcript(database.place())) == []


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (BODY, {}),
        (
            "Pack it well.",
            {"metadata": {"twiceshy": {"command_name": "pack", "command_args": "the red box"}}},
        ),
    ],
)
def test_a_command_that_was_typed_is_a_skill_and_its_text_nobodys_words(
    database: Database, said: str, more: dict[str, object]
) -> None:
    database.said(1, said, **more)

    (step,) = read_transcript(database.place())

    assert isinstance(step, SkillStep)
    assert (step.name, step.arguments, step.how) == ("pack", "the red box", "slash")


def test_files_thoughts_and_marks_tell_nothing(database: Database) -> None:
    others = ["reasoning", "step-start", "step-finish", "snapshot", "patch", "file", "subtask"]

    steps = steps_of(database, *({"type": kind, "text": "x"} for kind in others), text("Done."))

    assert [type(step) for step in steps] == [AgentMessage]
