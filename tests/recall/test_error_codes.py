"""An error of another code is another error; of several codes, or of none, a note is about all."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twiceshy.recall.error_codes import names_other_code, read_codes
from twiceshy.recall.error_match import measure_echo, split_line

numbers = st.integers(100, 599).map(str)
many = st.integers(1000, 65_535).map(str)
capitals = st.text("ABCDGHIKLMNOPRSTUVW", min_size=4, max_size=8)
camels = st.lists(
    st.text("abcdefgh", min_size=2, max_size=5).map(str.capitalize), min_size=1, max_size=3
).map("".join)
CODES = (
    ("{}Error: time data does not match format", camels),
    ("psycopg2.errors.{}Exception: the connection is refused", camels),
    ("app.py:31: {}Warning: the format is old", camels),
    ("{}.OperationalError: connection to the ledger is refused", camels),
    ("SIG{} in the encoder of pictures", capitals),
    (
        "Error: connect E{} to the queue of jobs",
        capitals.filter(lambda some: some[0] not in "NXMV"),
    ),
    ("error[E0{}]: mismatched types in the macro", numbers),
    ("error TS2{}: the argument is not assignable", numbers),
    ("ORA-00{}: the table of the ledger is gone", numbers),
    ("PermissionError: [Errno {}] the spool is closed", numbers),
    ("ERROR {} (28000): Access denied for user", many),
    ("HTTP {} from the crm of the bank", numbers),
    ("The requested URL returned error: {}", numbers),
    ("could not reach the queue at 127.0.0.1:{}", many),
    ("could not reach http://ledger.bank.org:{}/jobs today", many),
    ("the server closed the connection on port {}", many),
)
AROUND = ("{}", "Traceback (most recent call last):\n{}", "{}\nExit code 1", "I see this: {}")


def is_other(text: str, error: str) -> bool:
    """True if a text is silenced for an error."""
    lines = error.splitlines()
    related = [
        at
        for at, line in enumerate(lines)
        if measure_echo(text, [split_line(line)], lambda run, *_: len(run) > 1)
    ]
    return names_other_code(text, lines, related)


@given(st.sampled_from(CODES), st.data(), st.sampled_from(AROUND), st.sampled_from(AROUND))
def test_an_error_that_differs_only_in_its_code_is_always_another(
    error: tuple[str, st.SearchStrategy[str]], data: st.DataObject, around: str, other: str
) -> None:
    form, codes = error
    one, two = data.draw(codes), data.draw(codes)
    assume(one != two)
    note = f"{around.format(form.format(one))}: ask Ines, who knows it"

    assert is_other(note, other.format(form.format(two)))
    assert not is_other(note, other.format(form.format(one)))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("ValueError or TypeError: bad format of dates", "KeyError: bad format of dates"),
        ("bad format of dates: ask Ines", "KeyError: bad format of dates"),
        ("ValueError: bad format of dates", "bad format of dates"),
        ("NoClassDefFoundError: com.acme", "java.lang.NoClassDefFoundError: com.acme is gone"),
        (
            "psycopg2.OperationalError: connection refused",
            "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection refused",
        ),
        ("exit status 137 of the indexer", "exit status 139 of the indexer"),
        ("app.py:1200: bad format of dates", "app.py:1300: bad format of dates"),
        ("at 12:30 the format of dates", "at 12:45 the format of dates"),
        ("", "ValueError: x"),
    ],
)
def test_a_text_of_several_codes_or_none_is_about_every_error(text: str, error: str) -> None:
    assert not is_other(text, error)


@pytest.mark.parametrize(
    "line", ["ERROR: it failed", "python3 EXIT", "UTF-8 v2", "错误", ":", "//"]
)
def test_a_line_without_a_code_has_none(line: str) -> None:
    assert list(read_codes(line)) == []


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from("ERROR port : 0 [Errno :: //:1 E0".split())).map(" ".join)
)
def test_codes_of_any_line_have_a_kind_and_a_value(line: str) -> None:
    assert all(kind and value for kind, value in read_codes(line))
    assert not is_other(line, line)
