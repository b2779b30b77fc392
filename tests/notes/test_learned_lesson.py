"""A lesson learned by hand keeps its three parts apart, in the note and in the file."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.errors import NoteError
from twiceshy.core.note import Note
from twiceshy.notes.learned_lesson import (
    LearnedLesson,
    LessonPage,
    check_lesson,
    lesson_of_note,
    lesson_text,
    parse_lesson_file,
    render_lesson_file,
)

FETCH = LearnedLesson(
    "Tags need a fetch",
    "The tag fell on an old commit",
    "git fetch --tags",
    "Fetch before tagging",
)
FILE = """\
# Tags need a fetch

**Date:** 2026-11-02
**Project:** shop

## Problem
The tag fell on an old commit

## Solution
git fetch --tags

## Next Time
Fetch before tagging
"""
awkward = st.sampled_from(
    ["", "# Title", "## Solution", "Solution: x", "Next time: y", "\\# z", "  in", "改用 pnpm"]
)
words = st.text("ab :#\\\n中", max_size=20) | awkward
parts = st.lists(words, max_size=4).map("\n".join)
lessons = st.builds(LearnedLesson, parts, parts, parts, parts)


def as_note(learned: LearnedLesson) -> Note:
    return a_note(lesson_text(learned), why=learned.problem, subtype="pitfall")


def usable(learned: LearnedLesson) -> LearnedLesson | None:
    try:
        return check_lesson(learned)
    except NoteError:
        return None


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(lessons.map(usable).filter(bool))
def test_a_note_gives_the_parts_back_whatever_they_say(learned: LearnedLesson) -> None:
    assert lesson_of_note(as_note(learned)) == learned


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(lessons.map(usable).filter(bool))
def test_a_file_that_is_read_and_written_again_is_the_same(learned: LearnedLesson) -> None:
    text = render_lesson_file(LessonPage(learned, "2026-11-02", "shop"))

    again = parse_lesson_file(text)

    assert again == LessonPage(learned, "2026-11-02", "shop")
    assert render_lesson_file(again) == text


def test_the_file_is_the_one_of_memory_engine() -> None:
    assert render_lesson_file(LessonPage(FETCH, "2026-11-02", "shop")) == FILE
    assert parse_lesson_file(FILE.replace("## Problem", "## PROBLEM ")).learned == FETCH


def test_a_brief_tells_the_title_first_and_the_problem_as_the_reason() -> None:
    assert lesson_text(FETCH) == (
        "Tags need a fetch\nSolution: git fetch --tags\nNext time: Fetch before tagging"
    )
    assert lesson_text(FETCH.but(next_time="")).endswith("Solution: git fetch --tags")


@pytest.mark.parametrize(
    ("learned", "told"),
    [
        (FETCH.but(title=" "), "the title is missing"),
        (FETCH.but(problem=""), "the problem is missing"),
        (FETCH.but(solution="\n"), "the solution is missing"),
        (FETCH.but(title="two\nlines"), "more than one line"),
    ],
)
def test_what_is_missing_is_said(learned: LearnedLesson, told: str) -> None:
    with pytest.raises(NoteError, match=told):
        check_lesson(learned)


def test_what_is_no_such_file_is_refused() -> None:
    with pytest.raises(NoteError, match="the title is missing"):
        parse_lesson_file("Some text\n- a list\n")


@pytest.mark.parametrize(
    "note",
    [
        a_note("Fetch first."),
        a_note("Fetch first.\nSolution: x"),
        a_note("Fetch first.\nSolution: x", why="y", kind="decision"),
        a_note("Fetch\nfirst\nSolution: x", why="y"),
    ],
)
def test_other_notes_were_not_learned_by_hand(note: Note) -> None:
    assert lesson_of_note(note) is None
