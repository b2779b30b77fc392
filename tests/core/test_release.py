"""Which version is newer, and what counts as a version at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.release import newer, notice, numbers

VERSIONS = st.lists(st.integers(0, 99), min_size=1, max_size=4).map(
    lambda parts: ".".join(map(str, parts))
)


@pytest.mark.parametrize(
    ("version", "current", "expected"),
    [
        ("0.2.0", "0.1.0", True),
        ("0.10.0", "0.9.9", True),
        ("1.0", "0.99.99", True),
        ("0.1.0", "0.1.0", False),
        ("0.1", "0.1.0", False),
        ("0.1.0.0", "0.1", False),
        ("0.1.0", "0.2.0", False),
        ("1.2.0", "1.2.0rc1", True),
        ("1.2.0", "1.2.0.dev3", True),
        ("1.1.9", "1.2.0rc1", False),
        ("1.2.0", "1.2.0+local.7", False),
        ("1.2.0rc1", "1.1.0", False),
        ("2.0.dev1", "1.0", False),
        ("1!2.0", "1.0", False),
        ("v9", "1.0", False),
        ("", "1.0", False),
        ("9.9.9; rm -rf /", "1.0", False),
        ("９.９", "1.0", False),
        ("1." * 40 + "1", "1.0", False),
        ("9" * 40, "1.0", False),
    ],
)
def test_a_release_is_newer_by_its_numbers_and_a_trial_is_none(
    version: str, current: str, expected: bool
) -> None:
    assert newer(version, current) is expected


@given(VERSIONS, VERSIONS)
def test_of_two_versions_at_most_one_is_newer(one: str, other: str) -> None:
    assert not (newer(one, other) and newer(other, one))


@given(VERSIONS, VERSIONS, VERSIONS)
def test_newer_than_what_is_newer_is_newer(first: str, second: str, third: str) -> None:
    assert newer(first, third) or not (newer(first, second) and newer(second, third))


@given(st.text(max_size=40))
def test_any_text_at_all_is_a_version_or_nothing(text: str) -> None:
    assert numbers(text) == () or set(text) <= set("0123456789.")
    assert notice(text, "0.1.0") == "" or f"twiceshy {text} is released" in notice(text, "0.1.0")


def test_people_are_told_which_version_there_is_and_how_to_be_told_no_more() -> None:
    told = notice("0.2.0", "0.1.0")

    assert told.startswith("twiceshy 0.2.0 is released; this is 0.1.0.")
    assert "config set update.check false" in told
    assert notice("0.1.0", "0.1.0") == ""
