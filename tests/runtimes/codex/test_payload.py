"""Every recorded payload of the client is the event it should be, or none."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.codex.rollout_lines import TRANSCRIPTS, a_file, a_record, an_end

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
    SubagentEnded,
    SubagentStarted,
    TurnEnded,
)
from twiceshy.runtimes.codex.payload import build_reply, parse
from twiceshy.runtimes.quick_look import (
    extract_event_name,
    extract_session,
    is_turn_end,
    may_matter,
)

if TYPE_CHECKING:
    from twiceshy.core.event import Event

PAYLOADS = TRANSCRIPTS.parent
NOW = 1_700_000_000_000
HOME = "/home/u/.codex/sessions"
SKILL = "/home/u/shop/.agents/skills/pack/SKILL.md"
BOXES = {"file_path": "/home/u/shop/boxes.txt", "old_string": "green", "new_string": "gold"}
FAILED = {"tool": "Bash", "error": "Exit code 3\npacking\nno tape\n", "interrupted": False}

# file → the event, and the fields that matter
EXPECTED: dict[str, tuple[type[Occurrence], dict[str, object]]] = {
    "post_compact": (Compacted, {}),
    "post_tool_use_apply_patch": (CallSucceeded, {"tool": "Edit", "arguments": BOXES}),
    "post_tool_use_apply_patch_in_a_program": (CallSucceeded, {"tool": "Edit"}),
    "post_tool_use_bash": (
        CallSucceeded,
        {"tool": "Bash", "output": "three boxes\none is open\n", "agent": ""},
    ),
    "post_tool_use_bash_failed": (CallFailed, FAILED),
    "post_tool_use_bash_failed_in_a_program": (CallFailed, FAILED),
    "post_tool_use_bash_failed_in_a_subagent": (
        CallFailed,
        {"agent": "00000000-0000-4000-8000-000000004003", "error": "Exit code 4\ntoo heavy\n"},
    ),
    "post_tool_use_mcp": (CallSucceeded, {"tool": "mcp__scales__count"}),
    "post_tool_use_read_a_skill": (SkillLoaded, {"path": SKILL, "skill": ""}),
    "post_tool_use_read_a_skill_in_a_program": (SkillLoaded, {"path": SKILL}),
    "pre_compact": (Compacting, {"automatic": True}),
    "pre_tool_use_apply_patch": (
        CallPending,
        {"tool": "Edit", "target": "/home/u/shop/boxes.txt", "arguments": BOXES},
    ),
    "pre_tool_use_apply_patch_that_will_fail": (CallPending, {"tool": "Edit"}),
    "pre_tool_use_bash": (CallPending, {"tool": "Bash", "place": "/home/u/shop"}),
    "pre_tool_use_bash_in_a_program": (CallPending, {"tool": "Bash"}),
    "pre_tool_use_bash_that_will_fail": (CallPending, {"tool": "Bash"}),
    "pre_tool_use_mcp_that_will_fail": (CallPending, {"tool": "mcp__scales__weigh"}),
    "session_end": (SessionEnded, {"reason": "other"}),
    "session_start_compact": (SessionStarted, {"how": "compact"}),
    "session_start_resume": (SessionStarted, {"how": "resume"}),
    "session_start_startup": (SessionStarted, {"how": "startup"}),
    "stop": (TurnEnded, {}),
    "subagent_start": (SubagentStarted, {"agent": "00000000-0000-4000-8000-000000004003"}),
    "subagent_stop": (SubagentEnded, {"agent": "00000000-0000-4000-8000-000000004003"}),
    "user_prompt_submit": (PromptGiven, {"prompt": "pack the boxes", "skills": ()}),
    "user_prompt_submit_with_a_skill": (PromptGiven, {"skills": ("pack",)}),
}


def payload(name: str) -> dict[str, object]:
    """Return a recorded payload with the rollout that was recorded with it."""
    found = json.loads((PAYLOADS / f"{name}.json").read_text())
    assert isinstance(found, dict)
    there = str(found["transcript_path"]).replace(HOME, str(TRANSCRIPTS))
    return found | {"transcript_path": there}


def written(payload: dict[str, object]) -> bytes:
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()


def parsed(payload: dict[str, object]) -> "Event | None":
    return parse(written(payload), environ={}, now=NOW)[1]


def test_every_recorded_payload_is_expected_to_be_something() -> None:
    recorded = {path.stem for path in PAYLOADS.glob("*.json")}

    assert recorded - {"moments"} == set(EXPECTED)  # which of them tells of which moment


@pytest.mark.parametrize("name", EXPECTED)
def test_a_payload_is_the_event_that_it_should_be(name: str) -> None:
    given_ = payload(name)

    event = parsed(given_)

    kind, fields = EXPECTED[name]
    assert type(event) is kind
    assert event.fields() | fields == event.fields()
    assert (event.session, event.cwd, event.at) == (given_["session_id"], given_["cwd"], NOW)
    assert event.transcript == given_["transcript_path"]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_not_worth_a_look_has_nothing_to_say_and_nothing_to_keep(name: str) -> None:
    given_ = payload(name)
    raw = written(given_)

    ignored = not may_matter(raw, "codex")

    assert extract_event_name(raw) == given_["hook_event_name"]
    if ignored:
        assert EXPECTED[name][0] in (CallSucceeded, SubagentEnded)


def test_a_failure_is_worth_a_look_by_its_status_alone() -> None:
    assert may_matter(written(payload("post_tool_use_bash_failed")), "codex")
    assert not may_matter(written(payload("post_tool_use_bash")), "codex")


def test_what_one_agent_tells_another_is_no_prompt() -> None:
    given_ = payload("user_prompt_submit") | {"agent_id": "00000000", "agent_type": "default"}

    assert parsed(given_) is None


def test_a_command_that_was_killed_is_no_mistake(tmp_path: Path) -> None:
    path = a_file(tmp_path / "r.jsonl", an_end("call_1", -1))
    given_ = payload("post_tool_use_bash") | {"transcript_path": path, "tool_use_id": "call_1"}

    event = parsed(given_)

    assert isinstance(event, CallFailed)
    assert event.interrupted is True


def test_a_skill_that_cannot_be_read_is_a_failure_and_no_load(tmp_path: Path) -> None:
    path = a_file(tmp_path / "r.jsonl", an_end("call_1", 1))
    given_ = payload("post_tool_use_read_a_skill")
    given_ |= {"transcript_path": path, "tool_use_id": "call_1"}

    assert isinstance(parsed(given_), CallFailed)


def test_a_skill_is_where_its_command_ran(tmp_path: Path) -> None:
    path = a_file(tmp_path / "r.jsonl", an_end("call_1", 0, cwd="file:///home/u/other"))
    given_ = payload("post_tool_use_read_a_skill")
    given_ |= {"transcript_path": path, "tool_use_id": "call_1"}

    event = parsed(given_)

    assert isinstance(event, SkillLoaded)
    assert event.path == "/home/u/other/.agents/skills/pack/SKILL.md"


def test_a_compaction_tells_its_summary_by_the_rollout(tmp_path: Path) -> None:
    path = a_file(tmp_path / "r.jsonl", a_record("compacted", message="Boxes are packed."))

    event = parsed(payload("post_compact") | {"transcript_path": path})

    assert isinstance(event, Compacted)
    assert event.summary == "Boxes are packed."


def test_without_a_rollout_a_command_succeeded() -> None:
    gone = payload("post_tool_use_bash_failed") | {"transcript_path": "/nowhere/r.jsonl"}

    assert isinstance(parsed(gone), CallSucceeded)


@pytest.mark.parametrize("event", ["Interrupt", "PermissionRequest", "Notification", ""])
def test_unknown_events_mean_nothing(event: str) -> None:
    assert parsed(payload("stop") | {"hook_event_name": event}) is None


def test_a_turn_that_notify_tells_of_is_a_rest() -> None:
    told: dict[str, object] = {
        "type": "agent-turn-complete",
        "thread-id": "00000000-01",
        "turn-id": "1",
        "cwd": "/x",
    }

    assert is_turn_end(written(told))
    assert extract_session(written(told)) == b"00000000-01"
    assert parsed(told) is None


def test_a_call_that_is_denied_is_told_why() -> None:
    printed = json.loads(build_reply("PreToolUse", "Not now.", ruling="deny"))

    assert printed["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "Not now.",
    }


def test_a_question_that_the_client_cannot_ask_keeps_the_call_from_being_made() -> None:
    printed = json.loads(build_reply("PreToolUse", "A person looks at that.", ruling="ask"))

    said = printed["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert said["permissionDecisionReason"].startswith("A person looks at that. ")
    assert "ask them" in said["permissionDecisionReason"]


@given(
    st.sampled_from(sorted(EXPECTED)),
    st.dictionaries(
        st.sampled_from(
            "session_id cwd transcript_path tool_name tool_input tool_response prompt source"
            " agent_id agent_type tool_use_id trigger".split()
        ),
        st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3)),
        max_size=4,
    ),
)
def test_fields_of_the_wrong_type_are_as_good_as_missing(
    name: str, wrong: dict[str, object]
) -> None:
    event = parsed(payload(name) | wrong)

    for value in event.fields().values() if event else ():
        assert isinstance(value, str | int | bool | dict | tuple)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = (
    "hook_event_name session_id cwd tool_name tool_input tool_response prompt tool_use_id".split()
)
TOLD = st.sampled_from(
    "PreToolUse PostToolUse PostCompact UserPromptSubmit Bash apply_patch SKILL.md /x $x s1".split()
)


@given(st.dictionaries(st.sampled_from(NAMES), TOLD | ANYTHING))
def test_any_object_is_an_event_or_none(told: dict[str, object]) -> None:
    event = parsed(told)

    assert event is None or isinstance(event, Occurrence)


@given(st.text())
def test_an_answer_is_one_json_object_whatever_it_says(text: str) -> None:
    printed = build_reply("PostToolUse", text)

    assert json.loads(printed) == {
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": text}
    }
    assert "\n" not in printed
