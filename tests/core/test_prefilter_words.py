"""A payload's bytes tell whether a call may be worth a look."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twiceshy.core.prefilter_words import hash_name, payload_may_match, required_words
from twiceshy.core.trigger import Trigger
from twiceshy.shell.call_words import call_words

GH = required_words(Trigger("Bash", ("gh", "--stat")))


def payload(command: str) -> bytes:
    return json.dumps({"tool_name": "Bash", "tool_input": {"command": command}}).encode()


@pytest.mark.parametrize(
    ("command", "worth"),
    [
        ("gh pr diff --stat", True),
        ('g"h" pr diff "--stat"', True),
        ("gh pr diff --name-only", False),
        ("git diff --stat", False),
    ],
)
def test_a_call_is_worth_a_look_if_it_holds_all_words_of_one_trigger(
    command: str, worth: bool
) -> None:
    lines = required_words(Trigger("Bash", ("rtk", "bun"))) + GH

    assert payload_may_match(lines, payload(command)) is worth


def test_nothing_is_worth_a_look_where_no_note_is_about_a_call() -> None:
    assert not payload_may_match(b"", payload("gh pr diff --stat"))


@pytest.mark.parametrize("gram", ["skill=提交", "it's", 'say"so', "a\\b"])
def test_what_json_writes_in_another_way_is_not_looked_for_so_the_call_always_is(
    gram: str,
) -> None:
    lines = required_words(Trigger("Skill", (gram,)))

    assert payload_may_match(lines, b"{}")


def test_of_an_argument_only_its_value_stands_in_the_payload() -> None:
    lines = required_words(Trigger("Skill", ("skill=commit",)))

    assert payload_may_match(lines, b'{"skill": "commit"}')
    assert not payload_may_match(lines, b'{"skill": "release"}')


def test_a_file_is_named_after_a_project_by_digits_and_letters_alone() -> None:
    names = {hash_name(what) for what in (b"", b"git:1", b"git:2", "/home/ü".encode())}

    assert len(names) == 4
    assert all(len(name) == 16 and name.isalnum() for name in names)


shell = st.lists(
    st.sampled_from(
        [
            *"ab \t\n\\'\"|;&()<>=/-!~.",
            "git",
            "--stat",
            "src/",
            "a/b",
            "提交",
            "é",
            "\u2028",
            "x=y",
        ]
    ),
    max_size=30,
).map("".join)
values = shell | st.text(max_size=12)
calls = st.one_of(
    st.fixed_dictionaries({"command": shell}),
    st.fixed_dictionaries({"cmd": st.lists(shell, max_size=3)}),
    st.dictionaries(
        st.sampled_from(["file_path", "path", "skill", "a=b", "q"]), values, max_size=3
    ),
)


@given(calls, st.data(), st.booleans(), st.sampled_from([None, (",", ":")]))
def test_every_payload_that_a_trigger_matches_is_heard_however_the_client_writes_json(
    arguments: dict[str, object],
    data: st.DataObject,
    escaped: bool,
    separators: tuple[str, str] | None,
) -> None:
    parts = call_words(arguments)
    assume(parts)
    part = data.draw(st.sampled_from(parts))
    grams = data.draw(st.sets(st.sampled_from(part), min_size=1))
    written = json.dumps(
        {"tool_name": "Bash", "tool_input": arguments}, ensure_ascii=escaped, separators=separators
    )
    trigger = Trigger("Bash", tuple(grams))

    assert trigger.matches("Bash", parts)
    assert payload_may_match(required_words(trigger), written.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("what", "name"),
    [(b"", "cbf29ce484222325"), (b"a", "af63dc4c8601ec8c"), (b"foobar", "85944171f73967e8")],
)
def test_the_name_of_a_file_is_the_fnv_1a_of_what_it_is_about(what: bytes, name: str) -> None:
    assert hash_name(what) == name
