"""One part of a TOML file comes, changes and goes; everything else stays as its author wrote it."""

import subprocess
import sys
import tomllib

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from twiceshy.files.toml_edit import find_leaves, remove_entries, remove_values, set_value

VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(-1e9, 1e9),
    st.text(max_size=8).filter(lambda text: text.isprintable()),
    st.lists(st.text("ab#'\"\\[]= ,", max_size=5), max_size=3),
)
WRITTEN = st.sampled_from(
    [
        *("1", "0x1F", "1_000.5", "true", "'#'", '"\\u00e9 [x]"', "1979-05-27", "[]", "[ 1, 2 ]"),
        *('["a",  # so\n  "b",\n]', '"""\n[a]\nb = 1 # no\n"""', "'''x'''", "{ x = 1, y = [2] }"),
    ]
)
KEYS = st.sampled_from(["a", "b-c", '"d e"', "'f'", "g.h", "g . i", '"ü"'])
HEADERS = st.sampled_from(
    ["[one]", "[ two.three ]", '[two."four"]', "[five.six]", "[five]", "[[seven]]", "[eight]"]
)
BETWEEN = st.lists(st.sampled_from(["\n", "  \n", "# so\n", "  # and so\n"]), max_size=3)


@st.composite
def statements(draw: st.DrawFn) -> str:
    text = ""
    for key in draw(st.lists(KEYS, max_size=3, unique=True)):
        text += "".join(draw(BETWEEN)) + draw(st.sampled_from(["", "  ", "\t"]))
        text += f"{key}{draw(st.sampled_from([' = ', '=', ' =  ']))}{draw(WRITTEN)}"
        text += draw(st.sampled_from(["", "  # why", " #"])) + "\n"
    return text + "".join(draw(BETWEEN))


@st.composite
def documents(draw: st.DrawFn) -> str:
    text = draw(statements())
    for header in draw(st.lists(HEADERS, max_size=4, unique=True)):
        text += f"{header}{draw(st.sampled_from(['', ' # head']))}\n{draw(statements())}"
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)  # a table that was there before
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


PATHS = st.sampled_from(
    [
        ("new",),
        ("one", "new"),
        ("two", "three", "new"),
        ("five", "new"),
        ("g", "new"),
        ("x", "new"),
    ]
)


def are_within(lines: list[str], text: str) -> bool:
    """Tell whether these lines stand in a text, in this order."""
    rest = iter(text.splitlines(keepends=True))
    return all(line in rest for line in lines)


def comments_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]


@given(documents(), PATHS, VALUES)
def test_a_new_value_is_added_and_no_line_changes(
    text: str, path: tuple[str, ...], value: object
) -> None:
    said = find_leaves(tomllib.loads(text))
    assume(path not in said)
    try:
        after = set_value(text, path, value)
    except ValueError:  # [[seven]] and braces leave no room for some of them
        assume(False)

    assert find_leaves(tomllib.loads(after)) == said | {path: value}
    assert are_within(text.splitlines(keepends=True), after)
    assert len(after.splitlines()) <= len(text.splitlines()) + 3
    assert "\r\n" not in text or "\n" not in after.replace("\r\n", "")
    assert set_value(after, path, value) == after


@given(documents(), VALUES, st.data())
def test_a_value_that_changes_leaves_all_before_and_behind_it(
    text: str, value: object, data: st.DataObject
) -> None:
    said = find_leaves(tomllib.loads(text))
    names = [path for path, old in said.items() if not _has_tables(old)]
    assume(names)
    path = data.draw(st.sampled_from(sorted(names)))

    after = set_value(text, path, value)

    assert find_leaves(tomllib.loads(after)) == said | {path: value}
    assert comments_of(after) == comments_of(text)
    assert abs(len(after.splitlines()) - len(text.splitlines())) <= 3  # of a value on lines


