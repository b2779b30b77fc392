"""Make OpenCode call every kind of hook once, and keep the tables that go with them."""

import json
from collections.abc import Iterator

from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.script import calls, filling, says
from tests.journeys.lab.sessions import STUB, Named, Scene, play
from tests.journeys.lab.wire import Json

COMMAND = "---\ndescription: Tape a box\n---\n\nTape $ARGUMENTS shut.\n"
BEFORE, AFTER, PART = "tool.execute.before", "tool.execute.after", "event message.part.updated"


def tools(opencode: OpenCode) -> Named:
    """Use tools that work and tools that fail; a tool that throws tells only in an event."""
    opencode.serve("scales", STUB)
    shop = opencode.lab.home / "shop"
    edit = {"filePath": str(shop / "boxes.txt"), "newString": "gold"}
    played = play(
        opencode,
        opencode.record(),
        "pack the boxes",
        calls("skill", name="pack"),
        calls("bash", command="echo three boxes; echo one is open >&2", description="Count"),
        calls("bash", command="echo packing; echo no tape >&2; exit 3", description="Pack"),
        calls("read", filePath=str(shop / "boxes.txt")),
        calls("read", filePath=str(shop / ".opencode/skills/pack/SKILL.md")),
        calls("read", filePath=str(shop / "crate.txt")),
        calls("edit", **edit, oldString="green"),
        calls("edit", **edit, oldString="pink"),
        calls("scales_weigh", box="red"),
        calls("scales_count", box="red"),
        calls("skill", name="unpack"),
        calls("lift", box="red"),
    )
    yield "init", one(played, "init")
    yield "session_created", one(played, "event session.created")
    yield "chat_message", one(played, "chat.message")
    yield "tool_execute_before_bash", one(played, BEFORE, "three boxes;")
    yield "tool_execute_before_edit", one(played, BEFORE, "green")
    yield "tool_execute_before_mcp", one(played, BEFORE, "scales_weigh")
    yield "tool_execute_before_skill", one(played, BEFORE, '"pack"')
    yield "tool_execute_after_skill", one(played, AFTER, '"pack"')
    yield "tool_execute_after_bash", one(played, AFTER, "three boxes;")
    yield "tool_execute_after_bash_failed", one(played, AFTER, "packing")
    yield "tool_execute_after_read", one(played, AFTER, "boxes.txt")
    yield "tool_execute_after_read_a_skill", one(played, AFTER, "SKILL.md")
    yield "tool_execute_after_edit", one(played, AFTER, "green")
    yield "tool_execute_after_mcp", one(played, AFTER, "scales_count")
    yield "tool_execute_after_an_unknown_tool", one(played, AFTER, "lift")
    yield "part_updated_read_failed", one(played, PART, '"error"', "crate.txt")
    yield "part_updated_edit_failed", one(played, PART, '"error"', "pink")
    yield "part_updated_mcp_failed", one(played, PART, '"error"', "scales_weigh")
    yield "part_updated_unknown_skill", one(played, PART, '"error"', "unpack")
    yield "text_complete", one(played, "experimental.text.complete")
    yield "session_idle", one(played, "event session.idle")
    yield "dispose", one(played, "dispose")
    yield "transcripts/tools", tables(opencode)


def sessions(opencode: OpenCode) -> Named:
    """Begin a session with a command, and go on with it."""
    commands = opencode.lab.home / "shop" / ".opencode" / "command"
    commands.mkdir()
    (commands / "tape.md").write_text(COMMAND)
    log = opencode.record()
    begun = play(opencode, log, "two boxes", options=("--command", "tape"))
    continued = play(opencode, log, "and now the big one", options=("--continue",))
    yield "command_execute_before", one(begun, "command.execute.before")
    yield "command_executed", one(begun, "event command.executed")
    yield "chat_message_of_a_command", one(begun, "chat.message")
    yield "chat_message_continued", one(continued, "chat.message")
    yield "transcripts/sessions", tables(opencode)


def subagent(opencode: OpenCode) -> Named:
    """Let a subagent fail."""
    task = {"description": "Lift", "prompt": "Lift a box.", "subagent_type": "general"}
    played = play(
        opencode,
        opencode.record(),
        "lift a box",
        calls("task", **task),
        calls("bash", command="echo too heavy; exit 4", description="Lift"),
        says("I cannot lift it."),
    )
    yield "session_created_for_a_subagent", one(played, "event session.created", "parentID")
    yield "chat_message_to_a_subagent", one(played, "chat.message", "Lift a box.")
    yield "tool_execute_after_bash_failed_in_a_subagent", one(played, AFTER, "too heavy")
    yield "tool_execute_after_task", one(played, AFTER, '"task"')
    yield "transcripts/subagent", tables(opencode)


def compaction(opencode: OpenCode) -> Named:
    """Fill the context until the client sums it up."""
    count = filling(calls("bash", command="echo three boxes", description="Count"))
    played = play(opencode, opencode.record(), "count the boxes", count)
    yield "session_compacting", one(played, "experimental.session.compacting")
    yield "session_compacted", one(played, "event session.compacted")
    yield "transcripts/compaction", tables(opencode)


def one(played: list[Json], hook: str, *texts: str) -> Json:
    """Return the first call of a hook that has all these texts in it."""
    for called in played:
        told = json.dumps(called)
        if called["hook"] == hook and all(text in told for text in texts):
            return called
    raise LookupError(f"no {hook} {texts} among {len(played)} calls")


def tables(opencode: OpenCode) -> Json:
    """Return the tables that hold its sessions; what they keep as JSON is JSON here too."""
    kept = {name: opencode.table(name) for name in ("session", "message", "part")}
    for table in kept.values():
        table["rows"] = [dict(cells(row)) for row in table["rows"]]
    return kept


def cells(row: Json) -> Iterator[tuple[str, object]]:
    """Yield the cells of a row."""
    for name, cell in row.items():
        yield name, json.loads(cell) if isinstance(cell, str) and cell[:1] in {"{", "["} else cell


SCENES: list[Scene[OpenCode]] = [tools, sessions, subagent, compaction]
