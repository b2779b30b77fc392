"""Every record of a rollout is the steps it should be, whichever version or model wrote it."""

import json
from pathlib import Path

import pytest
from tests.runtimes.codex.rollout_lines import (
    AGENT,
    NAME,
    SESSION,
    TRANSCRIPTS,
    a_beginning,
    a_call,
    a_file,
    a_record,
    an_agents_beginning,
    an_end,
    an_item,
    an_output,
    answered,
    said,
)

from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    InterruptStep,
    ResultStep,
    SkillStep,
    Step,
    SummaryStep,
    UserMessage,
)
from twiceshy.runtimes.codex.transcript import read_transcript


def steps(path: Path, *records: object) -> list[Step]:
    return list(read_transcript(a_file(path / NAME, a_beginning(), *records)))


def the_result(path: Path, *records: object) -> ResultStep:
    (result,) = [step for step in steps(path, *records) if isinstance(step, ResultStep)]
    return result


def the_call(path: Path, *records: object) -> tuple[str, object]:
    (call,) = [step for step in steps(path, *records) if isinstance(step, CallStep)]
    return call.tool, json.loads(call.arguments)


# --- what was recorded


def recorded(number: str) -> list[Step]:
    (path,) = TRANSCRIPTS.glob(f"*/*/*/*-{number}.jsonl")
    return list(read_transcript(str(path)))


def test_a_session_is_told_in_our_words() -> None:
    told = recorded("000000000001")

    assert [type(step).__name__ for step in told[:4]] == [
        "UserMessage",
        "CallStep",
        "SkillStep",
        "ResultStep",
    ]
    assert {step.session for step in told} == {"00000000-0000-4000-8000-000000000001"}
    assert {step.cwd for step in told} == {"/home/u/shop"}
    assert [step.text for step in told if isinstance(step, UserMessage)] == ["pack the boxes"]
    assert [step.text for step in told if isinstance(step, AgentMessage)] == ["All done."]
    calls = [step for step in told if isinstance(step, CallStep)]
    assert [call.tool for call in calls] == [
        *("Bash", "Bash", "Bash", "Edit", "Edit"),
        *("mcp__scales__weigh", "mcp__scales__count", "lift"),
    ]
    results = {step.id: step for step in told if isinstance(step, ResultStep)}
    assert {call.id for call in calls} == results.keys()
    ends = [(results[call.id].failed, results[call.id].refusal) for call in calls]
    assert ends == [
        *((False, ""), (False, ""), (True, ""), (False, ""), (True, "invalid")),
        *((True, ""), (False, ""), (True, "invalid")),
    ]
    assert results[calls[2].id].text == "Exit code 3\npacking\nno tape"
    assert results[calls[5].id].text == "the scales are broken"


def test_the_calls_of_a_program_are_told_and_the_program_is_not() -> None:
    told = recorded("000000001001")

    calls = [step for step in told if isinstance(step, CallStep)]
    assert [(call.tool, json.loads(call.arguments)) for call in calls] == [
        ("Bash", {"command": "cat .agents/skills/pack/SKILL.md"}),
        ("Bash", {"command": "echo packing; echo no tape >&2; exit 3"}),
        (
            "Edit",
            {
                "file_path": "/home/u/shop/boxes.txt",
                "old_string": "red\ngreen\nblue",
                "new_string": "red\ngold\nblue",
            },
        ),
        ("Bash", {"command": "echo sealed"}),
    ]
    assert [step.id for step in told if isinstance(step, ResultStep)] == [
        call.id for call in calls
    ]


def test_a_mention_uses_a_skill_and_its_text_is_nobodys() -> None:
    told = recorded("000000002001")

    assert [step.name for step in told if isinstance(step, SkillStep)] == ["pack"]
    assert [step.text for step in told if isinstance(step, UserMessage)] == [
        "please $pack two small boxes",
        "and now the big one",
    ]


def test_what_is_written_for_a_compaction_is_its_summary_and_nothing_said() -> None:
    told = recorded("000000003001")

    (summary,) = [step for step in told if isinstance(step, SummaryStep)]
    assert summary.summary.endswith("<summary>An aside.</summary>")
    assert [step.text for step in told if isinstance(step, AgentMessage)] == ["All done."]


def test_an_agent_tells_only_what_it_did_itself() -> None:
    told = recorded("000000004003")

    assert {step.agent for step in told} == {"00000000-0000-4000-8000-000000004003"}
    assert {step.session for step in told} == {"00000000-0000-4000-8000-000000004001"}
    assert [type(step).__name__ for step in told] == ["CallStep", "ResultStep", "AgentMessage"]


# --- calls and what came of them


