"""A transcript is read once, as it grows, whatever state its lines are in."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.runtimes.claude_code.transcript_lines import (
    FORK,
    SESSION,
    SHOP,
    a_file,
    a_line,
    a_record,
    a_return,
    a_text,
    a_use,
    by_agent,
    by_user,
    lines,
)

from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.transcript import Step, SummaryStep, UserMessage
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.claude_code.transcript import read_transcript


def texts(steps: list[Step]) -> list[str]:
    return [step.text for step in steps if isinstance(step, UserMessage)]


def test_a_second_pass_reads_only_what_is_new(tmp_path: Path) -> None:
    path = a_file(tmp_path / f"{SESSION}.jsonl", by_user("u1", "pack"))
    first = read_transcript(path)
    steps = list(first)
    with open(path, "ab") as file:
        file.write(a_line(by_user("u2", "ship")))

    second = read_transcript(path, after=first.position)

    assert texts(steps) == ["pack"]
    assert texts(list(second)) == ["ship"]
    assert list(read_transcript(path, after=second.position)) == []


def test_a_position_is_a_short_text(tmp_path: Path) -> None:
    reading = read_transcript(str(SHOP / f"{SESSION}.jsonl"))
    list(reading)

    assert reading.position.startswith(f"{(SHOP / f'{SESSION}.jsonl').stat().st_size}-")
    assert len(reading.position) < 30
    assert reading.position.isascii()


def test_a_pass_that_is_made_again_ends_at_the_same_place() -> None:
    reading = read_transcript(str(SHOP / f"{SESSION}.jsonl"))
    list(reading)
    position = reading.position

    again = list(reading)

    assert again == []  # every step is known by now
    assert reading.position == position


def test_a_line_is_read_when_its_end_is_written(tmp_path: Path) -> None:
    path, line = tmp_path / "s.jsonl", a_line(by_user("u1", "pack"))
    path.write_bytes(line[:-1])
    early = read_transcript(str(path))
    nothing = list(early)
    path.write_bytes(line)

    later = read_transcript(str(path), after=early.position)

    assert nothing == []
    assert early.unusable == 0
    assert texts(list(later)) == ["pack"]


def test_a_file_that_was_replaced_is_read_anew_without_what_is_known(tmp_path: Path) -> None:
    path, known = tmp_path / "s.jsonl", set[str]()
    a_file(path, by_user("u1", "pack"), by_user("u2", "fold"), by_user("u3", "ship"))
    first = read_transcript(str(path), known=known)
    list(first)
    a_file(path, by_user("u0", "come in"), by_user("u1", "pack"), by_user("u2", "fold the lids"))

    second = read_transcript(str(path), after=first.position, known=known)

    assert texts(list(second)) == ["come in"]


def test_a_file_that_was_replaced_by_one_of_the_same_size_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    first = read_transcript(a_file(path, by_user("u1", "pack")))
    list(first)
    a_file(path, by_user("u2", "fold"))

    assert texts(list(read_transcript(str(path), after=first.position))) == ["fold"]


def test_a_file_that_shrank_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    a_file(path, by_user("u1", "pack"), by_user("u2", "fold"))
    first = read_transcript(str(path))
    list(first)
    a_file(path, by_user("u1", "pack"))

    assert texts(list(read_transcript(str(path), after=first.position))) == ["pack"]


@pytest.mark.parametrize(
    "after",
    ["", "x", "-", "12", "12-", "12-zz", "0-0", "99999999999999999999-0", "-5-1", "1-2-3-4"],
)
def test_a_position_that_is_none_means_the_beginning(tmp_path: Path, after: str) -> None:
    path = a_file(tmp_path / "s.jsonl", by_user("u1", "pack"))

    assert texts(list(read_transcript(path, after=after))) == ["pack"]


def test_a_fork_adds_only_what_its_parent_does_not_hold() -> None:
    known = set[str]()
    list(read_transcript(str(SHOP / f"{SESSION}.jsonl"), known=known))

    fork = read_transcript(str(SHOP / f"{FORK}.jsonl"), known=known)

    assert [step.key for step in fork] == [
        "UserMessage:00000000-0000-4000-9000-000000000040",
        "CallStep:toolu_00000000000000000020",
        "ResultStep:toolu_00000000000000000020",
    ]


def test_a_step_that_a_file_holds_twice_is_yielded_once(tmp_path: Path) -> None:
    same = by_agent("u1", a_text("packing"), a_use("toolu_1", "Bash", command="make"))
    path = a_file(tmp_path / "s.jsonl", same, same, by_agent("u9", a_use("toolu_1", "Bash")))

    reading = read_transcript(path)

    assert [step.key for step in reading] == ["AgentMessage:u1", "CallStep:toolu_1"]


def test_broken_lines_are_counted_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    whole = a_line(by_user("u1", "pack"))
    deep = b'{"message":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    glued = whole[:40] + whole
    path.write_bytes(
        b"".join([whole[:-20], b"\n", b"\xff\xfe\n", b"\n", glued, deep, b'["message"]\n', whole])
    )

    reading = read_transcript(str(path))

    assert texts(list(reading)) == ["pack"]
    assert reading.unusable == 5


def test_bytes_that_are_no_text_cost_a_character_not_the_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(a_line(by_user("u1", "pack XX")).replace(b"XX", b"\xff"))

    assert texts(list(read_transcript(str(path)))) == ["pack \ufffd"]


def test_half_a_character_never_leaves_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(a_line(by_user("u1", "pack XX")).replace(b"XX", b"\\ud83d"))

    (said,) = texts(list(read_transcript(str(path))))

    assert said.encode() == b"pack ?"


def test_a_line_that_is_too_long_is_passed_over_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 4_000)
    monkeypatch.setattr(jsonl, "_CHUNK", 700)
    path = a_file(
        tmp_path / "s.jsonl", by_user("u1", "x" * 9_000), by_user("u2", "pack"), by_user("u3", "y")
    )
    first = read_transcript(path)
    steps = list(first)

    assert texts(steps) == ["pack", "y"]
    assert first.unusable == 1
    assert list(read_transcript(path, after=first.position)) == []


def test_a_reader_that_stops_half_way_begins_again_at_that_line(tmp_path: Path) -> None:
    path = a_file(tmp_path / "s.jsonl", by_user("u1", "pack"), by_user("u2", "ship"))
    first = read_transcript(path)
    next(iter(first))

    assert texts(list(read_transcript(path, after=first.position))) == ["pack", "ship"]


def test_a_compaction_is_automatic_even_if_a_pass_ended_before_its_summary(tmp_path: Path) -> None:
    marked = a_record(
        "system", "u1", subtype="compact_boundary", compactMetadata={"trigger": "auto"}
    )
    path = a_file(tmp_path / "s.jsonl", marked)
    first = read_transcript(path)
    list(first)
    with open(path, "ab") as file:
        file.write(a_line(by_user("u2", "Summary:\nfolded", isCompactSummary=True)))
        file.write(a_line(by_user("u3", "Summary:\nagain", isCompactSummary=True)))

    summaries = list(read_transcript(path, after=first.position))

    assert [step.automatic for step in summaries if isinstance(step, SummaryStep)] == [True, False]


def test_what_is_missing_is_said_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        list(read_transcript(str(tmp_path / "none.jsonl")))

    assert caught.value.hint


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "nul"])
def test_only_a_plain_file_is_read(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "s.jsonl"
    if kind == "link":
        place.symlink_to(SHOP / f"{SESSION}.jsonl")
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    path = str(place) + ("\0" if kind == "nul" else "")

    with pytest.raises(TwiceshyError):
        list(read_transcript(path))


# --- always and never


@given(st.binary())
@example(b'{"message":{},"type":"user"}\n')
@example(b'{"type":"user","message":{"content":[null,3,{"type":"tool_result"}]}}\n')
@example(b'{"type":"assistant","message":{"content":[{"type":"tool_use","input":null}]}}\n')
@example(b'{"type":"attachment","attachment":{"type":"queued_command"},"timestamp":5}\n')
@example(b'{"type":"user","message":"x","sessionId":[],"timestamp":"2026-13-99T99:99:99Z"}\n')
def test_any_bytes_can_be_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any.jsonl"
    path.write_bytes(content)

    assert all(isinstance(step, Step) for step in read_transcript(str(path)))


@given(lines, st.data())
def test_reading_in_two_pieces_is_reading_at_once(
    tmp_path: Path, content: list[bytes], data: st.DataObject
) -> None:
    path, known = tmp_path / "pieces.jsonl", set[str]()
    whole = b"".join(content)
    path.write_bytes(whole)
    at_once = list(read_transcript(str(path)))
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])

    first = read_transcript(str(path), known=known)
    pieces = list(first)
    path.write_bytes(whole)
    second = read_transcript(str(path), after=first.position, known=known)
    pieces += second

    assert pieces == at_once
    assert second.position == read_to_the_end(str(path))


def read_to_the_end(path: str) -> str:
    reading = read_transcript(path)
    list(reading)
    return reading.position


@given(lines, lines)
def test_a_fork_read_after_its_parent_yields_only_what_is_new(
    tmp_path: Path, past: list[bytes], future: list[bytes]
) -> None:
    parent, fork, known = tmp_path / "parent.jsonl", tmp_path / "fork.jsonl", set[str]()
    parent.write_bytes(b"".join(past))
    fork.write_bytes(b"".join([*past, *future]))
    before = {step.key for step in read_transcript(str(parent), known=known)}

    new = [step.key for step in read_transcript(str(fork), known=known)]

    assert before.isdisjoint(new)
    assert before.union(new) == {step.key for step in read_transcript(str(fork))}


def test_a_result_without_a_call_in_the_file_is_still_yielded(tmp_path: Path) -> None:
    path = a_file(tmp_path / "s.jsonl", by_user("u1", [a_return("toolu_1", "done")]))

    assert [step.key for step in read_transcript(path)] == ["ResultStep:toolu_1"]
