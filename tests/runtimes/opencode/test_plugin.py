"""The plugin tells what happens in OpenCode, puts what it hears where it belongs, and hurts nobody."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.requirements import requirement
from tests.runtimes.opencode.plugin_host import (
    AGENT,
    PACKAGE,
    PAYLOADS,
    SESSION,
    Host,
    after,
    before,
    created,
    event,
    message,
    printed,
    recorded,
    step,
    threw,
)

from twiceshy.runtimes.opencode.install import render_plugin


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def texts(output: dict[str, Any]) -> list[str]:
    return [part["text"] for part in output["parts"]]


@requirement("U003", "R06", "M49")
def test_the_plugin_has_one_export_and_imports_nothing_but_node(host: Host) -> None:
    ran = host.run()

    source = render_plugin(PACKAGE, "/bin/hook").decode()
    assert ran.exports == ["default"]
    assert [line for line in source.splitlines() if line.startswith("import ")] == [
        'import { spawn } from "node:child_process"'
    ]
    assert 'const HOOK = "/bin/hook"' in source
    assert "@LAUNCHER@" not in source


@requirement("M20")
def test_the_skill_tool_asks_for_an_intent(host: Host) -> None:
    name = {"type": "string", "description": "A name"}
    schema = {"type": "object", "properties": {"name": name}, "required": ["name"]}
    own: dict[str, Any] = {"fields": {"name": {}}}

    ran = host.run(
        step("tool.definition", {"toolID": "skill"}, {"parameters": own}),
        step("tool.definition", {"toolID": "skill"}, {"parameters": own, "jsonSchema": schema}),
        step("tool.definition", {"toolID": "bash"}, {"parameters": own}),
        step("tool.definition", {"toolID": "skill"}, {"parameters": {"fields": {"id": {}}}}),
        step("tool.definition", {"toolID": "skill"}, {}),
    )

    plain, extended, *untouched = ran.results
    assert plain["jsonSchema"]["properties"].keys() == {"name", "intent"}
    assert plain["jsonSchema"]["required"] == ["name"]
    assert extended["jsonSchema"]["properties"]["name"] == name
    assert extended["jsonSchema"]["properties"]["intent"]["type"] == "string"
    assert plain["parameters"] == own
    assert untouched == [{"parameters": own}, {"parameters": {"fields": {"id": {}}}}, {}]
    assert ran.sent == []


@requirement("M20")
def test_a_tool_that_is_described_twice_is_described_the_same(host: Host) -> None:
    described: dict[str, Any] = {"parameters": {"fields": {"name": {}}}}
    once = host.run(step("tool.definition", {"toolID": "skill"}, described)).results[0]

    again = host.run(step("tool.definition", {"toolID": "skill"}, once)).results[0]

    assert again == once


def test_the_first_message_begins_a_session_and_is_a_prompt(host: Host) -> None:
    host.answers = {"SessionStart": "A rule.", "UserPromptSubmit": "A warning."}

    ran = host.run(created(), message("pack the box"), message("go on"))

    start, first, second = ran.sent
    assert start == {
        "hook_event_name": "SessionStart",
        "session_id": SESSION,
        "cwd": str(host.folder),
        "source": "startup",
    }
    assert (first["prompt"], second["prompt"]) == ("pack the box", "go on")
    asked, told = ran.results[1]["parts"]
    assert asked["text"] == "pack the box"
    assert told == {
        "id": "prt_1twiceshy",
        "sessionID": SESSION,
        "messageID": "msg_1",
        "type": "text",
        "text": "A rule.\n\nA warning.",
        "synthetic": True,
    }
    assert texts(ran.results[2]) == ["go on", "A warning."]


def test_where_there_is_nothing_to_say_a_message_stays_as_it_is(host: Host) -> None:
    ran = host.run(created(), message("pack"))

    assert texts(ran.results[1]) == ["pack"]


@pytest.mark.parametrize(
    ("steps", "source"),
    [
        ([message("go on")], "resume"),
        ([created(title="A box (fork #2)"), message("go on")], "fork"),
        ([created(title="(fork #2) of a box"), message("go on")], "startup"),
    ],
)
def test_a_session_that_goes_on_says_so(host: Host, steps: list[object], source: str) -> None:
    ran = host.run(*steps)

    assert ran.sent[0]["source"] == source


@pytest.mark.parametrize("mark", ["synthetic", "ignored"])
def test_what_nobody_typed_is_no_prompt(host: Host, mark: str) -> None:
    ran = host.run(created(), message("Continue if you have next steps.", SESSION, **{mark: True}))

    assert ran.events == ["SessionStart"]


def test_a_subagent_speaks_in_the_name_of_its_session(host: Host) -> None:
    host.answers = {"SubagentStart": "A rule.", "PostToolUse": "A note."}

    ran = host.run(
        created(),
        created(AGENT, SESSION),
        message("Pack it.", AGENT),
        before("bash", session=AGENT, command="ls"),
        after("skill", {"output": "Do it.", "metadata": {"name": "pack"}}, session=AGENT),
        event("session.idle", sessionID=AGENT),
        step("dispose", None),
    )

    assert ran.events == ["SubagentStart", "PreToolUse", "PostToolUse"]
    assert {(payload["session_id"], payload["agent_id"]) for payload in ran.sent} == {
        (SESSION, AGENT)
    }
    assert texts(ran.results[2]) == ["Pack it.", "A rule."]


def test_a_subagent_that_goes_on_is_known_by_its_parent(host: Host) -> None:
    host.sessions = {AGENT: {"parentID": SESSION}}

    ran = host.run(message("Go on.", AGENT), before("bash", session=AGENT, command="ls"))

    assert ran.events == ["PreToolUse"]
    assert (ran.sent[0]["session_id"], ran.sent[0]["agent_id"]) == (SESSION, AGENT)


def test_a_command_is_what_was_typed_and_its_text_is_marked(host: Host) -> None:
    host.answers = {"UserPromptExpansion": "A note."}
    typed = {"command": "pack", "arguments": "two boxes", "sessionID": SESSION}

    ran = host.run(
        created(),
        step("command.execute.before", typed, {"parts": []}),
        message("# Pack"),
        message("thanks"),
    )

    assert ran.events == [
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "UserPromptSubmit",
    ]
    assert [payload.get("prompt") for payload in ran.sent[1:]] == [
        "/pack two boxes",
        "/pack two boxes",
        "thanks",
    ]
    assert (ran.sent[2]["command_name"], ran.sent[2]["command_args"]) == ("pack", "two boxes")
    body, told = ran.results[2]["parts"]
    assert body["text"] == "# Pack"
    assert body["metadata"]["twiceshy"]["command_name"] == "pack"
    assert told["text"] == "A note."
    assert "metadata" not in ran.results[3]["parts"][0]


@requirement("M05")
def test_a_loaded_skill_tells_its_notes_behind_its_text(host: Host) -> None:
    host.answers = {"PostToolUse": "<skill-memory>"}
    loaded = {"title": "", "output": "Do it.", "metadata": {"name": "pack"}}

    ran = host.run(created(), after("skill", loaded, name="pack", intent="the red box"))

    (payload,) = ran.sent
    assert payload["tool_name"] == "skill"
    assert payload["tool_input"] == {"name": "pack", "intent": "the red box"}
    assert payload["tool_response"] == {"commandName": "pack"}
    assert payload["tool_use_id"] == "call_1"
    assert ran.results[1]["output"] == "Do it.\n\n<skill-memory>"


def test_what_is_said_before_a_call_comes_with_its_result(host: Host) -> None:
    host.answers = {"PreToolUse": "Before.", "PostToolUseFailure": "After."}
    command = {"command": "git stauts"}

    ran = host.run(
        created(),
        before("bash", **command),
        after("bash", printed("no such command\n", 1), **command),
        after("bash", printed("no such command\n", 1), "call_2", **command),
    )

    assert ran.events == ["PreToolUse", "PostToolUseFailure", "PostToolUseFailure"]
    assert ran.sent[0]["tool_input"] == command
    assert ran.sent[1]["error"] == "Exit code 1\nno such command\n"
    assert ran.sent[1]["is_interrupt"] is False
    assert ran.results[2]["output"] == "no such command\n\n\nBefore.\n\nAfter."
    assert ran.results[3]["output"] == "no such command\n\n\nAfter."


def test_a_command_without_output_fails_with_its_exit_status_alone(host: Host) -> None:
    ran = host.run(created(), after("bash", printed("(no output)", 3), command="exit 3"))

    assert ran.sent[0]["error"] == "Exit code 3"


def test_a_command_that_was_stopped_has_no_exit_status(host: Host) -> None:
    late = "half\n\n<shell_metadata>\nshell tool terminated command\n</shell_metadata>"
    aborted = "half\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>"

    ran = host.run(
        created(),
        after("bash", printed(late, None), command="sleep 9"),
        after("bash", printed(aborted, None), command="sleep 9"),
    )

    assert ran.events == ["PostToolUseFailure", "PostToolUseFailure"]
    assert [payload["is_interrupt"] for payload in ran.sent] == [False, True]
    assert ran.sent[0]["error"] == late


def test_a_rule_keeps_a_call_from_being_made_and_that_is_no_failure(host: Host) -> None:
    host.answers = {
        "PreToolUse": [["permissionDecision", "deny"], ["permissionDecisionReason", "Ask first."]]
    }

    ran = host.run(created(), before("bash", command="rm -r ."), threw("bash", "Ask first."))

    assert ran.results[1] == {"threw": "Ask first."}
    assert ran.events == ["PreToolUse"]


def test_a_tool_that_throws_is_answered_with_the_next_result(host: Host) -> None:
    host.answers = {"PreToolUse": "Before.", "PostToolUseFailure": "After."}

    ran = host.run(
        created(),
        before("edit", filePath="/a.txt"),
        [threw("edit", "String not found"), threw("edit", "String not found")],
        after("grep", {"output": "one line"}, "call_2", pattern="x"),
        after("grep", {"output": "one line"}, "call_3", pattern="x"),
    )

    assert ran.events == ["PreToolUse", "PostToolUseFailure"]
    failure = ran.sent[1]
    assert (failure["tool_name"], failure["error"]) == ("edit", "String not found")
    assert failure["tool_input"] == {"filePath": "/a.txt"}
    assert ran.results[3]["output"] == "one line\n\nBefore.\n\nAfter."
    assert ran.results[4]["output"] == "one line"


def test_a_tool_that_throws_last_is_answered_with_the_next_message(host: Host) -> None:
    host.answers = {"PostToolUseFailure": "After."}

    ran = host.run(created(), message("look"), threw("read", "File not found"), message("well?"))

    assert texts(ran.results[3]) == ["well?", "After."]


@pytest.mark.parametrize(
    ("error", "more", "stopped"),
    [
        ("File not found", {}, False),
        ("Tool execution aborted", {"metadata": {"interrupted": True}}, True),
        ("The user rejected permission to use this specific tool call.", {}, True),
    ],
)
def test_a_call_that_the_user_stopped_is_told_as_that(
    host: Host, error: str, more: dict[str, object], stopped: bool
) -> None:
    ran = host.run(created(), threw("read", error, "call_1", **more), step("dispose", None))

    assert [payload["is_interrupt"] for payload in ran.sent] == [stopped]


def test_a_result_of_an_mcp_tool_gets_a_part_of_its_own(host: Host) -> None:
    host.answers = {"PreToolUse": "Before."}
    content = [{"type": "text", "text": "three things"}]

    ran = host.run(
        created(),
        before("scales_count", box="red"),
        after("scales_count", {"content": content}, box="red"),
    )

    assert ran.results[2]["content"] == [*content, {"type": "text", "text": "Before."}]


def test_a_compaction_is_told_and_what_was_lost_comes_with_the_next_result(host: Host) -> None:
    host.answers = {"SessionStart": "A rule.", "PreCompact": "Keep the address."}
    summary = {"id": "msg_9", "role": "assistant", "summary": True, "sessionID": SESSION}
    part = {"id": "prt_9", "messageID": "msg_9", "sessionID": SESSION, "type": "text"}

    ran = host.run(
        created(),
        message("pack"),
        step("experimental.session.compacting", {"sessionID": SESSION}, {"context": ["Theirs."]}),
        event("message.updated", sessionID=SESSION, info=summary),
        event("message.part.updated", sessionID=SESSION, part={**part, "text": "Half"}),
        event("message.part.updated", sessionID=SESSION, part={**part, "text": "Half a box."}),
        event(
            "message.part.updated",
            sessionID=SESSION,
            part={**part, "type": "reasoning", "text": "Hm."},
        ),
        event("session.compacted", sessionID=SESSION),
        after("bash", printed("x"), command="echo x"),
        after("bash", printed("x"), "call_2", command="echo x"),
        message("go on"),
    )

    told = {payload["hook_event_name"]: payload for payload in ran.sent[2:6]}
    assert told.keys() == {"PreCompact", "PostCompact", "PostToolUse", "SessionStart"}
    assert told["PostCompact"]["compact_summary"] == "Half a box."
    assert told["SessionStart"]["source"] == "compact"
    assert ran.results[2]["context"] == ["Theirs.", "Keep the address."]
    assert ran.results[8]["output"] == "x\n\nA rule."
    assert ran.results[9]["output"] == "x"
    assert texts(ran.results[10]) == ["go on"]


def test_turns_and_sessions_that_end_are_told_before_the_client_goes(host: Host) -> None:
    other = "ses_00000000000000000000000009"

    ran = host.run(
        created(),
        created(other),
        message("pack"),
        event("session.idle", sessionID=SESSION),
        step("dispose", None),
    )

    assert sorted(ran.events[2:]) == ["SessionEnd", "Stop"]  # nobody said a word in the other one
    assert {payload["session_id"] for payload in ran.sent} == {SESSION}


def test_a_session_that_is_deleted_is_over_once(host: Host) -> None:
    gone = event("session.deleted", sessionID=SESSION, info={"id": SESSION})

    ran = host.run(created(), message("pack"), gone, step("dispose", None))

    assert ran.events[2:] == ["SessionEnd"]
    assert ran.sent[2]["reason"] == "deleted"


def test_tools_that_teach_nothing_start_no_process(host: Host) -> None:
    tools = ["glob", "list", "todowrite", "webfetch", "invalid"]
    done = ["read", "grep", "task", "write", *tools]
    steps = [before(tool, filePath="/a.txt") for tool in tools]
    steps += [after(tool, {"output": "x"}, filePath="/a.txt") for tool in done]

    ran = host.run(created(), *steps)

    assert ran.sent == []
    assert all(result == {"output": "x"} for result in ran.results[len(tools) + 1 :])


@pytest.mark.parametrize(
    "tool", ["bash", "skill", "edit", "write", "read", "grep", "task", "scales_weigh"]
)
def test_calls_that_a_note_can_be_about_are_told_before_they_are_made(
    host: Host, tool: str
) -> None:
    ran = host.run(created(), before(tool, filePath="/a.txt"))

    assert (ran.events, ran.sent[0]["tool_name"]) == (["PreToolUse"], tool)


def test_reading_a_skill_is_told(host: Host) -> None:
    path = "/home/u/.claude/skills/pack/SKILL.md"

    ran = host.run(created(), after("read", {"output": "# Pack"}, filePath=path))

    assert (ran.events, ran.sent[0]["tool_input"]) == (["PostToolUse"], {"filePath": path})


BROKEN = {
    "is gone": "",
    "prints what is no JSON": "#!/bin/sh\necho oops\n",
    "prints other JSON": '#!/bin/sh\necho \'{"a": [1], "hookSpecificOutput": null}\'\n',
    "prints no text": '#!/bin/sh\necho \'{"hookSpecificOutput": {"additionalContext": [1]}}\'\n',
    "fails": "#!/bin/sh\nexit 3\n",
    "does not listen": "#!/bin/sh\nexec <&-\n",
    "is killed": "#!/bin/sh\nkill -9 $$\n",
    "never ends": "#!/bin/sh\nexec sleep 60\n",
    "cannot be run": "no program",
}


@requirement("M50")
@pytest.mark.parametrize("how", BROKEN)
def test_a_hook_that_is_broken_changes_nothing(host: Host, how: str) -> None:
    failing = after("bash", printed("boom", 1), command="x" * 200_000)
    steps = [created(), message("pack"), before("bash", command="ls"), failing]
    more = [threw("edit", "boom"), after("grep", {"output": "x"}, "call_2"), step("dispose", None)]
    if how == "is gone":
        steps[0] = step("event", {"event": {"type": "session.created"}})  # nor is that in order

    grace = "50" if how == "never ends" else "700"
    hook = BROKEN[how] or "#!/nowhere\n"

    ran = host.run(*steps, *more, hook=hook, deadline="10", grace=grace)

    assert texts(ran.results[1]) == ["pack"]
    assert ran.results[2] == {"args": {"command": "ls"}}
    assert ran.results[3]["output"] == "boom"
    assert ran.results[5] == {"output": "x"}


@requirement("M50")
def test_a_hook_that_never_ends_is_ended(host: Host) -> None:
    pid = host.folder / "pid"

    host.run(
        created(),
        message("pack"),
        hook=f"#!/bin/sh\necho $$ >'{pid}'\nexec sleep 60\n",
        deadline="10",
    )

    asked = ["ps", "-o", "stat=", "-p", pid.read_text().strip()]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    assert state == "" or state.startswith("Z")  # who is gone may not have been noticed yet


@pytest.mark.parametrize(
    "odd",
    [
        step("event", {"event": {"type": "message.part.updated", "properties": {}}}),
        step("event", {"event": {"type": "session.created", "properties": {"info": None}}}),
        step("event", {"event": {}}),
        step("chat.message", {"sessionID": SESSION}, {}),
        step("chat.message", {"sessionID": SESSION}, {"parts": []}),
        step("tool.execute.before", {"tool": "bash", "sessionID": SESSION}, None),
        step("tool.execute.after", {"tool": "bash", "sessionID": SESSION}, {}),
        step("tool.execute.after", {"tool": "skill", "sessionID": SESSION}, None),
        step("tool.definition", {"toolID": "skill"}, None),
        step("command.execute.before", {"sessionID": None}, {}),
        step("experimental.session.compacting", {"sessionID": SESSION}, {}),
    ],
)
def test_what_comes_in_another_shape_hurts_nobody(host: Host, odd: dict[str, object]) -> None:
    host.answers = {"SessionStart": "A rule.", "PreCompact": "x", "PostToolUse": "x"}

    ran = host.run(created(), odd, step("dispose", None))

    assert "threw" not in str(ran.results)


def test_every_recorded_call_of_a_hook_is_harmless(host: Host) -> None:
    names = sorted({path.stem for path in PAYLOADS.glob("*.json")} - {"moments"})
    steps = [recorded(name) for name in names]
    known = host.run()

    ran = host.run(
        recorded("session_created"),
        recorded("session_created_for_a_subagent"),
        *(each for each in steps if each["hook"] in known.hooks),
    )

    assert len(names) > 20
    assert "threw" not in str(ran.results)
    assert {"SessionStart", "PreToolUse", "PostToolUseFailure", "Stop"} <= set(ran.events)
