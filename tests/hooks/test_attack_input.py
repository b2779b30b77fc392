"""Whatever arrives on stdin, the hook ends well and says nothing but one JSON object, if anything."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hooks.attack import (
    EVENTS,
    Answer,
    compact,
    fire,
    fire_all,
    learns,
    payload,
    remember,
    surprises,
    well_behaved,
)

DEEP = 100_000
MEGABYTE = 1 << 20

MALFORMED = {
    "empty": b"",
    "blank": b" \n\t",
    "no JSON": b"hello",
    "cut short": compact(payload("SessionStart"))[:-10],
    "two objects": compact(payload("SessionStart")) * 2,
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "a string": b'"SessionStart"',
    "an empty object": b"{}",
    "not a number": b'{"session_id":NaN,"hook_event_name":-Infinity}',
    "a huge number": b'{"session_id":' + b"9" * 10_000 + b"}",
    "not UTF-8": compact(payload("SessionStart")).replace(b"startup", b"\xff\xfe\x80"),
    "UTF-16": json.dumps(payload("SessionStart")).encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf" + compact(payload("SessionStart")),
    "NUL bytes": b"\0" * 1000,
    "NUL in a name": compact(payload("SessionStart", cwd="/home/u\0/proj")),
    "NUL unescaped": compact(payload("SessionStart")).replace(b"startup", b"start\0up"),
    "a lone surrogate": b'{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/","prompt":"\\ud800"}',
    "deep lists": b"[" * DEEP,
    "deep lists closed": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP,
    "deep input": compact(payload("PreToolUse")).replace(
        b'"make release"', b"[" * DEEP + b"]" * DEEP
    ),
    "deep response": b'{"hook_event_name":"PostToolUse","tool_name":"Skill","session_id":"s","cwd":"/",'
    b'"tool_response":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
}

WRONG: list[Any] = [
    None,
    True,
    -1.5,
    "",
    "\x00\x1b[2J\u202e\u200b",
    "x" * 70_000,
    ["a", {"b": None}],
    {},
    {"command": ["rm"], "skill": {"name": "x"}, "file_path": 7, "stdout": [], "commandName": 3},
]

# Fields whose value no event of ours has, and the one that says which event it is.
UNREAD = ("hook_event_name", "prompt_id", "permission_mode", "duration_ms", "expansion_type")


class TestMalformed:
    @pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED)
    def test_what_is_no_event_is_met_with_silence(self, raw: bytes, home: Path) -> None:
        home.mkdir(mode=0o700)  # without a home nothing would be logged

        answer = fire(raw)

        assert answer.text == ""
        assert surprises(home) == []

    @pytest.mark.parametrize(
        "raw",
        [
            b"x" * (50 * MEGABYTE),
            compact(payload("PostToolUseFailure", error="x" * (50 * MEGABYTE))),
            compact(payload("UserPromptSubmit", prompt="y " * (12 * MEGABYTE))),
        ],
        ids=["garbage", "error", "prompt"],
    )
    def test_a_payload_of_fifty_megabytes_does_no_harm(self, raw: bytes, home: Path) -> None:
        answer = fire(raw)

        assert answer == Answer(0, b"", b"")
        assert surprises(home) == []
        assert sum(file.stat().st_size for file in home.rglob("*")) < 2 * MEGABYTE


class TestFields:
    @pytest.mark.parametrize("event", EVENTS)
    def test_no_field_is_needed(self, event: str, home: Path, tmp_path: Path) -> None:
        whole = payload(event, cwd=tmp_path)
        without = [{key: whole[key] for key in whole if key != gone} for gone in whole]
        emptied = [{**whole, key: {}} for key in whole if isinstance(whole[key], dict)]
        payloads = [compact(one) for one in (*without, *emptied)]

        remember(home)

        answers = fire_all(payloads)

        assert well_behaved(answers)
        assert surprises(home) == []

    @pytest.mark.parametrize("event", EVENTS)
    def test_no_field_has_to_be_of_its_type(self, event: str, home: Path, tmp_path: Path) -> None:
        whole = payload(event, cwd=tmp_path)
        payloads = [
            compact({**whole, key: wrong}) for key in whole if key not in UNREAD for wrong in WRONG
        ]
        remember(home)

        answers = fire_all(payloads)

        assert well_behaved(answers)
        assert learns().text == ""
        assert surprises(home) == []

    @pytest.mark.parametrize("wrong", WRONG, ids=repr)
    def test_an_event_that_has_no_name_is_met_with_silence(
        self, wrong: object, home: Path
    ) -> None:
        answer = fire({**payload("SessionStart"), "hook_event_name": wrong})

        assert answer.text == ""
        assert surprises(home) == []

    @pytest.mark.parametrize("event", ["InstructionsLoaded", "MessageDisplay", "Nonsense", "stop"])
    def test_an_event_that_nobody_knows_is_met_with_silence(self, event: str, home: Path) -> None:
        assert fire(payload(event)).text == ""
        assert not home.exists()

    @pytest.mark.parametrize("event", EVENTS)
    def test_blanks_and_the_order_of_keys_change_nothing(
        self, event: str, tmp_path: Path, home: Path
    ) -> None:
        one, two, three = (
            payload(event, cwd=tmp_path, session_id=f"session-{name}") for name in "abc"
        )
        remember(home)

        answers = fire_all(
            [
                compact(one),
                json.dumps(two, indent=2).encode(),
                compact(dict(reversed(three.items()))),
            ]
        )

        assert len({answer.text for answer in answers}) == 1
        assert surprises(home) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("command skill args file_path stdout stderr commandName x".split()),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
TOOLS = st.sampled_from("Bash Skill Read Edit Write WebFetch mcp__x__y".split())


@st.composite
def odd_payloads(draw: st.DrawFn, event: str) -> bytes:
    """Return an event whose fields may each be anything."""
    whole = payload(event)
    if "tool_name" in whole:
        whole["tool_name"] = draw(TOOLS)
    for key in draw(st.lists(st.sampled_from(sorted(whole)), max_size=3)):
        if key != "hook_event_name":
            whole[key] = draw(JSON)
    return compact(whole)


class TestAnything:
    @pytest.mark.parametrize("event", EVENTS)
    @settings(max_examples=2)
    @given(data=st.data())
    def test_an_event_may_say_anything(self, event: str, data: st.DataObject, home: Path) -> None:
        payloads = data.draw(st.lists(odd_payloads(event), min_size=6, max_size=10))
        remember(home)

        answers = fire_all(payloads)

        assert well_behaved(answers)
        assert surprises(home) == []

    @pytest.mark.parametrize("event", EVENTS)
    @settings(max_examples=2)
    @given(data=st.data())
    def test_any_bytes_may_be_among_those_of_an_event(
        self, event: str, data: st.DataObject, home: Path
    ) -> None:
        whole = compact(payload(event))
        payloads = []
        for noise in data.draw(st.lists(st.binary(max_size=30), min_size=6, max_size=10)):
            at = data.draw(st.integers(0, len(whole)))
            payloads.append(whole[:at] + noise + whole[at + len(noise) :])
        remember(home)

        answers = fire_all(payloads)

        assert well_behaved(answers)
        assert surprises(home) == []

    @settings(max_examples=5)
    @given(payloads=st.lists(st.binary(max_size=200), min_size=10, max_size=20))
    def test_stdin_may_hold_any_bytes(self, payloads: list[bytes], home: Path) -> None:
        answers = fire_all(payloads)

        assert answers == [Answer(0, b"", b"")] * len(payloads)
        assert surprises(home) == []
