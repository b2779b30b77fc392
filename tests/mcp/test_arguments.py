"""Whatever a client sends as arguments, it is told what is allowed, nothing is written, and the server goes on."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mcp.conftest import Client
from tests.requirements import requirement

from twiceshy.core.errors import TwiceshyError
from twiceshy.mcp.arguments import ArgumentError, ToolArgument, build_schema, check_arguments
from twiceshy.mcp.session import McpSession
from twiceshy.mcp.tools import TOOLS, McpTool

BAD: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("skill_note", {}, ("'skill' is missing",)),
    ("skill_note", {"skill": "release", "kind": "gotcha"}, ("'intent' is missing",)),
    (
        "skill_note",
        {"skill": "release", "intent": "i", "kind": "odd", "delta": "d"},
        ("'kind' is 'odd'", "one of: gotcha, discovery, fix, workflow"),
    ),
    ("skill_note", {"skill": "../up", "intent": "i", "kind": "fix", "delta": "d"}, ("skill",)),
    ("skill_note", {"skill": "release", "intent": "i", "kind": "fix", "delta": " "}, ("'delta' is empty",)),
    ("skill_recall", {"skill": 7}, ("'skill' is 7", "a string")),
    ("skill_recall", {"skill": "release", "max_tokens": 10}, ("'max_tokens' is 10", "from 50 to 2000")),
    ("skill_recall", {"skill": "release", "max_tokens": "many"}, ("'max_tokens'", "whole number")),
    ("recall", {"intent": "x" * 20_001}, ("'intent' has 20,001 characters", "20,000")),
    ("search", {"query": "q", "kind": "memo"}, ("'kind' is 'memo'", "decision")),
    ("note", {"text": "t", "files": "a.py"}, ("'files' is 'a.py'", "a list")),
    ("note", {"text": "t", "files": ["x" * 501]}, ("'files' has an item",)),
    ("note", {"text": "t", "concepts": ["x"] * 51}, ("'concepts' has 51 items",)),
    ("note", {"text": "t\u202eevil"}, ("invisible or control character",)),
    ("search", {"query": "q", "limit": 51}, ("'limit' is 51", "from 1 to 50")),
    ("search", {"query": "q", "all_projects": "yes"}, ("'all_projects' is 'yes'", "true or false")),
    ("handoff", {"action": "delete"}, ("'action' is 'delete'", "write, read")),
    ("feedback", {"id": "n1", "verdict": "bad"}, ("'verdict' is 'bad'", "helped, wrong, outdated")),
    ("status", {"verbose": True}, ("no argument 'verbose'", "allowed: none")),
    ("erase", {}, ("no tool 'erase'", "skill_recall")),
]  # fmt: skip


@requirement("R02")
@pytest.mark.parametrize(("tool", "given", "words"), BAD)
def test_a_wrong_argument_is_named_with_what_is_allowed_and_nothing_is_written(
    client: Client, tool: str, given: dict[str, Any], words: tuple[str, ...]
) -> None:
    said = client.refused(tool, **given)

    assert all(word in said for word in words), said
    assert "in all: none yet" in client.do("status")


def test_null_is_as_good_as_leaving_it_out(client: Client) -> None:
    client.do("note", text="Orders are numbered.", kind=None, why=None, tags=None, files=None)

    assert "numbered" in client.do("search", query="orders", limit=None, all_projects=None)


def test_a_whole_number_may_come_with_a_point(client: Client) -> None:
    assert client.do("search", query="orders", limit=5.0).startswith("Nothing was found")


def test_the_schema_says_what_the_check_allows() -> None:
    arguments = (
        ToolArgument("name", "A name.", required=True, most=5),
        ToolArgument("size", "A size.", "integer", least=1, most=9, default=3),
        ToolArgument("kind", "A kind.", choices=("a", "b"), also=("c",)),
        ToolArgument("parts", "Parts.", "strings"),
        ToolArgument("whole", "All of it.", "boolean", default=False),
    )

    assert build_schema(arguments) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "A name.", "maxLength": 5},
            "size": {"type": "integer", "description": "A size.", "minimum": 1, "maximum": 9, "default": 3},
            "kind": {"type": "string", "description": "A kind.", "enum": ["a", "b"]},
            "parts": {"type": "array", "items": {"type": "string", "maxLength": 500}, "maxItems": 50, "description": "Parts."},
            "whole": {"type": "boolean", "description": "All of it.", "default": False},
        },
        "required": ["name"],
        "additionalProperties": False,
    }  # fmt: skip
    assert check_arguments(arguments, {"name": "x", "kind": "c"}) == {
        "name": "x",
        "size": 3,
        "kind": "c",
        "parts": (),
        "whole": False,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(TOOLS), st.data())
def test_arguments_of_any_kind_are_understood_or_refused_in_words(
    tool: McpTool, data: Any
) -> None:
    names = [each.name for each in tool.arguments]
    keys = st.sampled_from(names) | st.text(max_size=8) if names else st.text(max_size=8)
    sent = data.draw(st.dictionaries(keys, JSON, max_size=5))

    try:
        understood, refused = list(check_arguments(tool.arguments, sent)), None
    except ArgumentError as error:
        understood, refused = names, error

    assert understood == names
    assert refused is None or (refused.hint and str(refused).isprintable())


def values_of(argument: ToolArgument) -> st.SearchStrategy[Any]:
    """Return values that pass the check, odd ones included."""
    text = st.text(max_size=40) | st.sampled_from(
        ["release", "../../etc", "/etc/passwd", "~", "*", "", "n1", "a:b", "a\x00b", "'; DROP TABLE notes"]
    )  # fmt: skip
    match argument.shape:
        case "integer":
            return st.integers(argument.least, argument.most)
        case "boolean":
            return st.booleans()
        case "strings":
            return st.lists(text, max_size=3)
        case _ if argument.choices:
            return st.sampled_from(argument.choices)
        case _:
            return text


@settings(max_examples=60)
@given(data=st.data())
def test_no_value_of_an_argument_breaks_a_tool_or_writes_outside_of_the_memory_home(
    data: Any, session: McpSession, tmp_path: Path, home: Path
) -> None:
    tool = data.draw(st.sampled_from(TOOLS))
    sent = {
        each.name: data.draw(values_of(each))
        for each in tool.arguments
        if each.required or data.draw(st.booleans())
    }
    before = files(tmp_path, but=home)

    try:
        said = tool.act(session, **check_arguments(tool.arguments, sent)).text
    except TwiceshyError as error:
        said = str(error)

    assert said
    assert files(tmp_path, but=home) == before


def files(folder: Path, *, but: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if but not in (path, *path.parents)}
