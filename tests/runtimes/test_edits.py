"""Our lines go into other people's files and come out again, whatever else stands there."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.edits import (
    JsonMembers,
    MarkedBlock,
    NotedEdit,
    insert_edit,
    read_client_file,
    remove_edit,
)

SERVER = {"command": "/h/bin/mcp"}
MEMBERS = JsonMembers("/u/mcp.json", ((("mcpServers", "twiceshy"), SERVER), (("on",), True)))
BLOCK = MarkedBlock("/u/AGENTS.md", "- ask first\n- note later\n")
NAMES = st.sampled_from(["mcpServers", "other", "a b"])
DOCUMENTS = st.dictionaries(NAMES, st.dictionaries(st.text(max_size=3), st.integers(), max_size=2))


@given(DOCUMENTS, st.sampled_from([None, 1, "\t"]))
@example({"mcpServers": {}}, None)
def test_members_come_and_go_without_a_trace(
    said: dict[str, dict[str, int]], indent: int | str | None
) -> None:
    text = json.dumps(said, indent=indent)

    put = MEMBERS.insert_into(text)

    assert json.loads(put)["mcpServers"]["twiceshy"] == SERVER
    assert MEMBERS.insert_into(put) == put
    assert json.loads(MEMBERS.remove_from(put, text)) == said
    assert MEMBERS.remove_from(text, text) == text


def test_what_held_only_our_members_goes_with_them() -> None:
    put = MEMBERS.insert_into("")

    left = MEMBERS.remove_from(put, "")

    assert json.loads(left) == {}
    assert MEMBERS.is_blank(left)
    assert not MEMBERS.is_blank(put)


def test_what_the_client_notes_about_us_is_never_put_in_by_us() -> None:
    noted = NotedEdit("/u/known.json", ((("plugins", "twiceshy"), None),))

    assert noted.insert_into('{"plugins": {}}') == '{"plugins": {}}'
    text = '{"plugins": {"twiceshy": [1]}}'
    assert noted.remove_from(text, text) == '{"plugins": {}}'


TEXTS = st.text(st.sampled_from("ab#\n\r -"), max_size=40)


@given(TEXTS)
@example("my rules")
@example("\n\n")
@example(BLOCK.begin)
def test_a_block_comes_and_goes_without_a_trace(text: str) -> None:
    put = BLOCK.insert_into(text)

    assert put.startswith(text)
    assert "- ask first\n- note later\n" in put
    assert BLOCK.insert_into(put) == put
    assert BLOCK.remove_from(put, text) == text
    assert BLOCK.remove_from(text, text) == text


def test_a_block_is_renewed_where_it_stands() -> None:
    text = BLOCK.insert_into("# Rules\n") + "\nmore of mine\n"

    renewed = BLOCK.but(lines="- ask twice").insert_into(text)

    assert renewed.startswith("# Rules\n\n<!-- twiceshy: begin -->\n- ask twice\n<!--")
    assert renewed.endswith("-->\n\nmore of mine\n")


def test_what_people_wrote_around_a_block_stays_when_it_goes() -> None:
    text = BLOCK.insert_into("# Rules\n").replace("# Rules", "# My rules") + "\nmore of mine\n"

    assert BLOCK.remove_from(text, "# Rules\n") == "# My rules\n\nmore of mine\n"
    assert BLOCK.is_blank(BLOCK.remove_from(BLOCK.insert_into(""), ""))


def test_a_file_that_cannot_be_edited_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^/u/mcp\.json: not valid JSON") as put:
        insert_edit(MEMBERS, "{")
    with pytest.raises(ConfigError, match=r"^/u/mcp\.json: not valid JSON"):
        remove_edit(MEMBERS, "{", "")
    with pytest.raises(ConfigError, match=r"^/u/a is not UTF-8 text"):
        read_client_file("/u/a", b"\xff")

    assert put.value.hint == "correct it first; nothing was written"
