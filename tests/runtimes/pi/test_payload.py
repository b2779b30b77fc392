"""What our extension tells is the event it should be, or none."""

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded, PromptGiven, SkillLoaded
from twiceshy.runtimes.pi.payload import build_reply, parse
from twiceshy.runtimes.quick_look import may_matter

if TYPE_CHECKING:
    from twiceshy.core.event import Event

NOW = 1_700_000_000_000


def a_payload(event: str, **fields: object) -> dict[str, object]:
    return {
        "hook_event_name": event,
        "session_id": "s1",
        "cwd": "/home/u/shop",
        "transcript_path": "/home/u/s1.jsonl",
        **fields,
    }


def a_call(event: str, tool: str, given: object, **fields: object) -> dict[str, object]:
    return a_payload(event, tool_name=tool, tool_use_id="call_1", tool_input=given, **fields)


def parsed(payload: object) -> "Event | None":
    return parse(json.dumps(payload).encode(), environ={}, now=NOW)[1]


@pytest.mark.parametrize(
    ("typed", "prompt", "skills"),
    [
        ("pack the boxes", "pack the boxes", ()),
        ("/skill:pack two boxes", "two boxes", ("pack",)),
        ("/skill:pack", "/skill:pack", ("pack",)),
        ("/skill:", "/skill:", ()),
        ("what does /skill:pack do?", "what does /skill:pack do?", ()),
    ],
)
def test_a_prompt_may_load_a_skill_by_its_name(
    typed: str, prompt: str, skills: tuple[str, ...]
) -> None:
    event = parsed(a_payload("UserPromptSubmit", prompt=typed))

    assert isinstance(event, PromptGiven)
    assert (event.prompt, event.skills) == (prompt, skills)


@pytest.mark.parametrize("path", ["/home/u/shop/.pi/skills/pack/SKILL.md", "skills/pack/SKILL.md"])
@pytest.mark.parametrize("mark", ["", "@"])
def test_reading_a_skill_is_loading_it(path: str, mark: str) -> None:
    event = parsed(a_call("PostToolUse", "read", {"path": mark + path}))

    assert isinstance(event, SkillLoaded)
    assert (event.path, event.skill, event.call) == (path, "", "call_1")


def test_reading_anything_else_is_a_call_that_worked() -> None:
    event = parsed(a_call("PostToolUse", "read", {"path": "boxes.txt"}))

    assert isinstance(event, CallSucceeded)
    assert event.tool == "Read"


def test_a_command_that_failed_says_so_as_in_other_runtimes() -> None:
    error = "out\nboom\n\n\nCommand exited with code 3"

    event = parsed(a_call("PostToolUseFailure", "bash", {"command": "make"}, error=error))

    assert isinstance(event, CallFailed)
    assert (event.tool, event.target) == ("Bash", "make")
    assert (event.error, event.interrupted) == ("Exit code 3\nout\nboom", False)


@pytest.mark.parametrize("error", ["begun\n\nCommand aborted", "Operation aborted"])
def test_a_call_that_the_user_stopped_did_not_fail(error: str) -> None:
    event = parsed(a_call("PostToolUseFailure", "bash", {"command": "make"}, error=error))

    assert isinstance(event, CallFailed)
    assert event.interrupted


@pytest.mark.parametrize(("printed", "output"), [("(no output)", ""), ("three\n", "three\n")])
def test_a_command_printed_what_it_printed(printed: str, output: str) -> None:
    event = parsed(a_call("PostToolUse", "bash", {"command": "make"}, tool_response=printed))

    assert isinstance(event, CallSucceeded)
    assert event.output == output


@pytest.mark.parametrize(
    ("tool", "given", "name", "arguments"),
    [
        ("bash", {"command": "ls", "timeout": 5}, "Bash", {"command": "ls", "timeout": 5}),
        (
            "edit",
            {"path": "a", "oldText": "x", "newText": "y"},
            "Edit",
            {"file_path": "a", "old_string": "x", "new_string": "y"},
        ),
        ("write", {"path": "a", "content": "x"}, "Write", {"file_path": "a", "content": "x"}),
        ("find", {"pattern": "*.md"}, "Glob", {"pattern": "*.md"}),
        ("scales_weigh", {"box": "red"}, "mcp__scales__weigh", {"box": "red"}),
    ],
)
def test_a_call_is_told_in_our_words(
    tool: str, given: dict[str, object], name: str, arguments: dict[str, object]
) -> None:
    event = parsed(a_call("PreToolUse", tool, given))

    assert isinstance(event, CallPending)
    assert (event.tool, event.arguments) == (name, arguments)


@pytest.mark.parametrize("event", ["turn_start", "Stopp", "", "UserPromptSubmit"])
def test_what_we_do_not_know_is_nothing(event: str) -> None:
    assert parsed(a_payload(event)) is None


def test_a_read_skill_and_a_failure_are_worth_a_look() -> None:
    skill = a_call("PostToolUse", "read", {"path": "/s/pack/SKILL.md"})
    other = a_call("PostToolUse", "read", {"path": "boxes.txt"})
    failure = a_call("PostToolUseFailure", "read", {"path": "boxes.txt"}, error="ENOENT")

    looks = [may_matter(json.dumps(each).encode(), "pi") for each in (skill, other, failure)]

    assert looks == [True, False, True]


EVENTS = (
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact PostCompact"
    " Stop SessionEnd x"
).split()
FIELDS = (
    "session_id cwd transcript_path tool_name tool_input tool_response prompt error source"
    " compact_summary tool_use_id trigger reason"
).split()
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(
    st.sampled_from(EVENTS),
    st.sampled_from(["bash", "read", "edit", "x_y", "note"]),
    st.dictionaries(st.sampled_from(FIELDS), anything, max_size=5),
)
def test_fields_of_the_wrong_type_are_as_good_as_missing(
    name: str, tool: str, wrong: dict[str, object]
) -> None:
    event = parsed(a_call(name, tool, {"path": "/s/SKILL.md"}, prompt="/skill:x") | wrong)

    for value in event.fields().values() if event else ():
        assert isinstance(value, str | int | bool | dict | tuple)


@given(st.dictionaries(st.sampled_from(["hook_event_name", *FIELDS]), anything))
def test_an_object_of_another_form_is_no_event(payload: dict[str, object]) -> None:
    event = parsed(payload)

    assert event is None or payload["hook_event_name"] in EVENTS


def test_an_answer_is_written_as_in_claude_code() -> None:
    assert json.loads(build_reply("PreToolUse", "Weigh it.", ruling="deny")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "Weigh it.",
        }
    }
