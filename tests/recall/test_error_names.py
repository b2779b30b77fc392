"""An error of another name is another error; of several names, or of none, a note is about all."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twiceshy.recall.error_match import measure_echo, split_line
from twiceshy.recall.error_names import names_another

ERRORS = (
    "ModuleNotFoundError: No module named '{}'",
    "Error: Cannot find module '{}'",
    "error TS2307: Cannot find module '{}' or its corresponding type declarations.",
    'psycopg2.errors.UndefinedTable: relation "{}" does not exist',
    'ERROR: column "{}" of relation "orders" does not exist',
    "error: unknown option `--{}'",
    "TypeError: greet() got an unexpected keyword argument '{}'",
    "ImportError: cannot import name '{}' from 'shop'",
    "AttributeError: 'Cart' object has no attribute '{}'",
    "fatal: couldn't find remote ref '{}'",
    "make: *** No rule to make target '{}'.  Stop.",
    "E: Version “{}” of the package was not found",
)
AROUND = (
    "{}",
    "Traceback (most recent call last):\n  File 'app.py', line 3, in <module>\n{}",
    "{}\nExit code 1",
    "I get {} when I run the tests",
    "Install it first. It said: {}",
)
names = st.text("abcdefgxyz_-./2", min_size=1, max_size=12).filter(
    lambda name: any(map(str.isalpha, name)) and name == name.strip("-./_")
)


def is_other(text: str, error: str) -> bool:
    """True if a text is silenced for an error."""
    lines = error.splitlines()
    echoing = [measure_echo(text, [split_line(line)]) > 0 for line in lines]
    return names_another(text, lines, echoing, generic=("use", "found", "error"))


@given(st.sampled_from(ERRORS), names, names, st.sampled_from(AROUND), st.sampled_from(AROUND))
def test_an_error_that_differs_only_in_the_quoted_name_is_always_another(
    error: str, one: str, other: str, around_note: str, around_error: str
) -> None:
    assume(one != other)
    note = around_note.format(error.format(one))

    assert is_other(note, around_error.format(error.format(other)))
    assert not is_other(note, around_error.format(error.format(one)))


NUMPY = "ModuleNotFoundError: No module named 'numpy'"


@pytest.mark.parametrize(
    ("text", "error", "silenced"),
    [
        ("No module named 'psycopg2' or 'ruff': run uv sync", NUMPY, False),
        ("No module named psycopg2: install libpq", NUMPY, True),
        ("`No module named psycopg2` needs libpq", NUMPY, True),
        ("No module named psycopg2", "python3: No module named numpy", True),
        ("No module named means the venv is off", NUMPY, False),
        ("ModuleNotFoundError: No module named <name>: uv sync", NUMPY, False),
        ("ModuleNotFoundError: No module named. Activate the venv", NUMPY, False),
        ("No module named 'a'. Later: No module named 'b'.", NUMPY, False),
        ("bash: compose: command not found", "bash: docker: command not found", True),
        ("bind: address already in use", "listen tcp: bind: address already in use", False),
        ("Error 'E1' on line 3", "Error 'E1' on line 9", False),
        ("The user's cart isn't empty today", "The user's cart isn't full today", False),
        (
            "Failed to pull image, pull access denied",
            'Failed to pull image "a:1": pull access denied',
            False,
        ),
        ("if the group is inactive: reset", "only if the group 'billing' is inactive", False),
        ("authentication failed for user: restart, then wait", 'failed for user "shop"', False),
        ("version `GLIBC_' not found", "version `GLIBC_2.34' not found (required by it)", False),
        ("Error: EACCES: mkdir '/usr/a'", "Error: EACCES: mkdir '/usr/b'", False),
        ("", NUMPY, False),
        ("Something else", "", False),
    ],
)
def test_a_text_is_about_another_error_only_if_it_has_one_other_name(
    text: str, error: str, silenced: bool
) -> None:
    assert is_other(text, error) is silenced
