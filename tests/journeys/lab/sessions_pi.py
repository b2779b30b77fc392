"""Make Pi tell its extensions every kind of event once, and write the sessions that go with them."""

import json

from tests.journeys.lab.pi import Pi
from tests.journeys.lab.script import calls, filling, says
from tests.journeys.lab.sessions import Named, Scene, play, transcripts
from tests.journeys.lab.wire import Json

AGAIN = ("--continue",)


def tools(pi: Pi) -> Named:
    """Use tools that work and tools that fail; what the client does not know tells nobody."""
    played = play(
        pi,
        pi.record(),
        "pack the boxes",
        calls("read", path=str(pi.lab.home / "shop/.pi/skills/pack/SKILL.md")),
        calls("bash", command="echo three boxes; echo one is open >&2"),
        calls("bash", command="echo packing; echo no tape >&2; exit 3"),
        calls("read", path="crate.txt"),
        calls("edit", path="boxes.txt", edits=[{"oldText": "green", "newText": "gold"}]),
        calls("edit", path="boxes.txt", edits=[{"oldText": "pink", "newText": "gold"}]),
        calls("lift", box="red"),
    )
    yield "session_start", one(played, "session_start")
    yield "resources_discover", one(played, "resources_discover")
    yield "input", one(played, "input")
    yield "before_agent_start", one(played, "before_agent_start")
    yield "tool_call_bash", one(played, "tool_call", "three boxes;")
    yield "tool_call_edit", one(played, "tool_call", "green")
    yield "tool_result_read_a_skill", one(played, "tool_result", "SKILL.md")
    yield "tool_result_bash", one(played, "tool_result", "three boxes;")
    yield "tool_result_bash_failed", one(played, "tool_result", "packing")
    yield "tool_result_read_failed", one(played, "tool_result", "crate.txt")
    yield "tool_result_edit", one(played, "tool_result", "green")
    yield "tool_result_edit_failed", one(played, "tool_result", "pink")
    yield "tool_execution_end_of_an_unknown_tool", one(played, "tool_execution_end", "lift")
    yield "agent_end", one(played, "agent_end")
    yield "session_shutdown", one(played, "session_shutdown")
    yield from sessions(pi)


def mention(pi: Pi) -> Named:
    """Name a skill in the prompt, in a session that goes on."""
    log = pi.record()
    play(pi, log, "count the boxes", calls("bash", command="echo three boxes"))
    played = play(pi, log, "/skill:pack two small boxes", options=AGAIN)
    yield "session_start_continued", one(played, "session_start")
    yield "input_with_a_skill", one(played, "input")
    yield "before_agent_start_with_a_skill", one(played, "before_agent_start")
    yield from sessions(pi)


def compaction(pi: Pi) -> Named:
    """Fill the context until the client sums it up."""
    pi.set(compaction={"keepRecentTokens": 10})
    count = calls("bash", command="echo three boxes")
    played = play(pi, pi.record(), "count the boxes", count, filling(says("Three boxes.")))
    yield "session_before_compact", one(played, "session_before_compact")
    yield "session_compact", one(played, "session_compact")
    yield from sessions(pi)


def one(played: list[Json], event: str, text: str = "") -> Json:
    """Return the first payload of an event that has a text in it."""
    for sent in played:
        if sent["event"]["type"] == event and text in json.dumps(sent["event"]):
            return sent
    raise LookupError(f"no {event} {text} among {len(played)} payloads")


def sessions(pi: Pi) -> Named:
    """Yield what the client wrote of its sessions."""
    return transcripts(pi, pi.folder / "sessions")


SCENES: list[Scene[Pi]] = [tools, mention, compaction]
