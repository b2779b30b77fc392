"""Names of things of which a project has one at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.language.alternatives import are_alternatives, list_alternatives
from twiceshy.language.stem import stem_word


@pytest.mark.parametrize(("one", "other"), [("npm", "pnpm"), ("main", "master"), ("合并", "变基")])
def test_two_of_a_kind_are_alternatives(one: str, other: str) -> None:
    assert are_alternatives(stem_word(one), stem_word(other))
    assert are_alternatives(stem_word(other), stem_word(one))


@pytest.mark.parametrize(
    ("one", "other"), [("npm", "pytest"), ("chrome", "firefox"), ("jest", "jest")]
)
def test_things_of_two_kinds_are_not(one: str, other: str) -> None:
    assert not are_alternatives(stem_word(one), stem_word(other))


def test_the_alternatives_of_a_tool_are_looked_for_and_those_of_plain_words_are_not() -> None:
    found = list_alternatives(["npm", "instal"])

    assert {"pnpm", "yarn"} <= set(found)
    assert "pytest" not in found
    assert list_alternatives(["main", "alwai", "instal"]) == ()


@given(st.text(max_size=12))
def test_nothing_is_an_alternative_of_itself(name: str) -> None:
    assert not are_alternatives(name, name)
