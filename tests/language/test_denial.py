"""Whether a denial repeats what another text says, or denies a part of it only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.language.denial import (
    contradicts,
    denies_less,
    denies_whole,
    forbids_value,
    has_more,
    is_denial,
)


@pytest.mark.parametrize(
    "text",
    [
        "Never use macros",
        "Jenkins was removed",
        "不要使用宏",
        "Keine Makros",
        "N'utilisez pas de macros",
        "Nunca uses macros",
        "Não usar macros",
        "Non usare macro",
    ],
)
def test_a_denial_is_told_in_each_language(text: str) -> None:
    assert is_denial(text)
    assert not is_denial("Use macros")
    assert not is_denial("使用宏")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Do not use macros", "Use macros"),
        ("Macros were removed", "Use macros"),
        ("不再使用宏", "使用宏"),
        ("N'utilisez plus les macros", "Utiliser les macros"),
        ("Do not use macros because of the debugger", "Use macros"),
        # what it says first is new, and so no exception
        ("Compile scripts with esbuild, the webpack config was removed", "Compile with webpack"),
    ],
)
def test_what_is_denied_whole_is_no_exception(newer: str, older: str) -> None:
    assert not denies_less(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("We no longer use macros", "Use macros"),
        ("Macros were removed", "Use macros"),
        ("Keine Makros mehr verwenden", "Makros verwenden"),
        ("Nous n'utilisons plus les macros", "Utiliser les macros"),
        ("Ya no usamos macros", "Usamos macros"),
        ("宏已经不用了", "使用宏"),
    ],
)
def test_what_is_over_is_told_from_what_is_forbidden(newer: str, older: str) -> None:
    assert denies_whole(newer, older)
    assert not denies_whole("Never use macros", "Use macros")


def test_of_a_list_the_rest_goes_on() -> None:
    assert not denies_whole("The API no longer accepts XML", "The API accepts XML and JSON")
    assert denies_whole("The API no longer accepts XML", "The API accepts XML")


def test_more_of_the_same_is_not_over() -> None:
    assert not denies_whole("Ne pas utiliser plus de workers", "Utiliser des workers")


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Ne jamais utiliser Jenkins", "Utiliser Jenkins"),
        ("Jenkins nicht verwenden", "Jenkins verwenden"),
        ("Use macros", "Never use macros"),
    ],
)
def test_the_same_with_and_without_a_denial_is_a_contradiction(newer: str, older: str) -> None:
    assert contradicts(newer, older)
    assert not contradicts(newer, newer)


@pytest.mark.parametrize(
    ("text", "forbids"),
    [
        ("Do not use Java 8", True),
        ("不要使用 Java 8", True),
        ("Use Java 8", False),
        ("Never wait more than 5 seconds", False),
        ("等待不得超过 5 秒", False),
    ],
)
def test_a_limit_forbids_no_single_value(text: str, *, forbids: bool) -> None:
    assert forbids_value(text) is forbids


@given(st.lists(st.text("abcdefg", min_size=1, max_size=8)), st.text("xyz", min_size=1))
def test_a_word_more_is_always_noticed(words: list[str], more: str) -> None:
    assert has_more([*words, more], words)
    assert not has_more(words, [*words, more])
