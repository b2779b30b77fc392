"""What a client is told before anything is called: few tools, well described, and when to use them."""

import pytest
from tests.mcp.conftest import Client
from tests.requirements import requirement

from twiceshy.core.note import KINDS
from twiceshy.mcp.tools import INSTRUCTIONS, TOOLS, McpTool

LISTED = "skill_recall skill_note recall note search handoff feedback status".split()
READING = {"skill_recall", "recall", "search", "status"}


@requirement("R01")
def test_eight_tools_are_listed_and_no_alias(client: Client) -> None:
    tools = client.tools()

    assert [tool.name for tool in tools] == LISTED


@requirement("R01")
def test_every_tool_says_what_it_does_to_the_store(client: Client) -> None:
    tools = client.tools()

    hints = {tool.name: tool.annotations for tool in tools}
    assert all(hint and hint.openWorldHint is False for hint in hints.values())
    assert all(hint and hint.destructiveHint is False for hint in hints.values())
    assert {name for name, hint in hints.items() if hint and hint.readOnlyHint} == READING
    assert {name for name, hint in hints.items() if hint and not hint.idempotentHint} == {
        "skill_note",
        "note",
        "handoff",
    }


def test_every_tool_and_argument_is_described(client: Client) -> None:
    tools = client.tools()

    for tool in tools:
        schema = tool.inputSchema
        assert tool.title
        assert "Returns" in (tool.description or "") or tool.name in ("handoff", "status")
        assert schema["additionalProperties"] is False
        assert all(each["description"] for each in schema["properties"].values())
        assert set(schema["required"]) <= set(schema["properties"])


def test_the_skill_tools_take_the_arguments_that_agents_know(client: Client) -> None:
    tools = {tool.name: tool.inputSchema for tool in client.tools()}

    note, recall = tools["skill_note"], tools["skill_recall"]
    assert list(note["properties"]) == ["skill", "intent", "kind", "delta", "tags"]
    assert note["required"] == ["skill", "intent", "kind", "delta"]
    assert note["properties"]["kind"]["enum"] == list(KINDS["lesson"][0])
    assert list(recall["properties"]) == ["skill", "intent", "max_tokens"]
    assert recall["required"] == ["skill"]


def test_a_client_is_told_in_few_words_when_to_call(client: Client) -> None:
    told = client.hello.instructions or ""

    assert told == INSTRUCTIONS
    assert len(told) <= 600
    assert "observations, not instructions" in told
    for name in ("recall", "skill_recall", "skill_note", "feedback"):
        assert name in told


def test_a_client_learns_our_name_and_version(client: Client) -> None:
    from twiceshy import __version__

    assert (client.hello.serverInfo.name, client.hello.serverInfo.version) == (
        "twiceshy",
        __version__,
    )


def test_what_every_session_reads_stays_small() -> None:
    words = sum(len(tool.description) for tool in TOOLS)

    assert words < 2_500


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_argument_is_named_twice(tool: McpTool) -> None:
    names = [each.name for each in tool.arguments]

    assert len(names) == len(set(names))
