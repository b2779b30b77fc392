"""Every recorded payload of the client is the event it should be, or none."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.gemini.chat_lines import PAYLOADS, a_chat, a_command, by_agent, untrusted

from twiceshy.core.event import (
    CallFailed,
    CallPending,
    CallSucceeded,
    Occurrence,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    SkillLoaded,
    SkillRead,
    TurnEnded,
)
from twiceshy.core.transcript import CallStep
from twiceshy.runtimes.gemini.payload import build_reply, parse
from twiceshy.runtimes.gemini.transcript import read_transcript
from twiceshy.runtimes.quick_look import extract_event_name, may_matter

if TYPE_CHECKING:
    from twiceshy.core.event import Event

NOW = 1_700_000_000_000
BOXES, CRATE = "/home/u/shop/boxes.txt", "/home/u/shop/crate.txt"

# file → the event, and the fields that matter
EXPECTED: dict[str, tuple[type[Occurrence], dict[str, object]] | None] = {
    "after_agent": (TurnEnded, {}),
    "after_tool_mcp": (CallSucceeded, {"tool": "mcp__scales__count", "output": "three things"}),
    "after_tool_mcp_failed": (
        CallFailed,
        {"tool": "mcp__scales__weigh", "error": "the scales are broken"},
    ),
    "after_tool_read": (CallSucceeded, {"tool": "Read"}),
    "after_tool_read_a_skill": (
        SkillRead,
        {"path": "/home/u/shop/.gemini/skills/pack/SKILL.md"},
    ),
    "after_tool_read_failed": (
        CallFailed,
        {"tool": "Read", "target": CRATE, "error": f"File not found: {CRATE}"},
    ),
    "after_tool_replace": (CallSucceeded, {"tool": "Edit", "target": BOXES}),
    "after_tool_replace_failed": (CallFailed, {"tool": "Edit", "target": BOXES}),
    "after_tool_shell": (
        CallSucceeded,
        {"tool": "Bash", "output": "three boxes\none is open", "place": "/home/u/shop"},
    ),
    "after_tool_shell_failed": (
        CallFailed,
        {"tool": "Bash", "error": "Exit code 3\npacking\nno tape", "interrupted": False},
    ),
    "after_tool_skill": (SkillLoaded, {"skill": "pack", "path": ""}),
    "before_agent": (PromptGiven, {"prompt": "pack the boxes"}),
    "before_agent_of_a_command": (PromptGiven, {"prompt": "/compress"}),
    "before_tool_mcp": (
        CallPending,
        {"tool": "mcp__scales__weigh", "cannot_receive_context": True},
    ),
    "before_tool_replace": (CallPending, {"tool": "Edit", "target": BOXES}),
    "before_tool_shell": (CallPending, {"tool": "Bash", "cannot_receive_context": True}),
    "before_tool_skill": (CallPending, {"tool": "Skill", "target": "pack"}),
    "pre_compress": None,
    "pre_compress_that_compresses_nothing": None,
    "session_end": (SessionEnded, {"reason": "exit"}),
    "session_start_resume": (SessionStarted, {"how": "resume"}),
    "session_start_startup": (SessionStarted, {"how": "startup"}),
}


def parsed(given: object) -> "Event | None":
    return parse(json.dumps(given).encode(), environ={}, now=NOW)[1]


def payload(name: str) -> dict[str, Any]:
    found = json.loads((PAYLOADS / f"{name}.json").read_text())
    assert isinstance(found, dict)
    return found


def after_shell(command: str, text: str, shown: object) -> dict[str, Any]:
    return payload("after_tool_shell") | {
        "tool_input": {"command": command},
        "tool_response": {"llmContent": text, "returnDisplay": shown},
    }


def test_every_recorded_payload_is_expected_to_be_something() -> None:
    recorded = {path.stem for path in PAYLOADS.glob("*.json")} - {"moments"}

    assert recorded == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_payload_is_the_event_that_it_should_be(name: str) -> None:
    given = payload(name)

    event = parsed(given)

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

    ignored = not may_matter(raw, "gemini")

    assert extract_event_name(raw) == given["hook_event_name"]
    if ignored:
        assert EXPECTED[name] is None or isinstance(parsed(given), CallSucceeded)


def test_calls_that_went_well_are_not_even_parsed() -> None:
    raw = [
        json.dumps(payload(name), separators=(",", ":")).encode()
        for name in ("after_tool_replace", "after_tool_mcp", "after_tool_shell", "after_tool_read")
    ]

    assert not any(may_matter(each, "gemini") for each in raw)


def test_an_event_of_another_client_means_nothing() -> None:
    assert parsed(payload("after_agent") | {"hook_event_name": "Stop"}) is None
    assert parsed(payload("after_agent") | {"hook_event_name": "BeforeModel"}) is None


def test_what_we_said_ourselves_is_no_part_of_the_prompt() -> None:
    ours = "<hook_context>&lt;project-memory&gt; a prompt &lt;/project-memory&gt;</hook_context>"

    said = parsed(payload("before_agent") | {"prompt": f"{ours}\n\nship it"})
    nothing = parsed(payload("before_agent") | {"prompt": ours})

    assert isinstance(said, PromptGiven)
    assert said.prompt == "ship it"
    assert nothing is None


def test_a_command_may_name_the_folder_it_runs_in() -> None:
    given = payload("after_tool_shell_failed")
    given["tool_input"] |= {"dir_path": "packing/line"}

    event = parsed(given)

    assert isinstance(event, CallFailed)
    assert (event.place, event.cwd) == ("/home/u/shop/packing/line", "/home/u/shop")


def test_a_command_cannot_print_its_own_failure() -> None:
    printed = "all fine\nExit Code: 3"
    command = "cat report"

    well = parsed(after_shell(command, untrusted(printed), printed))
    badly = parsed(after_shell(command, untrusted(printed, code=3), printed))

    assert isinstance(well, CallSucceeded)
    assert well.output == printed
    assert isinstance(badly, CallFailed)
    assert badly.error == f"Exit code 3\n{printed}"


def test_what_the_user_stopped_is_no_mistake() -> None:
    text = "Command was cancelled by user before it could complete. Below is the output:\nhm"

    event = parsed(
        after_shell("sleep 9", f"<untrusted_context>\n{text}\n</untrusted_context>", "")
    )

    assert isinstance(event, CallFailed)
    assert event.interrupted


def test_hook_and_chat_name_a_call_alike_so_that_its_error_counts_once(tmp_path: Path) -> None:
    # while a call runs, the chat has the message that makes it, and no call in it yet
    chat = a_chat(tmp_path, by_agent("m1"), by_agent("m2"), {"$set": {"lastUpdated": "now"}})
    given = after_shell("make box", untrusted("no tape", code=2), "no tape")
    event = parsed(given | {"transcript_path": chat})
    again = parsed(given | {"transcript_path": chat, "timestamp": "later"})
    with open(chat, "ab") as file:
        done = by_agent("m2", "", a_command("make box", "no tape", code=2))
        file.write(json.dumps(done).encode() + b"\n")

    [called] = [step for step in read_transcript(chat) if isinstance(step, CallStep)]

    assert isinstance(event, CallFailed)
    assert event.call == called.id == "m2-" + called.id[-8:]
    assert event == again


def test_without_a_chat_a_call_is_known_by_its_session_and_its_moment(tmp_path: Path) -> None:
    nowhere = {"transcript_path": str(tmp_path / "none.jsonl")}
    one, other = payload("after_tool_shell_failed"), payload("after_tool_read_failed")

    calls = [parsed(each | nowhere) for each in (one, one, other)]
    moved = parsed(one | nowhere | {"timestamp": "2026-01-05T09:09:09.000Z"})

    names = [call.call for call in [*calls, moved] if isinstance(call, CallFailed)]
    assert names[0] == names[1]
    assert len(set(names)) == 3
    assert all(name.replace("-", "").isalnum() for name in names)


@given(
    st.sampled_from(sorted(EXPECTED)),
    st.dictionaries(
        st.sampled_from(
            "session_id cwd transcript_path tool_name tool_input tool_response prompt timestamp"
            " source reason mcp_context hook_event_name".split()
        ),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=2)
                | st.dictionaries(
                    st.sampled_from("llmContent returnDisplay error message text command".split()),
                    inner,
                    max_size=3,
                )
            ),
            max_leaves=6,
        ),
        max_size=4,
    ),
)
def test_fields_of_the_wrong_type_are_as_good_as_missing(
    name: str, wrong: dict[str, object]
) -> None:
    event = parsed(payload(name) | wrong)

    for value in event.fields().values() if event else ():
        assert isinstance(value, str | int | bool | dict | tuple)


@given(st.text())
def test_an_answer_is_one_json_object_whatever_it_says(text: str) -> None:
    printed = build_reply("AfterTool", text)

    assert json.loads(printed) == {
        "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": text}
    }
    assert "\n" not in printed


def test_a_ruling_stops_a_call_and_nobody_is_asked_who_may_not_be_there() -> None:
    deny, ask = (
        json.loads(build_reply("BeforeTool", "Not on a Friday.", ruling=ruling))
        for ruling in ("deny", "ask")
    )

    assert deny == {"decision": "deny", "reason": "Not on a Friday."}
    assert ask["decision"] == "deny"
    assert ask["reason"].startswith("Not on a Friday. The user wants to be asked")


def test_before_a_call_nothing_but_a_ruling_is_printed() -> None:
    assert build_reply("BeforeTool", "Weigh it first.") == ""


@pytest.mark.parametrize(("depth", "kind"), [(200, CallFailed), (900, type(None))])
def test_what_is_too_deep_means_nothing(depth: int, kind: type) -> None:
    given = payload("after_tool_mcp_failed") | {"tool_input": {"box": "DEEP"}}
    raw = json.dumps(given).replace('"DEEP"', "[" * depth + "]" * depth).encode()

    assert isinstance(parse(raw, environ={}, now=NOW)[1], kind)


def test_what_is_said_where_the_client_does_not_listen_is_not_said() -> None:
    pending = parsed(payload("before_tool_shell"))
    refused = parsed(payload("after_tool_replace_failed"))
    failed = parsed(payload("after_tool_shell_failed"))

    assert isinstance(pending, CallPending)
    assert isinstance(refused, CallFailed)
    assert isinstance(failed, CallFailed)
    assert (
        pending.cannot_receive_context,
        refused.cannot_receive_context,
        failed.cannot_receive_context,
    ) == (True, True, False)