@given(documents(), st.data())
def test_a_value_that_goes_takes_nothing_along(text: str, data: st.DataObject) -> None:
    said = find_leaves(tomllib.loads(text))
    assume(said)
    path = data.draw(st.sampled_from(sorted(said)))
    try:
        after = remove_values(text, path)
    except ValueError:
        assume(False)  # one of several between braces

    assert find_leaves(tomllib.loads(after)) == {p: v for p, v in said.items() if p != path}
    assert are_within(after.splitlines(keepends=True), text)
    assert _has_tables(said[path]) or comments_of(after) == comments_of(text)


@given(documents(), VALUES)
@example("[ two.three ]\n[[seven]]\n[two.four]\n", 1)  # tomlkit 0.15 would move [two.four]
def test_a_value_that_came_and_went_leaves_every_byte(text: str, value: object) -> None:
    after = remove_values(set_value(text, ("new",), value), ("new",))

    assert after == text


@given(documents())
def test_tables_that_came_and_went_leave_every_byte(text: str) -> None:
    ours = (
        '\n[ours.a]\nx = 1\n\n[ours."b c"]\ny = """\n[tui]\n"""\n\n[ours.d]\n[ours.d.e]\nz = 2\n'
    )

    left = remove_entries(text + ours, lambda path: path[:1] == ("ours",))

    assert left == text


def test_comments_behind_a_table_belong_to_the_next() -> None:
    text = "[a]\nx = 1\n\n# ours\n[ours]\n# inside\ny = 1\n\n# b's\n[b]\n"

    assert remove_entries(text, lambda path: path == ("ours",)) == (
        "[a]\nx = 1\n\n# ours\n\n# b's\n[b]\n"
    )


def test_a_line_ends_where_toml_says_so() -> None:
    text = "# a\u2028[a]\n[b]\nx = 1\n"

    assert remove_entries(text, lambda path: path == ("a",)) == text
    assert set_value(text, ("a", "n"), 9) == f"{text}\n[a]\nn = 9\n"


def test_a_table_goes_wherever_its_parts_stand() -> None:
    text = "[p.a]\nx = 1\n[tui]\n[p.b]\ny = 1\n[q]\nours = { z = 1 }\nr = 2\n"

    assert remove_entries(text, lambda path: path[-1] in ("a", "ours")) == (
        "[tui]\n[p.b]\ny = 1\n[q]\nr = 2\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = { b = 1, n = 2 } # so\n", "a = { b = 1, n = 9 } # so\n"),
        ("  a.n=2\n", "  a.n=9\n"),
        ("[a]\nn = [\n  1, # one\n]   # all\n", "[a]\nn = 9   # all\n"),
        ("[a]", "[a]\nn = 9\n"),
        ("[a]\r\n\r\n# so\r\nb = 1\r\n", "[a]\r\n\r\n# so\r\nb = 1\r\nn = 9\r\n"),
    ],
)
def test_a_value_is_written_the_way_its_place_wants_it(before: str, after: str) -> None:
    assert set_value(before, ("a", "n"), 9) == after


@pytest.mark.parametrize(
    "text",
    ["a = { b = 1 }\n", "a = 1\n", "[[a]]\nb = 1\n", "a = {}\n", "[a.n]\nx = 1\n"],
)
def test_where_there_is_no_room_nothing_is_changed(text: str) -> None:
    with pytest.raises(ValueError, match="unsupported layout"):
        set_value(text, ("a", "n"), 9)


def test_one_of_several_values_between_braces_cannot_go() -> None:
    with pytest.raises(ValueError, match="unsupported layout"):
        remove_values("a = { b = 1, c = 2 }\n", ("a", "b"))

    assert remove_values("a = { b = 1, c = 2 }\nd = 1\n", ("a",)) == "d = 1\n"
    assert remove_values("a = { b = 1 }\n", ("a", "b")) == ""


def test_who_reads_settings_does_not_load_the_editor() -> None:
    program = (
        "import sys\n"
        "import twiceshy.cli.config, twiceshy.config.edit, twiceshy.runtimes.codex.install\n"
        "print('tomlkit' in sys.modules)"
    )

    said = subprocess.check_output([sys.executable, "-c", program], text=True)

    assert said == "False\n"


def _has_tables(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) for one in value)
