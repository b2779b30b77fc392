"""Every recorded payload of the client is the event it should be, or none."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.core.event import (
    CallFailed,
    CallPending,
    CallSucceeded,
    Compacted,
    Compacting,
    Occurrence,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    SkillLoaded,
    SkillRead,
    SubagentEnded,
    SubagentStarted,
    TurnEnded,
)
from twiceshy.runtimes.claude_code.payload import build_reply, parse
from twiceshy.runtimes.quick_look import extract_event_name, may_matter

if TYPE_CHECKING:
    from twiceshy.core.event import Event

PAYLOADS = Path(__file__).parents[2] / "payloads" / "claude_code"
NOW = 1_700_000_000_000
SKILL = "/home/u/proj/.claude/skills/pack/SKILL.md"

# file → the event, and the fields that matter
EXPECTED: dict[str, tuple[type[Occurrence], dict[str, object]] | None] = {
    "permission_request": None,
    "post_compact": (Compacted, {}),
    "post_tool_batch": None,
    "post_tool_batch_edit_refused": None,
    "post_tool_batch_not_permitted": None,
    "post_tool_batch_rejected": None,
    "post_tool_batch_unknown_skill": None,
    "post_tool_use_bash": (
        CallSucceeded,
        {"tool": "Bash", "output": "three boxes\none is open", "agent": ""},
    ),
    "post_tool_use_bash_hidden_failure": (CallSucceeded, {"tool": "Bash"}),
    "post_tool_use_bash_in_background": (CallSucceeded, {"output": ""}),
    "post_tool_use_bash_moved_to_background": (CallSucceeded, {"tool": "Bash"}),
    "post_tool_use_bash_without_a_match": (CallSucceeded, {"output": ""}),
    "post_tool_use_edit": (CallSucceeded, {"tool": "Edit", "target": "/home/u/proj/boxes.txt"}),
    "post_tool_use_failure_bash": (CallFailed, {"tool": "Bash", "interrupted": False}),
    "post_tool_use_failure_in_a_subagent": (CallFailed, {"agent": "a0000000000000003"}),
    "post_tool_use_failure_mcp": (
        CallFailed,
        {
            "tool": "mcp__scales__weigh",
            "target": '{"box":"red"}',
            "error": "the scales are broken",
        },
    ),
    "post_tool_use_failure_read": (CallFailed, {"tool": "Read"}),
    "post_tool_use_failure_timeout": (CallFailed, {"interrupted": False}),
    "post_tool_use_read_a_part": (CallSucceeded, {"tool": "Read"}),
    "post_tool_use_read_a_skill": (SkillRead, {"path": SKILL}),
    "post_tool_use_skill": (SkillLoaded, {"skill": "pack", "arguments": "three boxes"}),
    "post_tool_use_skill_by_its_short_name": (SkillLoaded, {"skill": "wrap", "arguments": ""}),
    "post_tool_use_skill_in_a_subagent": (
        SkillLoaded,
        {"skill": "pack", "agent": "a0000000000000003"},
    ),
    "post_tool_use_skill_of_a_plugin": (SkillLoaded, {"skill": "kit:wrap"}),
    "pre_compact": (Compacting, {"automatic": False}),
    "pre_tool_use_bash": (CallPending, {"tool": "Bash"}),
    "pre_tool_use_edit": (CallPending, {"tool": "Edit", "target": "/home/u/proj/boxes.txt"}),
    "pre_tool_use_mcp": (CallPending, {"tool": "mcp__scales__weigh"}),
    "pre_tool_use_skill": (CallPending, {"tool": "Skill", "target": "pack"}),
    "session_end": (SessionEnded, {"reason": "other"}),
    "session_end_at_a_terminal": (SessionEnded, {"reason": "prompt_input_exit"}),
    "session_end_clear": (SessionEnded, {"reason": "clear"}),
    "session_start_at_a_terminal": (SessionStarted, {"how": "startup"}),
    "session_start_clear": (SessionStarted, {"how": "clear"}),
    "session_start_compact": (SessionStarted, {"how": "compact"}),
    "session_start_fork": (SessionStarted, {"how": "resume"}),
    "session_start_resume": (SessionStarted, {"how": "resume"}),
    "session_start_startup": (SessionStarted, {"how": "startup"}),
    "stop": (TurnEnded, {}),
    "subagent_start": (SubagentStarted, {"agent": "a0000000000000003"}),
    "subagent_stop": (SubagentEnded, {"agent": "a0000000000000003"}),
    "subagent_stop_of_compaction": None,
    "user_prompt_expansion": (SkillLoaded, {"skill": "pack"}),
    "user_prompt_expansion_of_a_plugin": (
        SkillLoaded,
        {"skill": "kit:wrap", "arguments": "a box"},
    ),
    "user_prompt_submit": (PromptGiven, {}),
    "user_prompt_submit_of_a_machine": None,
    "user_prompt_submit_slash": (PromptGiven, {}),
}


def parsed(raw: bytes, *, project_dir: str = "") -> "Event | None":
    environ = {"CLAUDE_PROJECT_DIR": project_dir} if project_dir else {}
    return parse(raw, environ=environ, now=NOW)[1]


def payload(name: str) -> dict[str, object]:
    found = json.loads((PAYLOADS / f"{name}.json").read_text())
    assert isinstance(found, dict)
    return found


def test_every_recorded_payload_is_expected_to_be_something() -> None:
    recorded = {path.stem for path in PAYLOADS.glob("*.json")} - {"moments"}  # an index of them
    assert recorded == set(EXPECTED)


@requirement("U001", "A01")
@pytest.mark.parametrize("name", EXPECTED)
def test_a_payload_is_the_event_that_it_should_be(name: str) -> None:
    given = payload(name)

    event = parsed(json.dumps(given).encode())

    if EXPECTED[name] is None:
        assert event is None
        return
    kind, fields = EXPECTED[name] or (Occurrence, {})
    assert type(event) is kind
    assert event.fields() | fields == event.fields()
    assert (event.session, event.cwd, event.at) == (given["session_id"], given["cwd"], NOW)
    assert event.transcript == given["transcript_path"]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_not_worth_a_look_has_nothing_to_say_and_nothing_to_keep(name: str) -> None:
    given = payload(name)
    raw = json.dumps(given, separators=(",", ":"), ensure_ascii=False).encode()

    ignored = not may_matter(raw)

    assert extract_event_name(raw) == given["hook_event_name"]
    if ignored:
        quiet = CallPending | CallSucceeded | Compacting | TurnEnded | SubagentEnded | SessionEnded
        assert EXPECTED[name] is None or isinstance(parsed(raw), quiet)


def test_the_client_tells_where_it_was_started() -> None:
    raw = json.dumps(payload("post_tool_use_skill") | {"cwd": "/home/u/proj/deep"}).encode()

    event = parsed(raw, project_dir="/home/u/proj")

    assert event
    assert event.cwd == "/home/u/proj"


@pytest.mark.parametrize("name", ["/pack", " pack "])
def test_a_skill_may_be_called_with_a_slash(name: str) -> None:
    given = payload("post_tool_use_skill") | {
        "tool_input": {"skill": name},
        "tool_response": "Launching skill",
    }

    event = parsed(json.dumps(given).encode())

    assert isinstance(event, SkillLoaded)
    assert event.skill == "pack"


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>\n<task-id>b1</task-id>",
        "<system-reminder>x</system-reminder>",
        "<local-command-stdout>x",
        "[Request interrupted by user]",
        "This session is being continued from a previous conversation",
        "Caveat: The messages below",
        "   ",
    ],
)
@requirement("U095")
def test_what_no_person_wrote_is_no_prompt(prompt: str) -> None:
    given = payload("user_prompt_submit") | {"prompt": prompt}

    assert parsed(json.dumps(given).encode()) is None


def test_a_person_may_write_about_tags() -> None:
    given = payload("user_prompt_submit") | {"prompt": "what does <system-reminder> mean?"}

    assert isinstance(parsed(json.dumps(given).encode()), PromptGiven)


@given(
    st.sampled_from(sorted(EXPECTED)),
    st.dictionaries(
        st.sampled_from(
            "session_id cwd transcript_path tool_name tool_input tool_response prompt error"
            " source agent_id agent_type compact_summary command_name tool_use_id".split()
        ),
        st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3)),
        max_size=4,
    ),
)
def test_fields_of_the_wrong_type_are_as_good_as_missing(
    name: str, wrong: dict[str, object]
) -> None:
    event = parsed(json.dumps(payload(name) | wrong).encode())

    for value in event.fields().values() if event else ():
        assert isinstance(value, str | int | bool | dict | tuple)


@given(st.text())
def test_an_answer_is_one_json_object_whatever_it_says(text: str) -> None:
    printed = build_reply("PostToolUse", text)

    assert json.loads(printed) == {
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": text}
    }
    assert "\n" not in printed
