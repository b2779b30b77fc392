"""The extension tells every event of Pi, puts answers where the model reads them, and never stands in the way."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.runtimes.pi.extension_host import (
    PACKAGE,
    RECORDED,
    SESSION,
    Json,
    Stage,
    recorded,
    rules,
    says,
)

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
    TurnEnded,
)
from twiceshy.runtimes.pi.payload import REFUSED, parse

NOTE = '<twiceshy-note id="n1">Weigh it first.</twiceshy-note>'
SKILL = "/home/u/shop/.pi/skills/pack/SKILL.md"

Expected = dict[str, tuple[type[Occurrence], dict[str, object]] | None]

# what Pi sent → what we are told by it, and the fields that matter
EXPECTED: Expected = {
    "agent_end": (TurnEnded, {}),
    "before_agent_start": None,
    "before_agent_start_with_a_skill": None,
    "input": (PromptGiven, {"prompt": "pack the boxes", "skills": ()}),
    "input_with_a_skill": (PromptGiven, {"prompt": "two small boxes", "skills": ("pack",)}),
    "resources_discover": None,
    "session_before_compact": (Compacting, {"automatic": True}),
    "session_shutdown": (SessionEnded, {"reason": "quit"}),
    "session_start": (SessionStarted, {"how": "startup"}),
    "session_start_continued": (SessionStarted, {"how": "startup"}),
    "tool_call_bash": (CallPending, {"tool": "Bash"}),
    "tool_call_edit": (CallPending, {"tool": "Edit", "target": "boxes.txt"}),
    "tool_execution_end_of_an_unknown_tool": None,
    "tool_result_bash": (CallSucceeded, {"tool": "Bash", "output": "three boxes\none is open\n"}),
    "tool_result_bash_failed": (CallFailed, {"error": "Exit code 3\npacking\nno tape"}),
    "tool_result_edit": None,
    "tool_result_edit_failed": (CallFailed, {"tool": "Edit", "interrupted": False}),
    "tool_result_read_a_skill": (SkillLoaded, {"path": SKILL}),
    "tool_result_read_failed": (CallFailed, {"tool": "Read", "target": "crate.txt"}),
}
# the old release does not tell why it compacts
OLD: Expected = {"session_before_compact": (Compacting, {"automatic": False})}


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def text_behind(returned: Json) -> str:
    """Return what was put behind a tool's own words."""
    *_, last = returned["content"]
    assert last["type"] == "text"
    text: str = last["text"]
    return text


@pytest.mark.parametrize("release", ["", "old"])
def test_every_event_of_pi_is_the_event_that_it_should_be(stage: Stage, release: str) -> None:
    expected = EXPECTED | (OLD if release else {})

    stage.play(*(recorded(name, release) for name in expected))

    told = [parse(json.dumps(payload).encode(), environ={}, now=5)[1] for payload in stage.sent]
    for event, (kind, fields) in zip(told, filter(None, expected.values()), strict=True):
        assert event is not None
        assert type(event) is kind
        assert {name: getattr(event, name) for name in fields} == fields
        assert (event.session, event.cwd) == (SESSION, str(stage.cwd))


@pytest.mark.parametrize("release", ["", "old"])
def test_every_recorded_event_is_expected_to_be_something(release: str) -> None:
    names = {path.stem for path in (RECORDED / release).glob("*.json")}

    assert names - {"moments"} == {*EXPECTED, "session_compact"}


def test_after_a_compaction_comes_its_summary_and_then_a_new_beginning(stage: Stage) -> None:
    stage.answer(SessionStart=says("after all"))

    played = stage.play(recorded("session_compact"), recorded("before_agent_start"))

    summary, start = (
        parse(json.dumps(payload).encode(), environ={}, now=5)[1] for payload in stage.sent
    )
    assert isinstance(summary, Compacted)
    assert "An aside." in summary.summary
    assert isinstance(start, SessionStarted)
    assert start.how == "compact"
    assert played.returned[1]["message"]["content"] == "after all"


