"""A page is stale after 30 days and too large beyond 200 lines, not a day or a line sooner."""

import pytest
from tests.core.builders import NOW, a_note

from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY
from twiceshy.notes.pages import (
    MAX_CHARACTERS,
    check_page_length,
    count_bytes,
    count_days_unchanged,
    count_lines,
    describe_condition,
)


@pytest.mark.parametrize(
    ("days", "lines", "said"),
    [
        (0, 1, ""),
        (29, 200, ""),
        (30, 200, "stale"),
        (29, 201, "too large"),
        (31, 500, "stale, too large"),
    ],
)
def test_a_page_is_stale_after_30_days_and_too_large_beyond_200_lines(
    days: int, lines: int, said: str
) -> None:
    at = NOW - days * DAY
    page = a_note("\n".join(["line"] * lines), kind="page", learned_at=at, written_at=at)

    assert describe_condition(page, NOW) == said


def test_a_page_is_as_old_as_its_last_change() -> None:
    page = a_note(kind="page", written_at=NOW - 40 * DAY, learned_at=NOW - 2 * DAY)

    assert count_days_unchanged(page, NOW) == 2
    assert count_days_unchanged(page, NOW - 9 * DAY) == 0


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), (" \n", 0), ("a", 1), ("a\nb", 2), ("a\n\nb\n", 3)]
)
def test_lines_are_counted_as_an_editor_counts_them(text: str, lines: int) -> None:
    assert count_lines(text) == lines


def test_bytes_are_those_of_a_file() -> None:
    assert count_bytes("記憶\n") == 7


def test_a_page_that_is_too_long_is_refused_with_the_advice_to_split_it() -> None:
    check_page_length("project", "x" * MAX_CHARACTERS)

    with pytest.raises(NoteError, match="50,001 characters") as refused:
        check_page_length("project", "x" * (MAX_CHARACTERS + 1))

    assert "split it" in refused.value.hint
