"""What our plugin sends is the event it should be, or none."""

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    SubagentStarted,
    TurnEnded,
)
from twiceshy.runtimes.opencode.payload import build_reply, parse
from twiceshy.runtimes.quick_look import (
    extract_directory,
    extract_event_name,
    extract_session,
    is_pending_call,
    is_turn_end,
    may_matter,
)

if TYPE_CHECKING:
    from twiceshy.core.event import Event

NOW = 1_700_000_000_000
SESSION, AGENT = "ses_e1f9b3ee2ffeowoJUwxdvOGUTj", "ses_e1f9b32b8ffemh9vTTdnfgH4Nu"
HOME = {"HOME": "/home/u"}
SKILL = "/home/u/shop/.opencode/skills/pack/SKILL.md"


def a_payload(name: str, **more: object) -> bytes:
    common = {"hook_event_name": name, "session_id": SESSION, "cwd": "/home/u/shop"}
    return json.dumps({**common, **more}, separators=(",", ":")).encode()


def a_call(name: str, tool: str, given: object, **more: object) -> bytes:
    made = {"tool_name": tool, "tool_use_id": "call_1", "tool_input": given}
    return a_payload(name, **made, **more)


def parsed(raw: bytes, **environ: str) -> "Event | None":
    return parse(raw, environ=HOME | environ, now=NOW)[1]


EDIT = {"filePath": "/home/u/shop/a.txt", "oldString": "a", "newString": "b"}
EXPECTED: list[tuple[bytes, type[Occurrence], dict[str, object]]] = [
    (a_payload("SessionStart", source="startup"), SessionStarted, {"how": "startup"}),
    (a_payload("SessionStart", source="resume"), SessionStarted, {"how": "resume"}),
    (a_payload("SessionStart", source="fork"), SessionStarted, {"how": "resume"}),
    (a_payload("SessionStart", source="compact"), SessionStarted, {"how": "compact"}),
    (a_payload("UserPromptSubmit", prompt="pack it"), PromptGiven, {"prompt": "pack it"}),
    (
        a_payload("UserPromptExpansion", command_name="pack", command_args="the red box"),
        SkillLoaded,
        {"skill": "pack", "arguments": "the red box"},
    ),
    (a_payload("SubagentStart", agent_id=AGENT), SubagentStarted, {"agent": AGENT}),
    (
        a_call("PreToolUse", "bash", {"command": "make"}),
        CallPending,
        {"tool": "Bash", "target": "make", "call": "call_1", "place": "/home/u/shop"},
    ),
    (
        a_call("PreToolUse", "bash", {"command": "make", "workdir": "/home/u/shop/docs"}),
        CallPending,
        {"place": "/home/u/shop/docs", "cwd": "/home/u/shop"},
    ),
    (
        a_call("PreToolUse", "edit", EDIT),
        CallPending,
        {
            "tool": "Edit",
            "target": "/home/u/shop/a.txt",
            "arguments": {
                "file_path": "/home/u/shop/a.txt",
                "old_string": "a",
                "new_string": "b",
            },
        },
    ),
    (
        a_call("PreToolUse", "scales_weigh", {"box": "red"}, agent_id=AGENT),
        CallPending,
        {"tool": "mcp__scales__weigh", "agent": AGENT},
    ),
    (
        a_call("PostToolUse", "skill", {"name": "pack", "intent": "the red box"}),
        SkillLoaded,
        {"skill": "pack", "arguments": "the red box", "call": "call_1"},
    ),
    (
        a_call("PostToolUse", "skill", {"name": "p"}, tool_response={"commandName": "pack"}),
        SkillLoaded,
        {"skill": "pack"},
    ),
    (a_call("PostToolUse", "read", {"filePath": SKILL}), SkillRead, {"path": SKILL}),
    (
        a_call("PostToolUse", "bash", {"command": "make"}, tool_response={"stdout": "Error: x"}),
        CallSucceeded,
        {"tool": "Bash", "output": "Error: x"},
    ),
    (
        a_call("PostToolUseFailure", "bash", {"command": "make"}, error="Exit code 3\nboom"),
        CallFailed,
        {"tool": "Bash", "error": "Exit code 3\nboom", "interrupted": False},
    ),
    (
        a_call("PostToolUseFailure", "read", {"filePath": "/a"}, error="gone", is_interrupt=True),
        CallFailed,
        {"tool": "Read", "target": "/a", "interrupted": True},
    ),
    (a_payload("PreCompact"), Compacting, {}),
    (
        a_payload("PostCompact", compact_summary="Half a box."),
        Compacted,
        {"summary": "Half a box."},
    ),
    (a_payload("Stop"), TurnEnded, {}),
    (a_payload("SessionEnd", reason="deleted"), SessionEnded, {"reason": "deleted"}),
]


