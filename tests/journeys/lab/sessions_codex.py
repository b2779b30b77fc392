"""Make Codex send every kind of event once, and write the rollouts that go with them."""

import json
from collections.abc import Iterator

from tests.journeys.lab.codex import Codex
from tests.journeys.lab.script import ASIDE, Route, Script, Step, calls, filling, says
from tests.journeys.lab.sessions import (
    OWN_WORDS,
    STUB,
    Named,
    Scene,
    lines,
    one,
    play,
    transcripts,
)
from tests.journeys.lab.wire import Json

EVENTS = """
    SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact
    PostCompact SubagentStart SubagentStop Stop Interrupt
""".split()
# Its newer models write programs instead of calling tools one by one.
PROGRAMS = ("-m", "gpt-6.1-sol")
FIRST_AGENT = "/" + "root/"
EDIT = "*** Begin Patch\n*** Update File: boxes.txt\n@@\n-green\n+gold\n*** End Patch\n"


def tools(codex: Codex) -> Named:
    """Use tools that work and tools that fail; what fails inside the client tells nobody."""
    codex.serve("scales", STUB)
    played = play(
        codex,
        codex.record(EVENTS),
        "pack the boxes",
        calls("exec_command", cmd="cat .agents/skills/pack/SKILL.md"),
        calls("exec_command", cmd="echo three boxes; echo one is open >&2"),
        calls("exec_command", cmd="echo packing; echo no tape >&2; exit 3"),
        calls("apply_patch", input=EDIT),
        calls("apply_patch", input=EDIT.replace("-green", "-pink")),
        calls("mcp__scales__weigh", box="red"),
        calls("mcp__scales__count", box="red"),
        calls("lift", box="red"),
    )
    yield "session_start_startup", one(played, "SessionStart")
    yield "user_prompt_submit", one(played, "UserPromptSubmit")
    yield "pre_tool_use_bash", one(played, "PreToolUse", "three boxes;")
    yield "pre_tool_use_bash_that_will_fail", one(played, "PreToolUse", "packing")
    yield "pre_tool_use_apply_patch", one(played, "PreToolUse", "-green")
    yield "pre_tool_use_apply_patch_that_will_fail", one(played, "PreToolUse", "-pink")
    yield "pre_tool_use_mcp_that_will_fail", one(played, "PreToolUse", "weigh")
    yield "post_tool_use_bash", one(played, "PostToolUse", "three boxes;")
    yield "post_tool_use_bash_failed", one(played, "PostToolUse", "packing")
    yield "post_tool_use_read_a_skill", one(played, "PostToolUse", "SKILL.md")
    yield "post_tool_use_apply_patch", one(played, "PostToolUse", "-green")
    yield "post_tool_use_mcp", one(played, "PostToolUse", "count")
    yield "stop", one(played, "Stop")
    yield "session_end", one(played, "SessionEnd")
    yield from rollouts(codex)


def programs(codex: Codex) -> Named:
    """Let a newer model use the same tools from programs of its own."""
    played = play(
        codex,
        codex.record(EVENTS),
        "pack the boxes",
        program(
            "text((await tools.exec_command({cmd: 'cat .agents/skills/pack/SKILL.md'})).output)"
        ),
        program("text(await tools.exec_command({cmd: 'echo packing; echo no tape >&2; exit 3'}))"),
        program(f"text(await tools.apply_patch({EDIT!r}))"),
        program("await tools.exec_command({cmd: 'echo sealed'}); throw new Error('no more tape')"),
        options=PROGRAMS,
    )
    yield "pre_tool_use_bash_in_a_program", one(played, "PreToolUse", "packing")
    yield "post_tool_use_bash_failed_in_a_program", one(played, "PostToolUse", "packing")
    yield "post_tool_use_read_a_skill_in_a_program", one(played, "PostToolUse", "SKILL.md")
    yield "post_tool_use_apply_patch_in_a_program", one(played, "PostToolUse", "-green")
    yield from rollouts(codex)


def mention(codex: Codex) -> Named:
    """Name a skill in the prompt, then resume the session."""
    log = codex.record(EVENTS)
    mentioned = play(codex, log, "please $pack two small boxes")
    resumed = play(codex, log, "and now the big one", options=("resume", "--last"))
    yield "user_prompt_submit_with_a_skill", one(mentioned, "UserPromptSubmit")
    yield "session_start_resume", one(resumed, "SessionStart")
    yield from rollouts(codex)


def compaction(codex: Codex) -> Named:
    """Fill the context until the client sums it up."""
    played = play(
        codex,
        codex.record(EVENTS),
        "count the boxes",
        filling(calls("exec_command", cmd="echo three boxes")),
    )
    yield "pre_compact", one(played, "PreCompact")
    yield "post_compact", one(played, "PostCompact")
    yield "session_start_compact", one(played, "SessionStart", source="compact")
    yield from rollouts(codex)


def subagent(codex: Codex) -> Named:
    """Let a subagent fail, and wait for it."""
    log = codex.record(EVENTS)
    tasks = [
        calls("collaboration__spawn_agent", message="Lift a box.", task_name="lifter"),
        calls("collaboration__wait_agent", timeout_ms=20_000),
    ]
    lifts = program("text(await tools.exec_command({cmd: 'echo too heavy; exit 4'}))")
    routes = [
        ASIDE,
        Route(lambda asked: "Message Type: NEW_TASK" in asked.last, lifts),
        Route(lambda asked: "too heavy" in asked.last, says("I cannot lift it.")),
    ]
    shop = codex.lab.home / "shop"
    codex.hold("lift a box", Script(tasks, routes), project=shop, options=PROGRAMS)
    played = lines(log)
    yield "subagent_start", one(played, "SubagentStart")
    yield "subagent_stop", one(played, "SubagentStop")
    yield "post_tool_use_bash_failed_in_a_subagent", one(played, "PostToolUse", "too heavy")
    yield from rollouts(codex)


def program(text: str) -> Step:
    """Answer with a program in JavaScript."""
    return calls("exec", input=text)


def rollouts(codex: Codex) -> Named:
    """Yield what the client wrote of its sessions, without what it always tells its models."""
    for name, told in transcripts(codex, codex.lab.home / ".codex" / "sessions"):
        yield name, [conversation(renamed(line)) for line in told]


def renamed(line: Json) -> Json:
    """Call the first agent something else: its name looks like the home of a machine's owner."""
    renamed: Json = json.loads(json.dumps(line).replace(FIRST_AGENT, "/first/"))
    return renamed


def conversation(line: Json) -> Json:
    """Leave out of a line what the vendor wrote for the model."""
    payload = line["payload"]
    if line["type"] == "world_state":
        return line | {"payload": payload | {"state": {}}}
    if line["type"] == "compacted":
        summary = payload["message"][payload["message"].index("<summary>") :]
        return line | {"payload": {"message": f"{OWN_WORDS}\n{summary}"}}
    if payload.get("role") == "developer" and not told_by_a_hook(payload):
        return line | {"payload": payload | {"content": list(own_words(payload))}}
    return line


def told_by_a_hook(message: Json) -> bool:
    """Tell whether a message of the client's came from a hook."""
    about = message.get("internal_chat_message_metadata_passthrough", {})
    return "hooks.additional_context" in about.get("content_item_kinds", [])


def own_words(message: Json) -> Iterator[Json]:
    """Yield the content of a message without its text."""
    for part in message.get("content", []):
        yield part | {"text": OWN_WORDS}


SCENES: list[Scene[Codex]] = [tools, programs, mention, compaction, subagent]
