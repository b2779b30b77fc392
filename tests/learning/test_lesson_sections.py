"""Lessons are found under headings that promise some, in text and in sessions kept as JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.learning.flush import (
    Passage,
    find_lessons,
    parse_checkpoint,
    split_passages,
)

LONG = "x" * 221


def found(text: str, suffix: str = "") -> list[str]:
    return [one.text for one in find_lessons(split_passages(text, suffix=suffix))]


@pytest.mark.parametrize(
    "heading",
    [
        "# Lessons",
        "###### lessons learned:",
        "## Key Takeaways",
        "## INSIGHTS",
        "## A lesson",
        "## 经验",
        "## 教训",
        "## 沉淀",
        "## 会话总结",
        "## 經驗教訓",
    ],
)
def test_a_heading_that_promises_lessons_opens_a_section(heading: str) -> None:
    assert found(f"- before\n{heading}\n- use the lock\n## Next\n- after") == ["use the lock"]


@pytest.mark.parametrize("heading", ["####### Lessons", "#Lessons", "Lessons", "## Summary"])
def test_other_lines_open_none(heading: str) -> None:
    assert found(f"{heading}\n- use the lock") == []


def test_any_other_heading_closes_it_and_the_next_promise_opens_it_again() -> None:
    text = "## Lessons\n- a\n### Details\n- b\n## Takeaways\n- c"

    assert found(text) == ["a", "c"]


@pytest.mark.parametrize(
    ("line", "lesson"),
    [
        ("- dash", "dash"),
        ("* star", "star"),
        ("12. number", "number"),
        ("3) number", "number"),
        ("   -   much \t space  ", "much space"),
        ("exactly12chr", "exactly12chr"),
        ("y" * 220, "y" * 220),
        (f"- {LONG}", LONG),
        ("- on\n  two lines", "on two lines"),
        ("- use [HIT:3] here", "use [HIT:3] here"),
    ],
)
def test_items_and_lines_of_fitting_length_are_lessons(line: str, lesson: str) -> None:
    assert found(f"## Lessons\n{line}") == [lesson]


@pytest.mark.parametrize(
    "line",
    ["too short", LONG, "-dash", "-", "- None.", "* n/a", "- 无", "What we have learned today:"],
)
def test_what_says_nothing_is_no_lesson(line: str) -> None:
    assert found(f"## Lessons\n{line}") == []


def test_code_is_no_lesson_and_its_comments_are_no_headings() -> None:
    text = "## Lessons\n- a\n```sh\n# lessons in a comment\nmake everything again\n```\n- b"

    assert found(text) == ["a", "b"]


def test_a_line_without_indent_is_a_lesson_of_its_own() -> None:
    assert found("## Lessons\n- an item\nand a line of its own") == [
        "an item",
        "and a line of its own",
    ]


def test_the_same_lesson_in_other_case_counts_once() -> None:
    assert found("## Lessons\n- Use the lock\n- USE  the lock") == ["Use the lock"]


def test_the_texts_of_a_json_session_are_read_one_by_one() -> None:
    session = {
        "id": "a string that is long enough",
        "n": 3,
        "messages": [
            {"role": "user", "content": "## Lessons\n- said by the user"},
            {"role": "assistant", "content": [{"type": "output_text", "text": "prose as ever"}]},
            {"lines": ["## Takeaways", "- of a list", "and a line of it"]},
        ],
    }

    assert found(json.dumps(session), ".json") == [
        "said by the user",
        "of a list",
        "and a line of it",
    ]


def test_a_heading_says_nothing_about_the_next_text_of_a_session() -> None:
    lines = [{"text": "## Lessons\n- a"}, {"text": "- b"}, {"text": "Running the tests now"}]

    assert found("\n".join(map(json.dumps, lines)), ".JSONL") == ["a"]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".md", ".txt", ".log", ""])
def test_what_is_no_json_is_taken_as_it_is(suffix: str) -> None:
    assert found("{broken\n## Lessons\n- a", suffix) == ["a"]


def test_a_record_ends_with_its_line_and_at_no_other_separator() -> None:
    text = json.dumps({"text": "## Lessons\n- a \u2028 b"}, ensure_ascii=False)

    assert found(text, ".jsonl") == ["a b"]


def test_lines_between_records_belong_together() -> None:
    text = '{"text": "## Lessons\\n- a"}\n## Lessons\n- b\n{"text": "- c"}\n- d'

    assert found(text, ".jsonl") == ["a", "b"]


@pytest.mark.parametrize(
    "record",
    [
        {"type": "function_call_output", "output": "TEXT"},
        {"type": "tool_result", "content": [{"type": "text", "text": "TEXT"}]},
        {"type": "exec_command_end", "aggregated_output": "TEXT"},
        {"role": "tool", "content": "TEXT"},
        {"toolUseResult": {"stdout": "TEXT"}},
        {"call": {"output": "TEXT"}},
        {"stderr": ["TEXT"]},
    ],
)
def test_what_a_tool_printed_is_told_apart(record: Any) -> None:
    text = json.dumps(record).replace("TEXT", "## Lessons\\n- run this")

    assert find_lessons(split_passages(text, suffix=".json")) == [
        Passage("run this", printed=True)
    ]


@pytest.mark.parametrize(
    "record",
    [
        {"type": "message", "role": "assistant", "content": "TEXT"},
        {"type": "output_text", "text": "TEXT"},
        {"output": [{"type": "message", "text": "TEXT"}]},
        {"type": 3, "text": "TEXT"},
    ],
)
def test_what_was_said_is_not_taken_for_printed(record: Any) -> None:
    text = json.dumps(record).replace("TEXT", "## Lessons\\n- run this")

    assert find_lessons(split_passages(text, suffix=".json")) == [Passage("run this")]


def test_printed_lessons_come_last_and_not_twice() -> None:
    printed = Passage("## Lessons\n- b\n- a", printed=True)

    order = find_lessons([printed, Passage("## Lessons\n- c\n- A")])

    assert order == [Passage("c"), Passage("A"), Passage("b", printed=True)]


def test_a_text_is_redacted_whole_before_it_is_taken_apart() -> None:
    secret = "BEGIN\nsecret line one\nEND"

    def redact(text: str) -> str:
        return text.replace(secret, "(gone)")

    assert find_lessons([Passage(f"## Lessons\n{secret}\n- a")], redact=redact) == [Passage("a")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("use -w", ["use -w"]),
        ("wrapped prose over\nseveral lines, which is one thing", None),
        ("- a\n- b\n- A", ["a", "b"]),
        ("seen today\n## Lessons\n- a", ["a"]),
        ("# only a heading", ["# only a heading"]),
    ],
)
def test_a_checkpoint_always_says_something(text: str, said: list[str] | None) -> None:
    assert parse_checkpoint(text) == (said or [" ".join(text.split())])


TEXTS = st.text() | st.lists(
    st.sampled_from(["## Lessons", "- a b", "1. c", "```", "  more", "", "# X", "{", '{"a": "b"}'])
).map("\n".join)


@given(TEXTS, st.sampled_from([".json", ".jsonl", ".md"]))
def test_any_text_gives_the_same_flat_lessons_each_time(text: str, suffix: str) -> None:
    once = found(text, suffix)

    assert once == found(text, suffix)
    assert all(lesson == " ".join(lesson.split()) != "" for lesson in once)
    assert len({lesson.casefold() for lesson in once}) == len(once)


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_can_be_read(value: Any) -> None:
    texts = [one.text for one in split_passages(json.dumps(value), suffix=".json")]

    assert all(isinstance(text, str) for text in texts)


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_nesting_without_end_is_taken_as_text(suffix: str) -> None:
    deep = "[" * 200_000

    assert [one.text for one in split_passages(deep, suffix=suffix)] == [deep]


@given(TEXTS.filter(str.strip))
def test_every_checkpoint_has_lessons_unless_it_says_that_there_are_none(text: str) -> None:
    said = parse_checkpoint(text)

    assert said or " ".join(text.split()).rstrip(".。").casefold() in (
        "none",
        "n/a",
        "nothing",
        "-",
    )
