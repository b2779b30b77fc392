import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twiceshy
from twiceshy.core.jsontext import parse_json, parse_object, write_json

SOURCE = Path(twiceshy.__file__).parents[1]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda some: st.lists(some) | st.dictionaries(st.text(), some), max_leaves=20
)


@given(VALUES)
def test_a_value_is_written_as_json_writes_it(value: object) -> None:
    text = write_json(value)

    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(VALUES, st.sampled_from(["", " ", "\n", "\t \r\n"]))
def test_a_value_is_read_as_json_reads_it(value: object, blanks: str) -> None:
    text = blanks + json.dumps(value, indent=1) + blanks

    assert parse_json(text) == json.loads(text)


@given(st.text())
def test_a_text_is_read_exactly_when_json_reads_it(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - its words are Python's
            parse_json(text)
    else:
        assert repr(parse_json(text)) == repr(expected)  # by repr: NaN equals nothing


@pytest.mark.parametrize("text", ["", "{", '{"a":1} x', "[1,]", "nul", '"\x01"', "\ufeff{}"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its words are Python's
        parse_json(text)


def test_a_text_that_nests_too_deeply_is_refused() -> None:
    with pytest.raises(RecursionError):
        parse_json("[" * 100_000)


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "null"])
def test_only_an_object_is_an_object(text: str) -> None:
    with pytest.raises(ValueError, match="not an object"):
        parse_object(text)


def test_half_a_character_survives_reading() -> None:
    assert parse_json('"\\ud83d"') == "\ud83d"


def test_a_value_that_json_does_not_know_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="no JSON is known for set"):
        write_json({1})


@pytest.mark.parametrize("text", ["{", '{"a":1', '"', "[1 2]", '{"a" 1}', "", "x"])
def test_what_is_no_json_is_refused_where_nobody_has_loaded_json(text: str) -> None:
    program = (
        f"import sys; sys.path.append({str(SOURCE)!r})\n"
        "from twiceshy.core.jsontext import parse_json\n"
        f"try: parse_json({text!r})\n"
        "except ValueError: print('refused')\n"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "refused\n"
