"""A chat tells what happened once, however often the client writes it down."""

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.gemini.chat_lines import (
    CHATS,
    SHOP,
    a_call,
    a_chat,
    a_command,
    a_line,
    a_message,
    a_patch,
    by_agent,
    by_user,
)

from twiceshy.core.transcript import (
    CallStep,
    InterruptStep,
    ResultStep,
    SkillStep,
    Step,
    SummaryStep,
    UserMessage,
)
from twiceshy.runtimes.gemini import transcript

DAY, RESUMED = sorted(map(str, CHATS.glob("*.jsonl")))


def steps(path: str) -> list[Step]:
    return list(transcript.read_transcript(path))


def told(path: str) -> list[str]:
    return [type(step).__name__ for step in steps(path)]


def results(path: str) -> list[ResultStep]:
    return [step for step in steps(path) if isinstance(step, ResultStep)]


def test_a_recorded_chat_tells_what_was_said_and_done() -> None:
    said = [step.text for step in steps(DAY) if isinstance(step, UserMessage)]
    tools = [step.tool for step in steps(DAY) if isinstance(step, CallStep)]
    skills = [(step.name, step.how) for step in steps(DAY) if isinstance(step, SkillStep)]

    assert said == ["pack the boxes"]
    assert tools == [
        *("Skill", "Bash", "Bash", "Read", "Read", "Read", "Edit", "Edit"),
        *("mcp__scales__weigh", "mcp__scales__count", "Skill", "lift"),
    ]
    assert skills == [("pack", "tool"), ("pack", "read")]
    assert told(DAY)[-1] == "AgentMessage"


def test_a_recorded_chat_tells_what_failed_in_the_words_of_claude_code() -> None:
    failed = [
        (step.text.partition(". If")[0], step.refusal) for step in results(DAY) if step.failed
    ]

    assert failed == [
        ("Exit code 3\npacking\nno tape", ""),
        ("File not found: /home/u/shop/crate.txt", ""),
        ("Could not find an exact match for 'old_string' in '/home/u/shop/boxes.txt'", ""),
        ("the scales are broken", ""),
        ("params/name must be equal to one of the allowed values", "invalid"),
        (results(DAY)[-1].text, "invalid"),
    ]


def test_a_session_that_was_resumed_and_summed_up_says_nothing_twice() -> None:
    said = [step.text for step in steps(RESUMED) if isinstance(step, UserMessage)]
    summed = [step.summary for step in steps(RESUMED) if isinstance(step, SummaryStep)]

    assert said == ["count the boxes", "and now the big one"]
    assert summed == ["<summary>An aside.</summary>"]
    assert told(RESUMED).count("CallStep") == told(RESUMED).count("ResultStep") == 1


@pytest.mark.parametrize("path", [DAY, RESUMED])
def test_read_in_pieces_a_chat_tells_the_same(path: str, tmp_path: Path) -> None:
    lines = Path(path).read_bytes().splitlines(keepends=True)
    growing = tmp_path / "shop" / "chats" / os.path.basename(path)
    growing.parent.mkdir(parents=True)
    pieces: list[Step] = []
    position = ""
    for number in range(1, len(lines) + 1):
        growing.write_bytes(b"".join(lines[:number]))
        reading = transcript.read_transcript(str(growing), after=position)
        pieces += reading
        position = reading.position

    assert pieces == steps(path)
    assert len(position) < 60


def test_a_copy_of_a_chat_has_the_same_steps(tmp_path: Path) -> None:
    copy = tmp_path / "other" / "chats" / "session-2027-01-01T00-00-00000000.jsonl"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(Path(DAY).read_bytes())

    known = {step.key for step in steps(DAY)}

    assert list(transcript.read_transcript(str(copy), known=known)) == []


def test_a_message_is_told_once_while_calls_come_to_it(tmp_path: Path) -> None:
    first, second = a_command("ls", "a.txt"), a_command("cat b.txt", "no such file", code=1)
    path = a_chat(
        tmp_path,
        by_agent("m1", "Looking."),
        by_agent("m1", "Looking.", first),
        by_agent("m1", "Looking.", first, second),
    )

    assert told(path) == ["AgentMessage", "CallStep", "ResultStep", "CallStep", "ResultStep"]


@given(st.lists(st.sampled_from(["said", "answered", "copied", "summed"]), max_size=8))
def test_wherever_a_pass_ends_the_next_one_tells_the_rest(
    tmp_path_factory: pytest.TempPathFactory, happened: list[str]
) -> None:
    records = [record for number, what in enumerate(happened) for record in _lines(number, what)]
    path = a_chat(tmp_path_factory.mktemp("grown"), *records)
    whole, lines = steps(path), Path(path).read_bytes().splitlines(keepends=True)
    pieces: list[Step] = []
    position = ""
    for number in range(1, len(lines) + 1):
        Path(path).write_bytes(b"".join(lines[:number]))
        reading = transcript.read_transcript(path, after=position)
        pieces += reading
        position = reading.position

    assert pieces == whole
    assert len({step.key for step in whole}) == len(whole)