@pytest.mark.parametrize(("raw", "kind", "fields"), EXPECTED)
def test_a_payload_is_an_event(
    raw: bytes, kind: type[Occurrence], fields: dict[str, object]
) -> None:
    event = parsed(raw)

    assert type(event) is kind
    assert {name: getattr(event, name) for name in fields} == fields
    assert (event.session, event.at) == (SESSION, NOW)


@pytest.mark.parametrize(("raw", "kind", "fields"), EXPECTED)
def test_a_look_at_the_bytes_is_enough_to_know_it(
    raw: bytes, kind: type[Occurrence], fields: dict[str, object]
) -> None:
    assert may_matter(raw, "opencode")
    assert extract_session(raw) == SESSION.encode()
    assert extract_directory(raw) == b"/home/u/shop"
    assert is_pending_call(raw) is (kind is CallPending)
    assert is_turn_end(raw) is (kind in (TurnEnded, Compacting, SessionEnded))
    assert extract_event_name(raw) == json.loads(raw)["hook_event_name"]


@pytest.mark.parametrize(
    "raw",
    [
        a_payload("UserPromptSubmit", prompt="  "),
        a_payload("Unheard", prompt="x"),
        a_payload("Stop", session_id="../x"),
        a_payload("Stop", agent_id="a b"),
    ],
)
def test_what_means_nothing_to_us_is_no_event(raw: bytes) -> None:
    assert parsed(raw) is None


@pytest.mark.parametrize(
    ("environ", "database"),
    [
        ({}, "/home/u/.local/share/opencode/opencode.db"),
        ({"XDG_DATA_HOME": "/data"}, "/data/opencode/opencode.db"),
        ({"OPENCODE_DB": "other.db"}, "/home/u/.local/share/opencode/other.db"),
        ({"OPENCODE_DB": "/x/opencode.db"}, "/x/opencode.db"),
    ],
)
def test_a_transcript_is_a_session_in_the_clients_database(
    environ: dict[str, str], database: str
) -> None:
    event = parsed(a_payload("Stop", agent_id=AGENT), **environ)

    assert event is not None
    assert event.transcript == f"{database}#{SESSION}"  # the agents it started are found there


@pytest.mark.parametrize("environ", [{"OPENCODE_DB": ":memory:"}, {"HOME": ""}])
def test_a_client_that_keeps_nothing_has_no_transcript(environ: dict[str, str]) -> None:
    event = parsed(a_payload("Stop"), **environ)

    assert event is not None
    assert event.transcript == ""


def test_a_transcript_that_is_named_counts() -> None:
    event = parsed(a_payload("Stop", transcript_path="/x/opencode.db#ses_1"))

    assert event is not None
    assert event.transcript == "/x/opencode.db#ses_1"


def test_an_answer_names_its_event() -> None:
    assert json.loads(build_reply("PreToolUse", "no", ruling="deny")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "no",
        }
    }


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
fields = ["session_id", "cwd", "agent_id", "tool_name", "tool_input", "tool_response", "error"]
fields += ["prompt", "transcript_path", "source", "tool_use_id", "command_name", "compact_summary"]


@given(
    st.sampled_from([json.loads(raw)["hook_event_name"] for raw, *_ in EXPECTED]),
    st.dictionaries(st.sampled_from(fields), anything),
)
def test_no_payload_of_any_shape_breaks_it(name: str, odd: dict[str, object]) -> None:
    for tool in ("bash", "skill", "read", "scales_weigh", "x"):
        raw = a_call(name, tool, {"command": 1, "filePath": [], "workdir": {}})
        base = json.loads(raw)

        event = parsed(json.dumps(base | odd).encode())

        assert event is None or event.at == NOW


@given(st.binary())
def test_bytes_that_are_no_object_are_left_to_the_hook_to_report(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of whichever kind
        parsed(raw + b"]")


def test_where_nobody_can_be_asked_the_call_is_not_made() -> None:
    said = json.loads(build_reply("PreToolUse", "Look first.", ruling="ask"))["hookSpecificOutput"]

    assert said["permissionDecision"] == "deny"
    assert said["permissionDecisionReason"].startswith("Look first. The user wants to be asked")
