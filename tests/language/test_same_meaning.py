"""Sentences are grouped by what they say, not by how a detector calls them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.preference_sentences import CHINESE_STANDING, STANDING, WAITING

from twiceshy.language.same_meaning import group_by_meaning, is_same_meaning, read_meaning

SENTENCES = [*STANDING, *WAITING, *CHINESE_STANDING]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use pnpm, not npm", "No, use pnpm instead of npm!"),
        ("never push to main directly", "Never push directly to main."),
        ("we don't commit generated files", "we dont commit generated files"),
        ("不要用 npm，用 pnpm", "用 pnpm 别用 npm"),
    ],
)
def test_the_same_in_other_words_is_one_group(one: str, other: str) -> None:
    assert is_same_meaning(read_meaning(one), read_meaning(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use pnpm, not npm", "use npm, not pnpm"),
        ("always squash the commits", "never squash the commits"),
        ("never push to main directly", "never push to develop directly"),
        ("必须写注释", "不要写注释"),
    ],
)
def test_the_opposite_and_other_things_are_not(one: str, other: str) -> None:
    assert not is_same_meaning(read_meaning(one), read_meaning(other))


@given(st.lists(st.sampled_from(SENTENCES), max_size=20))
def test_every_sentence_is_in_one_group_and_repetitions_are_together(said: list[str]) -> None:
    groups = group_by_meaning(said, text_of=str)

    assert sorted(text for group in groups for text in group) == sorted(said)
    assert len(groups) == len(set(said))