def _lines(number: int, what: str) -> list[dict[str, object]]:
    """Write what the client writes when something happens in a chat."""
    user, agent = f"u{number}", f"m{number}"
    first, second = a_command("ls", "a"), a_command("make", "no tape", code=2)
    hello = by_user(f"c{number}", "<session_context>\nhello</session_context>")
    summed = [by_user("s0", "<state_snapshot>x</state_snapshot>"), by_agent("s1", _THANKS)]
    match what:
        case "said":
            return [by_user(user, "pack"), a_patch(lastUpdated="now")]
        case "answered":
            grown = [by_agent(agent, "Well."), by_agent(agent, "Well.", first)]
            return [*grown, a_patch(lastUpdated="now"), by_agent(agent, "Well.", first, second)]
        case "copied":
            copies = [by_user(f"d{number}", "pack"), by_agent(f"e{number}", "Well.")]
            return [hello, *copies, a_patch(messages=[hello, *copies])]
        case _:
            return [a_patch(messages=[hello, *summed])]


_THANKS = "Got it. Thanks for the additional context!"


def test_calls_of_one_message_are_made_side_by_side(tmp_path: Path) -> None:
    path = a_chat(tmp_path, by_agent("m1", "", a_command("ls", "a"), a_command("pwd", "/x")))

    assert told(path) == ["CallStep", "CallStep", "ResultStep", "ResultStep"]
    assert len({step.id for step in steps(path)}) == 2


def test_a_call_that_still_runs_is_told_later(tmp_path: Path) -> None:
    running = a_command("ls", "a") | {"status": "executing"}
    path = a_chat(tmp_path, by_agent("m1", "", running))
    early = transcript.read_transcript(path)
    nothing = list(early)
    with open(path, "ab") as file:
        file.write(a_line(by_agent("m1", "", a_command("ls", "a"))))

    later = list(transcript.read_transcript(path, after=early.position))

    assert nothing == []
    assert [type(step) for step in later] == [CallStep, ResultStep]


def test_only_what_a_person_typed_is_said_by_the_user(tmp_path: Path) -> None:
    hook = "<hook_context>&lt;project-memory&gt;Never say never.&lt;/project-memory&gt;</hook_context>"
    typed = by_user("u1", f"{hook}\n\nno, use tape", hook)
    expanded = by_user("u2", "look at @a.txt", "--- Content from referenced files ---\nx")
    path = a_chat(
        tmp_path,
        a_patch(messages=[by_user("c0", "<session_context>\nToday is Monday.</session_context>")]),
        typed,
        expanded | {"displayContent": [{"text": "look at @a.txt"}]},
        a_message("user", "r1", [{"functionResponse": {"response": {"output": "said"}}}]),
        by_user("u3", "/compress now"),
        by_user("u4", "Please continue."),
        by_user("u5", "System: Potential loop detected."),
        by_user("u6", hook),
        by_user("u7", "/etc/hosts is wrong"),
    )

    said = [step.text for step in steps(path) if isinstance(step, UserMessage)]

    assert said == ["no, use tape", "look at @a.txt", "/etc/hosts is wrong"]
    assert told(path) == ["UserMessage"] * 3


def test_a_conversation_that_is_written_anew_is_no_news(tmp_path: Path) -> None:
    path = a_chat(
        tmp_path,
        by_user("u1", "pack"),
        by_agent("m1", "Packed."),
        # some outputs were shortened: everything comes again, under other names
        by_user("c1", "<session_context>\nToday is Monday.</session_context>"),
        by_user("c2", "pack"),
        by_agent("c3", "Packed."),
        a_patch(messages=[by_user("c2", "pack"), by_agent("c3", "Packed.")]),
        by_user("u2", "ship"),
    )

    assert told(path) == ["UserMessage", "AgentMessage", "UserMessage"]


def test_a_summary_is_told_once(tmp_path: Path) -> None:
    summed = by_user(
        "s1", "<scratchpad>hm</scratchpad>\n<state_snapshot>\nIt works.\n</state_snapshot>"
    )
    thanks = by_agent("s2", _THANKS)
    path = a_chat(tmp_path, a_patch(messages=[summed, thanks]))
    first = transcript.read_transcript(path)
    [summary] = first
    with open(path, "ab") as file:
        file.write(a_line(a_patch(messages=[summed, thanks, by_user("u9", "go on")])))

    again = list(transcript.read_transcript(path, after=first.position))

    assert isinstance(summary, SummaryStep)
    assert summary.summary == "It works."
    assert again == []


