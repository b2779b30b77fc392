"""How the words of two texts lie side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.language.alignment import align_texts


def test_one_value_that_stands_for_another_is_all_that_differs() -> None:
    found = align_texts("CI uses Postgres 16", "CI uses Postgres 14")

    assert found.is_even
    assert found.replaced == ((("14",), ("16",)),)
    assert (found.lost, found.fresh) == (("14",), ("16",))
    assert found.first_change == pytest.approx(0.75)


def test_a_text_that_says_more_is_not_even() -> None:
    found = align_texts("By now CI uses Postgres 16", "CI uses Postgres 14")

    assert not found.is_even
    assert found.growth > 1


def test_chinese_is_compared_by_character() -> None:
    found = align_texts("日志保留 30 天", "日志保留 7 天")

    assert found.is_even
    assert found.replaced == ((("7",), ("30",)),)


def test_a_text_without_words_has_no_alignment() -> None:
    assert align_texts("", "CI uses Postgres") == align_texts("CI uses Postgres", "")


@given(st.text(max_size=60), st.text(max_size=60))
def test_shares_are_shares(one: str, other: str) -> None:
    found = align_texts(one, other)

    for share in (found.sameness, found.longest, found.first_change, found.known):
        assert 0 <= share <= 1
    assert not set(found.lost) & set(found.fresh)