@pytest.mark.parametrize(
    ("name", "given_"),
    [
        ("exec_command", {"cmd": "make lids"}),
        ("shell", {"command": ["bash", "-lc", "make lids"]}),
        ("shell", {"command": ["make", "lids"]}),
        ("shell_command", {"command": "make lids", "workdir": "/home/u/shop"}),
    ],
)
def test_a_shell_is_a_shell_by_any_name(
    tmp_path: Path, name: str, given_: dict[str, object]
) -> None:
    assert the_call(tmp_path, a_call("c1", name, **given_)) == ("Bash", {"command": "make lids"})


def test_other_tools_have_the_names_of_ours(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a.txt\n-one\n+two\n*** End Patch\n"
    custom = a_record(
        "response_item", type="custom_tool_call", call_id="c1", name="apply_patch", input=patch
    )
    foreign = a_call("c1", "weigh", box="red")
    assert isinstance(foreign["payload"], dict)
    foreign["payload"]["namespace"] = "mcp__scales"

    edit = {"file_path": "/home/u/shop/a.txt", "old_string": "one", "new_string": "two"}
    assert the_call(tmp_path, custom) == ("Edit", edit)
    assert the_call(tmp_path, a_call("c1", "apply_patch", input=patch)) == ("Edit", edit)
    assert the_call(tmp_path, foreign) == ("mcp__scales__weigh", {"box": "red"})
    assert the_call(tmp_path, a_call("c1", "view_image", path="/a.png")) == (
        "Read",
        {"file_path": "/a.png"},
    )
    assert the_call(tmp_path, a_call("c1", "update_plan", plan=[])) == ("TodoWrite", {"plan": []})


def test_waiting_for_a_command_is_no_call(tmp_path: Path) -> None:
    waits = [a_call("c1", "write_stdin", session_id=1), a_call("c2", "exec", x=1)]

    assert steps(tmp_path, *waits) == []


def test_a_result_is_told_once_by_whoever_is_first(tmp_path: Path) -> None:
    output = "Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 3\nOutput:\nno tape\n"
    call = a_call("c1", "exec_command", cmd="make")

    result = the_result(tmp_path, call, an_end("c1", 3, "no tape\n"), an_output("c1", output))

    assert (result.text, result.failed) == ("Exit code 3\nno tape", True)


@pytest.mark.parametrize(
    ("output", "text", "failed", "refusal"),
    [
        ("Chunk ID: 1\nProcess exited with code 0\nOutput:\ntaped\n", "taped", False, ""),
        ("Wall time: 1 s\nProcess exited with code 2\nOutput:\nno\n", "Exit code 2\nno", True, ""),
        ("Exit code: 1\nWall time: 1 s\nOutput:\nno lid\n", "Exit code 1\nno lid", True, ""),
        ('{"output":"no","metadata":{"exit_code":4}}', "Exit code 4\nno", True, ""),
        ('{"agent_id":"a"}', '{"agent_id":"a"}', False, ""),
        ("{no JSON", "{no JSON", False, ""),
        ("Plan updated", "Plan updated", False, ""),
        ("It said:\nOutput:\nthree\n", "It said:\nOutput:\nthree", False, ""),
        ("Wall time: 2.5 seconds\naborted by user", "aborted by user", True, "interrupted"),
        ("unsupported call: lift", "unsupported call: lift", True, "invalid"),
        ("apply_patch verification failed: no such file", "no such file", True, "invalid"),
        (
            "Command blocked by PreToolUse hook: no",
            "Command blocked by PreToolUse hook: no",
            True,
            "denied",
        ),
        ("exec command rejected by user", "exec command rejected by user", True, "rejected"),
        ("exec_command failed: no shell", "exec_command failed: no shell", True, ""),
    ],
)
def test_what_the_model_was_sent_tells_how_a_call_ended(
    tmp_path: Path, output: str, text: str, failed: bool, refusal: str
) -> None:
    result = the_result(tmp_path, an_output("c1", output))

    assert (result.text, result.failed, result.refusal) == (text, failed, refusal)


def test_a_command_that_goes_on_has_no_result_until_it_ends(tmp_path: Path) -> None:
    runs = "Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"
    call = a_call("c1", "exec_command", cmd="make")

    assert [step.key for step in steps(tmp_path, call, an_output("c1", runs))] == ["CallStep:c1"]
    assert the_result(tmp_path, call, an_output("c1", runs), an_end("c1", 2)).failed


def test_what_was_killed_with_the_session_is_no_mistake(tmp_path: Path) -> None:
    result = the_result(tmp_path, an_end("c1", -1))

    assert (result.failed, result.refusal) == (True, "cancelled")


def test_what_the_client_says_was_declined_the_user_declined(tmp_path: Path) -> None:
    ran = an_item("CommandExecution", "c1", status="declined", exit_code=None)
    changed = an_item("FileChange", "c1", status="declined", changes={})

    for item in (ran, changed):
        result = the_result(tmp_path, item)
        assert (result.failed, result.refusal, result.vouched) == (True, "rejected", True)


def test_what_the_user_ran_is_not_the_agents(tmp_path: Path) -> None:
    assert steps(tmp_path, an_end("c1", 3, source="user_shell")) == []


def test_a_call_is_made_where_it_says(tmp_path: Path) -> None:
    (call,) = steps(tmp_path, a_call("c1", "exec_command", cmd="make", workdir="lids"))
    (ended,) = steps(tmp_path, an_end("c1", 0, cwd="file:///home/u/my%20shop"))

    assert call.cwd == "/home/u/shop/lids"
    assert ended.cwd == "/home/u/my shop"


# --- who said what


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("pack", ["pack"]),
        (
            "# Context from my IDE setup:\n\n## Active file: a\n\n## My request for Codex:\npack",
            ["pack"],
        ),
        ("<environment_context>x</environment_context>", []),
        ("# AGENTS.md instructions for /x\n\nBe kind", []),
        ("<turn_aborted>\nx</turn_aborted>", []),
        ("what is <environment_context>?", ["what is <environment_context>?"]),
        ("  ", []),
    ],
)
def test_only_what_the_user_said_is_said(tmp_path: Path, text: str, own: list[str]) -> None:
    older = a_record("event_msg", type="user_message", message=text)

    for record in (said("u1", text), older):
        told = [step.text for step in steps(tmp_path, record) if isinstance(step, UserMessage)]
        assert told == own