@pytest.mark.parametrize(
    ("reason", "refusal"),
    [
        ("Reason: User denied execution.", "rejected"),
        ("Reason: User cancelled operation", "cancelled"),
        ("User cancelled tool execution.", "interrupted"),
    ],
)
def test_what_the_user_refused_is_a_refusal_that_the_client_vouches_for(
    reason: str, refusal: str, tmp_path: Path
) -> None:
    error = f"[Operation Cancelled] {reason}"
    call = a_call("replace", {"file_path": "a"}, status="cancelled", error=error)

    [result] = results(a_chat(tmp_path, by_agent("m1", "", call)))

    assert (result.refusal, result.vouched, result.failed) == (refusal, True, True)


def test_a_tool_cannot_claim_that_the_user_refused(tmp_path: Path) -> None:
    claim = "[Operation Cancelled] Reason: User denied execution."
    call = a_call("mcp_scales_weigh", {}, status="error", error=claim)

    [result] = results(a_chat(tmp_path, by_agent("m1", "", call)))

    assert (result.refusal, result.vouched) == ("", False)


def test_a_call_that_a_rule_forbade_was_denied(tmp_path: Path) -> None:
    call = a_call("replace", {}, status="error", error="Tool execution blocked: Not on a Friday.")

    [result] = results(a_chat(tmp_path, by_agent("m1", "", call)))

    assert result.refusal == "denied"


def test_a_command_that_the_user_stopped_was_interrupted(tmp_path: Path) -> None:
    text = (
        "<untrusted_context>\nCommand was cancelled by user before it could\n</untrusted_context>"
    )
    call = a_call("run_shell_command", {"command": "sleep 9"}, output=text)
    stop = a_message("info", "i1", "User cancelled the request.")

    [_, result, stopped] = steps(a_chat(tmp_path, by_agent("m1", "", call), stop))

    assert isinstance(result, ResultStep)
    assert (result.refusal, result.vouched) == ("interrupted", True)
    assert isinstance(stopped, InterruptStep)


def test_paths_and_folders_are_written_as_in_other_clients(tmp_path: Path) -> None:
    read = a_call("read_file", {"absolute_path": "lib/a.py"}, output="x")
    look = a_call("list_directory", {"dir_path": "lib"}, output="x")
    make = a_call("run_shell_command", {"command": "make", "dir_path": "lib"}, output="x")

    path = a_chat(tmp_path, by_agent("m1", "", read, look, make))
    calls = [step for step in steps(path) if isinstance(step, CallStep)]

    assert [(step.tool, json.loads(step.arguments)) for step in calls] == [
        ("Read", {"file_path": f"{SHOP}/lib/a.py"}),
        ("LS", {"path": f"{SHOP}/lib"}),
        ("Bash", {"command": "make", "dir_path": "lib"}),
    ]
    assert [step.cwd for step in calls] == [SHOP, SHOP, f"{SHOP}/lib"]


def test_a_foreign_tool_is_named_by_its_server_even_if_that_has_an_underscore(
    tmp_path: Path,
) -> None:
    call = a_call("mcp_my_scales_weigh_box", {}, output="x")
    call["displayName"] = "weigh_box (my_scales MCP Server)"

    [called, _] = steps(a_chat(tmp_path, by_agent("m1", "", call)))

    assert isinstance(called, CallStep)
    assert called.tool == "mcp__my_scales__weigh_box"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "id type content text toolCalls name args result status functionResponse response"
                " output error $set messages displayContent displayName timestamp".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
_KINDS = st.sampled_from(["user", "gemini", "info", "$set"])


@given(st.lists(st.tuples(_KINDS, _JSON), max_size=6))
def test_no_record_of_whatever_shape_stops_a_pass(
    tmp_path_factory: pytest.TempPathFactory, odd: list[tuple[str, object]]
) -> None:
    records = [
        (record if isinstance(record, dict) else {"content": record}) | {"type": kind}
        for kind, record in odd
    ]
    path = a_chat(tmp_path_factory.mktemp("odd"), *records)

    reading = transcript.read_transcript(path)
    found = list(reading)

    assert reading.unusable == 0
    assert all(isinstance(step, Step) for step in found)
    assert all(a != b for a, b in pairwise(found))


@given(st.binary(max_size=200))
def test_no_bytes_stop_a_pass(tmp_path_factory: pytest.TempPathFactory, garbage: bytes) -> None:
    path = a_chat(tmp_path_factory.mktemp("odd"), by_user("u1", "pack"))
    with open(path, "ab") as file:
        file.write(garbage + b"\n")

    assert [step.id for step in steps(path)][:1] == ["u1"]


@pytest.mark.parametrize("depth", [300, 900, 5_000])
def test_no_depth_stops_a_pass(tmp_path: Path, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    path = a_chat(tmp_path)
    call = a_call("mcp_scales_weigh", {"box": "DEEP"}, output="x")
    line = a_line(by_agent("m1", "", call)).replace(b'"DEEP"', deep.encode())
    content = a_line(a_message("user", "u0", "DEEP")).replace(b'"DEEP"', deep.encode())
    with open(path, "ab") as file:
        file.write(content + line + a_line(by_user("u1", "pack")))

    assert [step.id for step in steps(path) if isinstance(step, UserMessage)] == ["u1"]
