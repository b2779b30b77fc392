"""Our lines go into other people's files and come out again, whatever else stands there."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.edits import Block, Members, Noted, put_into, taken, text_of

SERVER = {"command": "/h/bin/mcp"}
MEMBERS = Members("/u/mcp.json", ((("mcpServers", "twiceshy"), SERVER), (("on",), True)))
BLOCK = Block("/u/AGENTS.md", "- ask first\n- note later\n")
NAMES = st.sampled_from(["mcpServers", "other", "a b"])
DOCUMENTS = st.dictionaries(NAMES, st.dictionaries(st.text(max_size=3), st.integers(), max_size=2))


@given(DOCUMENTS, st.sampled_from([None, 1, "\t"]))
@example({"mcpServers": {}}, None)
def test_members_come_and_go_without_a_trace(
    said: dict[str, dict[str, int]], indent: int | str | None
) -> None:
    text = json.dumps(said, indent=indent)

    put = MEMBERS.put(text)

    assert json.loads(put)["mcpServers"]["twiceshy"] == SERVER
    assert MEMBERS.put(put) == put
    assert json.loads(MEMBERS.take(put, text)) == said
    assert MEMBERS.take(text, text) == text


def test_what_held_only_our_members_goes_with_them() -> None:
    put = MEMBERS.put("")

    left = MEMBERS.take(put, "")

    assert json.loads(left) == {}
    assert MEMBERS.empty(left)
    assert not MEMBERS.empty(put)


def test_what_the_client_notes_about_us_is_never_put_in_by_us() -> None:
    noted = Noted("/u/known.json", ((("plugins", "twiceshy"), None),))

    assert noted.put('{"plugins": {}}') == '{"plugins": {}}'
    text = '{"plugins": {"twiceshy": [1]}}'
    assert noted.take(text, text) == '{"plugins": {}}'


TEXTS = st.text(st.sampled_from("ab#\n\r -"), max_size=40)


@given(TEXTS)
@example("my rules")
@example("\n\n")
@example(BLOCK.begin)
def test_a_block_comes_and_goes_without_a_trace(text: str) -> None:
    put = BLOCK.put(text)

    assert put.startswith(text)
    assert "- ask first\n- note later\n" in put
    assert BLOCK.put(put) == put
    assert BLOCK.take(put, text) == text
    assert BLOCK.take(text, text) == text


def test_a_block_is_renewed_where_it_stands() -> None:
    text = BLOCK.put("# Rules\n") + "\nmore of mine\n"

    renewed = BLOCK.but(lines="- ask twice").put(text)

    assert renewed.startswith("# Rules\n\n<!-- twiceshy: begin -->\n- ask twice\n<!--")
    assert renewed.endswith("-->\n\nmore of mine\n")


def test_what_people_wrote_around_a_block_stays_when_it_goes() -> None:
    text = BLOCK.put("# Rules\n").replace("# Rules", "# My rules") + "\nmore of mine\n"

    assert BLOCK.take(text, "# Rules\n") == "# My rules\n\nmore of mine\n"
    assert BLOCK.empty(BLOCK.take(BLOCK.put(""), ""))


def test_a_file_that_cannot_be_edited_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^/u/mcp\.json: not valid JSON") as put:
        put_into(MEMBERS, "{")
    with pytest.raises(ConfigError, match=r"^/u/mcp\.json: not valid JSON"):
        taken(MEMBERS, "{", "")
    with pytest.raises(ConfigError, match=r"^/u/a is not UTF-8 text"):
        text_of("/u/a", b"\xff")

    assert put.value.hint == "correct it first; nothing was written"