def test_a_prompt_waits_for_what_is_said_after_a_compaction_that_pi_does_not_wait_for(
    stage: Stage,
) -> None:
    stage.answer(SessionStart=says("after all"))
    compacted = recorded("session_compact", "old") | {"beside": True}

    played = stage.play(compacted, recorded("before_agent_start", "old"))

    assert played.returned[1]["message"]["content"] == "after all"


def test_who_goes_back_in_the_conversation_is_told_again(stage: Stage) -> None:
    stage.answer(SessionStart=says("after all"))

    played = stage.play({"event": "session_tree", "told": {}}, recorded("before_agent_start"))

    assert [payload["source"] for payload in stage.sent] == ["compact"]
    assert played.returned[1]["message"]["content"] == "after all"


def test_a_session_that_goes_on_is_no_new_one(stage: Stage) -> None:
    entry = {"type": "message", "message": {"role": "user", "content": "pack"}}
    reload = {"event": "session_start", "told": {"reason": "reload"}}

    stage.play(recorded("session_start"), entries=(entry,))
    stage.play(reload, {"event": "session_shutdown", "told": {"reason": "reload"}})

    assert [payload["source"] for payload in stage.sent] == ["resume", "resume"]


def test_what_is_said_at_the_start_and_to_a_prompt_comes_once_behind_the_prompt(
    stage: Stage,
) -> None:
    stage.answer(SessionStart=says("the project"), UserPromptSubmit=says("the skill"))
    prompt, begin = recorded("input"), recorded("before_agent_start")

    played = stage.play(recorded("session_start"), prompt, begin, begin)

    assert played.returned[:2] == [None, None]
    assert played.returned[2] == {
        "message": {
            "customType": "twiceshy",
            "content": "the project\nthe skill",
            "display": False,
        }
    }
    assert played.returned[3] is None


def test_what_is_said_to_a_prompt_while_the_agent_works_comes_with_its_next_result(
    stage: Stage,
) -> None:
    stage.answer(UserPromptSubmit=says("the skill"))

    played = stage.play(
        recorded("input"), recorded("tool_result_edit"), recorded("tool_call_edit")
    )

    assert text_behind(played.returned[1]) == "the skill"


def test_a_message_that_an_extension_sent_is_no_prompt(stage: Stage) -> None:
    stage.play({"event": "input", "told": {"text": "go on", "source": "extension"}})

    assert stage.sent == []


def test_what_is_said_about_a_call_stands_behind_its_result(stage: Stage) -> None:
    stage.answer(PreToolUse=says("before"), PostToolUse=says("after"))
    edit = [recorded("tool_call_edit"), recorded("tool_result_edit"), recorded("tool_result_edit")]

    played = stage.play(recorded("tool_call_bash"), *edit, recorded("tool_result_bash"))

    assert played.returned[:2] == [None, None]  # a call runs, whatever is known about it
    assert text_behind(played.returned[2]) == "before"
    assert played.returned[3] is None
    original = recorded("tool_result_bash")["told"]["content"]
    assert played.returned[4] == {
        "content": [*original, {"type": "text", "text": "before\nafter"}]
    }


@pytest.mark.parametrize(
    ("ruling", "interface", "agrees", "reason"),
    [
        ("deny", False, False, NOTE),
        ("deny", True, True, NOTE),
        ("ask", True, False, f"{REFUSED}\n{NOTE}"),
        (
            "ask",
            False,
            True,
            "A rule wants the user to be asked first, and nobody is there to ask.",
        ),
        ("ask", True, True, None),
    ],
)
def test_a_rule_keeps_a_call_from_being_made_unless_the_user_agrees(
    stage: Stage, ruling: str, interface: bool, agrees: bool, reason: str | None
) -> None:
    stage.answer(PreToolUse=rules(ruling, NOTE))

    played = stage.play(recorded("tool_call_bash"), interface=interface, agrees=agrees)

    asked = ruling == "ask" and interface
    assert played.questions == ([["May bash run?", NOTE]] if asked else [])
    if reason is None:
        assert played.returned == [None]
    else:
        assert played.returned[0]["block"] is True
        assert played.returned[0]["reason"].startswith(reason)
        assert NOTE in played.returned[0]["reason"]


