"""What the records of Claude Code tell, and what in them nobody said."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import (
    SESSION,
    SHOP,
    a_file,
    a_record,
    a_return,
    a_text,
    a_use,
    by_agent,
    by_user,
)

from twiceshy.core.moment import parse_day
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    InterruptStep,
    ResultStep,
    SkillStep,
    Step,
    SummaryStep,
    UserMessage,
    pair_attempts,
)
from twiceshy.runtimes.claude_code.transcript import list_session_parts, read_transcript


@pytest.fixture
def steps() -> list[Step]:
    """Everything that our sample session tells, without the agent it started."""
    return list(read_transcript(str(SHOP / f"{SESSION}.jsonl")))


def told(tmp_path: Path, *records: object) -> list[Step]:
    return list(read_transcript(a_file(tmp_path / "s.jsonl", *records)))


def said(tmp_path: Path, *records: object) -> list[str]:
    return [step.text for step in told(tmp_path, *records) if isinstance(step, UserMessage)]


@requirement("U095")
def test_only_the_users_own_words_are_the_users(steps: list[Step]) -> None:
    assert [step.text for step in steps if isinstance(step, UserMessage)] == [
        "pack the boxes",
        "The user manual says to fold along the line",
        "and use the small tape",
        "now ship them",
    ]


def test_only_the_agents_own_words_are_the_agents(steps: list[Step]) -> None:
    assert [step.text for step in steps if isinstance(step, AgentMessage)] == [
        "I will use the packing skill.",
        "Now the boxes.",
        "Shipped.",
    ]


@requirement("U073")
def test_tools_skills_texts_and_results_are_told_each_result_with_its_call(
    steps: list[Step],
) -> None:
    paired = [(one.call.tool, one.result) for one in pair_attempts(steps)]

    assert {type(step) for step in steps} >= {
        CallStep,
        SkillStep,
        UserMessage,
        AgentMessage,
        ResultStep,
    }
    assert [(tool, result.text if result else None) for tool, result in paired] == [
        ("Skill", "Launching skill: packing"),
        ("Read", "# Packing\n\nRun make pack."),
        ("Bash", "Exit code 2\nmake: *** [Makefile:4: pack] Error 1"),
        ("Bash", "Sibling tool call errored"),
        ("Edit", "File has not been read yet. Read it first before writing to it."),
        ("Bash", steps_rejection(steps).text),
        ("Bash", "folded"),
    ]


def steps_rejection(steps: list[Step]) -> ResultStep:
    (rejection,) = [s for s in steps if isinstance(s, ResultStep) and s.refusal == "rejected"]
    return rejection


def test_why_a_call_did_not_run_to_its_end_is_told(steps: list[Step]) -> None:
    results = [step for step in steps if isinstance(step, ResultStep)]

    assert [(step.failed, step.refusal) for step in results] == [
        (False, ""),
        (False, ""),
        (True, ""),
        (True, "cancelled"),
        (True, "invalid"),
        (True, "rejected"),
        (False, ""),
    ]
    assert steps_rejection(steps).reason == "never delete boxes, fold them"


def test_a_skill_in_use_is_told_however_it_came_to_be_used(steps: list[Step]) -> None:
    used = [step for step in steps if isinstance(step, SkillStep)]

    assert [(step.name, step.arguments, step.how) for step in used] == [
        ("packing", "ten boxes", "tool"),
        ("packing", "", "read"),
        ("ship", "by train", "slash"),
    ]


def test_a_call_names_the_skill_that_was_at_work(steps: list[Step]) -> None:
    calls = [step for step in steps if isinstance(step, CallStep)]

    assert [(step.tool, step.skill) for step in calls][:3] == [
        ("Skill", ""),
        ("Read", "packing"),
        ("Bash", "packing"),
    ]


def test_a_compaction_is_a_summary_not_a_prompt(steps: list[Step]) -> None:
    (compacted,) = [step for step in steps if isinstance(step, SummaryStep)]

    assert (compacted.summary, compacted.automatic) == ("Ten boxes were folded.", True)


def test_an_interruption_is_told(steps: list[Step]) -> None:
    assert len([step for step in steps if isinstance(step, InterruptStep)]) == 1


def test_every_step_knows_its_session_its_place_and_its_moment(steps: list[Step]) -> None:
    assert {(step.session, step.cwd, step.agent) for step in steps} == {
        (SESSION, "/home/u/shop", "")
    }
    assert steps[0].at == parse_day("2026-11-02") + (9 * 3600 + 30 * 60 + 2) * 1000 + 125
    assert [step.at for step in steps] == sorted(step.at for step in steps)


def test_an_agent_that_the_session_started_is_marked_and_nobody_speaks_to_it_as_the_user() -> None:
    _, part = list_session_parts(str(SHOP / f"{SESSION}.jsonl"))

    steps = list(read_transcript(part))

    assert [type(step).__name__ for step in steps] == ["CallStep", "ResultStep", "AgentMessage"]
    assert {(step.agent, step.session) for step in steps} == {("a1", SESSION)}


def test_older_files_hold_the_started_agent_themselves(tmp_path: Path) -> None:
    steps = told(
        tmp_path,
        by_user("u1", "count the boxes", isSidechain=True),
        by_agent("u2", a_use("toolu_1", "Bash", command="ls"), isSidechain=True),
    )

    assert [(type(step).__name__, step.agent) for step in steps] == [("CallStep", "sidechain")]


MACHINES = [
    "<system-reminder>Think.</system-reminder>",
    "<local-command-stdout>ok</local-command-stdout>",
    "<local-command-caveat>x</local-command-caveat>",
    "<command-name>/clear</command-name>\n<command-message>clear</command-message>",
    "<bash-input>ls</bash-input>",
    "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
    "<task-notification>\n<status>done</status>\n</task-notification>",
    "<ide_selection>The user selected line 3</ide_selection>",
    '<skill-memory skill="release" mode="full" count="1" pinned="0">\n- [n1 fix] x\n</skill-memory>',
    '<project-memory mode="flat" count="1" pinned="0">\n- [n1 rule] x\n</project-memory>',
    '<twiceshy-note id="n1">About such calls: x</twiceshy-note>',
    "<system-reminder>cut in the midd",
]


@pytest.mark.parametrize("text", MACHINES)
def test_what_stands_between_tags_of_machines_is_nobodys_words(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, by_user("u1", text)) == []
    assert said(tmp_path, by_user("u1", [a_text(text)])) == []


@pytest.mark.parametrize("text", [text for text in MACHINES if text.endswith(">")])
def test_words_beside_tags_of_machines_are_kept(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, by_user("u1", f"{text}\nfold the lids")) == ["fold the lids"]
    assert said(tmp_path, by_user("u1", f"fold the lids\n\n{text}")) == ["fold the lids"]
    assert said(tmp_path, by_user("u1", [a_text(text), a_text("fold")])) == ["fold"]


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want this in the manual",
        "why do I see <system-reminder> in the middle?",
        "<b>bold</b> please",
        "in the list\n<li>\nis missing",
        "look at this:\n<system-reminder>\nwhere does it come from?",
        "the tag <system-reminder>x</system-reminder> is odd",
        "no, <command-name> is the tag",
        "Caveat: do not stack them",
        "[x] done, now ship",
        "不要删除盒子",
    ],
)
def test_words_that_only_look_like_a_machines_are_kept(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, by_user("u1", text)) == [text]


@pytest.mark.parametrize(
    "fields",
    [
        {"isMeta": True},
        {"isSidechain": True},
        {"origin": {"kind": "task-notification"}},
        {"promptSource": "system"},
    ],
)
def test_a_prompt_that_no_person_gave_is_not_the_users(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    assert said(tmp_path, by_user("u1", "pack", **fields)) == []


def test_a_plan_that_the_user_agreed_to_is_theirs_by_its_title_only(tmp_path: Path) -> None:
    plan = "Implement the following plan:\n\n# Plan: fold boxes\n\nNever stack them."

    assert said(tmp_path, by_user("u1", plan)) == [
        "Implement the following plan: # Plan: fold boxes"
    ]


@pytest.mark.parametrize(
    ("attachment", "expected"),
    [
        (
            {"type": "queued_command", "prompt": "stop, fold", "commandMode": "prompt"},
            ["stop, fold"],
        ),
        ({"type": "queued_command", "prompt": [a_text("stop, fold")]}, ["stop, fold"]),
        ({"type": "queued_command", "prompt": "x", "commandMode": "task-notification"}, []),
        ({"type": "queued_command", "prompt": "<task-notification>x</task-notification>"}, []),
        ({"type": "queued_command", "prompt": "x", "origin": {"kind": "coordinator"}}, []),
        ({"type": "hook_additional_context", "content": ["fold"], "prompt": "fold"}, []),
        (None, []),
    ],
)
def test_what_the_user_typed_while_the_agent_worked_is_theirs(
    tmp_path: Path, attachment: object, expected: list[str]
) -> None:
    assert (
        said(tmp_path, a_record("attachment", "u1", attachment=attachment, message="")) == expected
    )


@pytest.mark.parametrize(
    ("text", "fields", "refusal", "reason"),
    [
        ("The user doesn't want to proceed with this tool use. STOP.", {}, "rejected", ""),
        ("The user doesn't want to take this action right now.", {}, "rejected", ""),
        ("The agent proposed a plan that was rejected by the user.", {}, "rejected", ""),
        (
            "The user doesn't want to proceed with this tool use. To tell you how to proceed, "
            "the user said:\nuse tape\nnot glue\n\nNote: The user's next message may be a correction.",
            {},
            "rejected",
            "use tape\nnot glue",
        ),
        ("no", {"toolDenialKind": "user-rejected"}, "rejected", ""),
        ("no", {"toolDenialKind": "rule"}, "denied", ""),
        ("[Request interrupted by user for tool use]", {}, "interrupted", ""),
        ("Exit code 137\n[Request interrupted by user]\nhalf", {}, "interrupted", ""),
        ("killed", {"toolUseResult": {"interrupted": True}}, "interrupted", ""),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", {}, "cancelled", ""),
        (
            "<tool_use_error>Cancelled: parallel tool call Bash</tool_use_error>",
            {},
            "cancelled",
            "",
        ),
        ("<tool_use_error>Unknown skill: ship</tool_use_error>", {}, "invalid", ""),
        ("Permission to use Bash with command rm has been denied.", {}, "denied", ""),
        ("Exit code 1\nthe user said: no", {}, "", ""),
        ("Exit code 1", {"toolUseResult": "Error: Exit code 1"}, "", ""),
    ],
)
def test_the_class_of_a_refusal_is_known_by_its_text(
    tmp_path: Path, text: str, fields: dict[str, object], refusal: str, reason: str
) -> None:
    record = by_user("u1", [a_return("toolu_1", text, is_error=True)], **fields)

    (result,) = told(tmp_path, record)

    assert isinstance(result, ResultStep)
    assert (result.failed, result.refusal, result.reason) == (True, refusal, reason)


def test_what_a_successful_command_printed_is_never_a_refusal(tmp_path: Path) -> None:
    text = "The user doesn't want to proceed with this tool use. It says so in the manual."

    (result,) = told(tmp_path, by_user("u1", [a_return("toolu_1", text)]))

    assert isinstance(result, ResultStep)
    assert (result.failed, result.refusal, result.text) == (False, "", text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("done", "done"),
        ([a_text("one"), a_text("two")], "one\ntwo"),
        ([{"type": "image", "source": {}}], ""),
        ([], ""),
        (None, ""),
        ("ok\n\n<system-reminder>\nhook context: fold\n</system-reminder>", "ok"),
        ('ok\n<twiceshy-note id="n1">fold</twiceshy-note>', "ok"),
    ],
)
def test_a_result_comes_as_text_whatever_its_shape(
    tmp_path: Path, content: object, text: str
) -> None:
    use = by_agent("u1", a_use("toolu_1", "Bash", command="make"))

    (attempt,) = pair_attempts(told(tmp_path, use, by_user("u2", [a_return("toolu_1", content)])))

    assert attempt.result is not None
    assert attempt.result.text == text


def test_every_block_of_a_record_is_a_step_of_its_own(tmp_path: Path) -> None:
    assert said(tmp_path, by_user("u1", [a_text("pack"), a_text("ship")])) == ["pack", "ship"]


def test_the_arguments_of_a_call_are_json(tmp_path: Path) -> None:
    use = by_agent("u1", a_use("toolu_1", "Bash", command="make 盒子"))

    (call,) = told(tmp_path, use)

    assert isinstance(call, CallStep)
    assert call.arguments == '{"command":"make 盒子"}'


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("type text content id name input tool_use_id is_error".split()),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.sampled_from(
            "type message uuid sessionId cwd timestamp attachment origin toolUseResult subtype"
            " compactMetadata isMeta isSidechain agentId attributionSkill isCompactSummary".split()
        ),
        json_values | st.sampled_from(["user", "assistant", "attachment", "system"]),
    )
)
def test_a_record_of_any_shape_is_steps_or_nothing(
    tmp_path: Path, record: dict[str, object]
) -> None:
    reading = read_transcript(a_file(tmp_path / "any.jsonl", {"message": None} | record))

    assert all(isinstance(step, Step) for step in reading)
    assert reading.unusable == 0
