"""Which numbers are values of a setting, and which say which thing is meant or when."""

import pytest

from twiceshy.language.settings import begins_with_number, sets_value


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The timeout is 60 seconds", "The timeout is 30 seconds"),
        ("The timeout is 60", "The timeout is 30"),
        ("Timeouts are 60s in the client", "Timeouts are 30s in the client"),
        ("Max pool size 50", "Max pool size 20"),
        ("Use Node 22", "Use Node 18"),
        ("Compile to ES2022", "Compile to ES2018"),
        ("At most 500 rows", "At most 400 rows"),
        ("密码至少 12", "密码至少 8"),
    ],
)
def test_a_number_that_sets_something_is_a_value(newer: str, older: str) -> None:
    assert sets_value(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Gate 5 is closed", "Gate 4 is closed"),
        ("Install Python 3.12", "Install Python 3.11"),
        ("Use node 5", "Use node 4"),
        ("Works on Ubuntu 22.04", "Works on Ubuntu 20.04"),
        ("Runs on Ubuntu 22.04", "Runs on Ubuntu 20.04"),
        ("Run Python 3.12 tests first", "Run Python 3.11 tests first"),
        ("Freeze at 18h", "Freeze at 17h"),
        ("Return 410 for missing items", "Return 404 for missing items"),
        ("The outage lasted 60 seconds", "The outage lasted 30 seconds"),
        ("Der Ausfall hat 60 Sekunden gedauert", "Der Ausfall hat 30 Sekunden gedauert"),
        ("故障持续了 60 秒", "故障持续了 30 秒"),
    ],
)
def test_a_number_of_a_thing_or_of_what_happened_is_none(newer: str, older: str) -> None:
    assert not sets_value(newer, older)


def test_a_thing_with_a_number_is_named_first() -> None:
    assert begins_with_number("Gate 5 is closed", "Gate 4 is closed")
    assert not begins_with_number("Passwords need 12 characters", "Passwords need 8 characters")
