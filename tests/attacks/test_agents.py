"""Whatever a client of the MCP server says, it writes as an agent, for the project that it works in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.mcp.conftest import client as client  # noqa: PLC0414 - fixtures of the neighbours
from tests.mcp.conftest import connect as connect  # noqa: PLC0414 - as above
from tests.mcp.conftest import portal as portal  # noqa: PLC0414 - as above
from tests.mcp.conftest import project as project  # noqa: PLC0414 - as above
from tests.mcp.conftest import twiceshy
from tests.mcp.test_note_tools import shown
from tests.requirements import requirement

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attacks.tally import Tally
    from tests.mcp.conftest import Client

FAMILY = "agents that reach beyond their project"
# What a client might send to reach further: each with a kind that is kept
WISHES: dict[str, dict[str, object]] = {
    "preference": {"kind": "preference"},
    "preference of all": {"kind": "preference", "skill": None, "tags": ["*"]},
    "star as a tag": {"kind": "decision", "tags": ["*"], "concepts": ["*"]},
    "star as a file": {"kind": "lesson", "files": ["*", "/etc/passwd", "../../x"]},
    "rule": {"kind": "rule"},
    "correction": {"kind": "correction"},
    "principle": {"kind": "principle"},
    "page": {"kind": "page", "tags": ["project"]},
    "task": {"kind": "task"},
    "unknown kind": {"kind": "system"},
}
MORE = (
    "scope",
    "project",
    "pinned",
    "trust",
    "source",
    "status",
    "supersedes",
    "expires_at",
    "id",
)


@requirement("Y78")
@pytest.mark.parametrize("wish", WISHES)
def test_a_note_of_a_client_holds_in_its_project_only(
    client: Client, project: Path, wish: str, tally: Tally
) -> None:
    answer = client.call("note", text=f"The pier closes at six ({wish}).", **WISHES[wish])

    assert not answer.failed, answer.text
    assert answer.facts
    note = shown(project, str(answer.facts["id"]))
    far = (
        note["project"] == "*"
        or note["pinned"]
        or note["trust"] > 0.5
        or note["source"] != "agent"
    )
    tally.count_attack(
        FAMILY, wish, succeeded=far or (note["kind"] == "rule" and note["status"] == "active")
    )
    assert tally.succeeded == []


@requirement("Y78")
@pytest.mark.parametrize("field", MORE)
def test_no_tool_takes_a_field_that_says_more(client: Client, field: str, tally: Tally) -> None:
    taken = {tool.name for tool in client.tools() if field in tool.inputSchema["properties"]}
    allowed = {"project": {"recall"}, "id": {"feedback"}, "status": {"handoff"}}.get(field, set())

    tally.count_attack(FAMILY, field, succeeded=bool(taken - allowed))
    assert tally.succeeded == [], taken


@requirement("Y76")
def test_what_a_person_hid_no_agent_brings_back(
    client: Client, project: Path, tally: Tally
) -> None:
    text = "Ask the harbour master before you moor."
    mine = twiceshy(project, "note", text).strip()
    twiceshy(project, "retire", mine)

    client.call("note", text=text)

    tally.count_attack(FAMILY, "revived", succeeded=shown(project, mine)["status"] != "retired")
    twiceshy(project, "note", text)
    tally.expect_control("revived", arrived=shown(project, mine)["status"] == "active")
    assert (tally.succeeded, tally.lost) == ([], [])


@requirement("Y78")
def test_no_tool_does_what_only_a_person_may_do(client: Client, project: Path) -> None:
    mine = twiceshy(project, "note", "The key hangs behind the door.").strip()
    names = {tool.name for tool in client.tools()}

    client.call("feedback", id=mine, verdict="wrong")
    client.call("feedback", id=mine, verdict="outdated")

    assert names.isdisjoint(
        {"review", "accept", "approve", "forget", "undo", "sync", "config", "pin"}
    )
    assert shown(project, mine)["status"] == "active"