@pytest.mark.parametrize(
    "hook",
    [
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\necho this is no JSON\n",
        "#!/bin/sh\necho '[]'\n",
        "#!/bin/sh\necho null\n",
        "#!/bin/sh\nkill -9 $$\n",
        "#!/nowhere/python\n",
        "",
    ],
)
def test_whatever_is_wrong_with_the_hook_is_silence(stage: Stage, hook: str) -> None:
    stage.program("hook", hook)
    if not hook:
        (stage.home / "bin" / "hook").unlink()

    played = stage.play(*map(recorded, EXPECTED))

    assert played.returned == [None] * len(EXPECTED)


def test_a_hook_that_never_ends_is_ended(stage: Stage) -> None:
    stage.program("hook", f"#!/bin/sh\necho $$ >>{stage.log}\nexec sleep 600\n")

    played = stage.play(recorded("tool_call_bash"))

    assert played.returned == [None]
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", stage.log.read_text().strip()],
        capture_output=True,
        check=False,
    )
    assert state.stdout.strip()[:1] in (b"", b"Z")  # gone, or nobody has asked yet how it ended


def test_a_large_result_is_told_whole(stage: Stage) -> None:
    act = recorded("tool_result_bash_failed")
    act["told"]["content"][0]["text"] = "no tape\n" * 100_000

    stage.play(act)

    [payload] = stage.sent
    assert len(payload["error"]) == 800_000


def test_a_session_may_have_an_id_that_the_user_chose(stage: Stage) -> None:
    stage.play(recorded("agent_end"), session="release.2")

    assert [payload["session_id"] for payload in stage.sent] == ["release_2"]


def test_a_tool_of_ours_is_one_process(stage: Stage) -> None:
    stage.answer(recall={"text": "Weigh it first.", "isError": False})

    played = stage.play({"tool": "recall", "given": {"intent": "pack"}})

    words = ["--call", "recall", "--client", "pi", "--session", SESSION]
    assert stage.calls == [(words, {"intent": "pack"})]
    content = [{"type": "text", "text": "Weigh it first."}]
    assert played.returned == [{"content": content, "details": {}}]


def test_a_tool_of_ours_that_refuses_says_why(stage: Stage) -> None:
    stage.answer(note={"text": "argument 'text' is missing", "isError": True})

    played = stage.play({"tool": "note", "given": {}}, {"tool": "search", "given": {"query": "x"}})

    assert played.results[0] == {"thrown": "argument 'text' is missing"}
    assert "did not answer" in played.results[1]["thrown"]


def test_our_own_tools_are_not_watched(stage: Stage) -> None:
    call = {"toolName": "note", "toolCallId": "call_1", "input": {}}
    failed = {**call, "content": [{"type": "text", "text": "refused"}], "isError": True}

    stage.play({"event": "tool_call", "told": call}, {"event": "tool_result", "told": failed})

    assert stage.sent == []


def test_without_its_list_of_tools_the_extension_works_all_the_same(stage: Stage) -> None:
    (stage.home / "pi" / "tools.json").unlink()

    played = stage.play(recorded("agent_end"))

    assert played.tools == []
    assert len(stage.sent) == 1


def test_every_handler_is_for_an_event_that_pi_has(stage: Stage) -> None:
    played = stage.play()

    assert set(played.events) == set(
        "session_start input before_agent_start tool_call tool_result session_before_compact"
        " session_compact session_tree agent_end session_shutdown".split()
    )


def test_the_extension_imports_nothing_but_what_node_brings() -> None:
    lines = (PACKAGE / "plugins" / "pi" / "twiceshy.ts").read_text().splitlines()

    imported = [line.rpartition(" from ")[2] for line in lines if line.startswith("import ")]

    assert imported
    assert all(name.startswith('"node:') for name in imported)
