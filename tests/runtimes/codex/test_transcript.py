"""A rollout is read once, as it grows, whatever state its lines are in."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.runtimes.codex.rollout_lines import (
    NAME,
    a_beginning,
    a_call,
    a_file,
    a_line,
    an_end,
    an_output,
    lines,
)

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.transcript import Step
from twiceshy.runtimes.codex.transcript import read_transcript


def test_a_result_that_was_told_is_not_told_again_by_a_later_pass(tmp_path: Path) -> None:
    call, ended = a_call("c1", "exec_command", cmd="make"), an_end("c1", 3)
    path = a_file(tmp_path / NAME, a_beginning(), call, ended)
    first = read_transcript(path)
    told = [step.key for step in first]
    with open(path, "ab") as file:
        file.write(a_line(an_output("c1", "Exit code: 3\nOutput:\n")))
        file.write(a_line(an_output("c2", "taped")))

    later = read_transcript(path, after=first.position)

    assert told == ["CallStep:c1", "ResultStep:c1"]
    assert [step.key for step in later] == ["ResultStep:c2"]


@pytest.mark.parametrize("kind", ["none", "link", "pipe", "folder", "nul"])
def test_only_a_plain_file_is_read(tmp_path: Path, kind: str) -> None:
    place = tmp_path / NAME
    if kind == "link":
        place.symlink_to(a_file(tmp_path / "real.jsonl", a_beginning()))
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    path = str(place) + ("\0" if kind == "nul" else "")

    with pytest.raises(TwiceshyError) as caught:
        list(read_transcript(path))

    assert caught.value.hint


# --- always and never


@given(st.binary())
@example(b'{"type":"session_meta","payload":{"source":[],"id":3}}\n{"type":"event_msg"}\n')
@example(b'{"type":"response_item","payload":{"type":"message","role":"user","content":[null]}}\n')
@example(
    b'{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange",'
    b'"id":"exec-1","changes":{"a":3}}}}\n'
)
@example(
    b'{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"shell",'
    b'"arguments":"{\\"command\\":[1,[]]}"}}\n'
)
@example(
    b'{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"McpToolCall",'
    b'"id":"exec-1","arguments":[],"result":[]}},"timestamp":7}\n'
)
def test_any_bytes_can_be_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.jsonl"
    path.write_bytes(content)

    assert all(isinstance(step, Step) for step in read_transcript(str(path)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type id payload item call_id name arguments input output content text role source"
                " status exit_code command cwd changes result message namespace reason".split()
            ),
            inner
            | st.sampled_from(
                "response_item event_msg compacted session_meta message function_call item_completed"
                " function_call_output CommandExecution McpToolCall FileChange UserMessage shell"
                " exec-1 turn_aborted interrupted user_message".split()
            ),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=8))
def test_any_records_can_be_read(tmp_path: Path, records: list[object]) -> None:
    path = a_file(tmp_path / "any.jsonl", *records)

    assert all(isinstance(step, Step) for step in read_transcript(path))


@given(lines, st.data())
def test_reading_in_two_pieces_is_reading_at_once(
    tmp_path: Path, content: list[bytes], data: st.DataObject
) -> None:
    path, known = tmp_path / NAME, set[str]()
    whole = b"".join([a_line(a_beginning()), *content])
    path.write_bytes(whole)
    at_once = list(read_transcript(str(path)))
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])

    first = read_transcript(str(path), known=known)
    pieces = list(first)
    path.write_bytes(whole)
    second = read_transcript(str(path), after=first.position, known=known)
    pieces += second

    assert pieces == at_once


@given(lines, lines)
def test_a_copy_read_after_the_original_yields_only_what_is_new(
    tmp_path: Path, past: list[bytes], future: list[bytes]
) -> None:
    parent, fork, known = tmp_path / "rollout-p.jsonl", tmp_path / "rollout-f.jsonl", set[str]()
    parent.write_bytes(b"".join(past))
    fork.write_bytes(b"".join([*past, *future]))
    before = {step.key for step in read_transcript(str(parent), known=known)}

    new = [step.key for step in read_transcript(str(fork), known=known)]

    assert before.isdisjoint(new)
