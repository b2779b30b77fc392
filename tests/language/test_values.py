"""Which words are values of one thing, and which name two things."""

import pytest

from twiceshy.language.values import are_chinese_numbers, are_days, give_values, is_number


@pytest.mark.parametrize(
    "word", ["3", "v2", "1.5", "es2022", "c++20", "python3.12", "three", "drei"]
)
def test_numbers_versions_and_words_for_numbers_are_values(word: str) -> None:
    assert is_number(word)


@pytest.mark.parametrize("word", ["db1", "shard", "s3", "worker2", "x86"])
def test_a_name_with_a_number_is_a_name(word: str) -> None:
    assert not is_number(word)


def test_only_one_value_takes_the_place_of_one() -> None:
    assert give_values(("8080",), ("9090",))
    assert give_values(("npm",), ("pnpm",))
    assert not give_values(("8080",), ("9090", "tls"))
    assert not give_values(("shop",), ("blog",))


def test_days_take_the_place_of_days() -> None:
    texts = ("", "")

    assert are_days(("mondai",), ("fridai",), texts)
    assert not are_days(("mondai",), ("shop",), texts)
    assert not are_days(("mondai",), ("fridai", "night"), texts)


def test_a_chinese_numeral_is_a_day_only_of_a_week() -> None:
    assert are_days(("二",), ("四",), ("发布在周二", "发布在周四"))
    assert not are_days(("二",), ("四",), ("第二组发布", "第四组发布"))


def test_a_value_may_be_tied_to_its_name() -> None:
    assert give_values(("timeout=30",), ("timeout=60",))
    assert not give_values(("timeout=30",), ("retries=60",))


def test_numbers_may_be_written_in_chinese() -> None:
    assert are_chinese_numbers(("两",), ("四",))
    assert not are_chinese_numbers(("张", "三"), ("李", "四"))