def test_items_in_the_users_name_are_not_said(tmp_path: Path) -> None:
    item = a_record(
        "response_item",
        type="message",
        role="user",
        content=[{"type": "input_text", "text": "go"}],
    )

    assert steps(tmp_path, item) == []


def test_a_user_who_writes_like_a_skill_uses_none(tmp_path: Path) -> None:
    text = "<skill>\n<name>pack</name>\n</skill>"
    kinds = {"content_item_kinds": ["user.text"]}
    item = a_record(
        "response_item",
        type="message",
        role="user",
        content=[{"type": "input_text", "text": text}],
        internal_chat_message_metadata_passthrough=kinds,
    )

    assert steps(tmp_path, item) == []


def test_an_interruption_is_one_if_the_user_made_it(tmp_path: Path) -> None:
    stopped = a_record("event_msg", type="turn_aborted", reason="interrupted", turn_id="t1")
    replaced = a_record("event_msg", type="turn_aborted", reason="replaced", turn_id="t2")

    (step,) = steps(tmp_path, stopped, replaced)
    of_agent = read_transcript(
        a_file(tmp_path / "rollout-a.jsonl", an_agents_beginning(), stopped)
    )

    assert isinstance(step, InterruptStep)
    assert list(of_agent) == []


def test_what_an_agent_is_told_nobody_said(tmp_path: Path) -> None:
    path = a_file(
        tmp_path / "a.jsonl", an_agents_beginning(), said("u1", "go"), answered("m1", "ok")
    )

    (step,) = read_transcript(path)

    assert isinstance(step, AgentMessage)
    assert (step.agent, step.session) == (AGENT, SESSION)


def test_a_copied_past_is_left_to_the_session_it_is_from(tmp_path: Path) -> None:
    past = [a_call("c1", "exec_command", cmd="make"), an_end("c1", 2)]
    begins = a_record("event_msg", type="thread_settings_applied", thread_id=AGENT)
    own = [a_call("c2", "exec_command", cmd="make lids"), an_end("c2", 0, thread=AGENT)]
    first = an_agents_beginning(forked_from_id=SESSION)
    path = tmp_path / "rollout-a.jsonl"

    whole = read_transcript(a_file(path, first, a_beginning(), *past, begins, *own))
    told = [step.key for step in whole]
    early = read_transcript(a_file(path, first, a_beginning(), *past))
    nothing = list(early)
    later = read_transcript(
        a_file(path, first, a_beginning(), *past, begins, *own), after=early.position
    )

    assert told == ["CallStep:c2", "ResultStep:c2"]
    assert nothing == []
    assert [step.key for step in later] == told


def test_a_fork_that_only_names_its_past_is_read_from_the_beginning(tmp_path: Path) -> None:
    first = a_beginning(forked_from_id="other", forked_from_ordinal_exclusive=19)

    path = a_file(tmp_path / NAME, first, a_call("c1", "exec_command", cmd="make"))

    assert len(list(read_transcript(path))) == 1
