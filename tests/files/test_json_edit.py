"""One member of a settings file comes and goes; everything else stays as its author wrote it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.errors import ConfigError
from twiceshy.files.json_edit import (
    append_items,
    get_value,
    parse_document,
    remove_item,
    remove_member,
    set_member,
)

PATH = ("enabledPlugins", "twiceshy@twiceshy")

keys = st.text(max_size=6) | st.sampled_from(["enabledPlugins", "twiceshy@twiceshy", "hooks"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
layouts = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@st.composite
def settings_texts(draw: st.DrawFn) -> str:
    said = draw(st.dictionaries(keys, values, max_size=4))
    plugins = said.get("enabledPlugins")
    if not isinstance(plugins, dict):
        said.pop("enabledPlugins", None)
    else:
        plugins.pop("twiceshy@twiceshy", None)
    text = json.dumps(said, indent=draw(layouts), ensure_ascii=draw(st.booleans()))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", " \n"]))


@given(settings_texts())
def test_setting_a_member_changes_what_is_said_by_that_member_alone(text: str) -> None:
    before = parse_document(text)

    after = parse_document(set_member(text, PATH, True))

    assert after.pop("enabledPlugins") == {**dict(before.pop("enabledPlugins", {})), PATH[1]: True}  # type: ignore[call-overload]  # it is an object
    assert list(after.items()) == list(before.items())


@given(settings_texts())
def test_what_was_set_can_be_taken_out_and_leaves_no_trace(text: str) -> None:
    there = "enabledPlugins" in parse_document(text)

    back = remove_member(set_member(text, PATH, True), PATH if there else PATH[:1])

    if parse_document(text) and "{ }" not in text:
        assert back == text
    else:
        assert parse_document(back) == parse_document(text)


@given(settings_texts())
def test_setting_a_member_twice_gives_the_same_bytes(text: str) -> None:
    once = set_member(text, PATH, True)

    assert set_member(once, PATH, True) == once


@given(settings_texts())
def test_every_line_that_was_there_stays_in_its_place(text: str) -> None:
    after = set_member(text, PATH, True)

    rest = iter(after.splitlines())
    if "\n" in text.strip():
        assert all(
            any(line.rstrip(", {}") in new for new in rest) for line in text.strip().splitlines()
        )


def test_a_new_member_is_written_like_its_neighbours() -> None:
    text = '{\n\t"model": "opus",\n\t"enabledPlugins": {\n\t\t"lint@acme": true\n\t}\n}\n'

    after = set_member(text, PATH, True)

    assert after == (
        '{\n\t"model": "opus",\n\t"enabledPlugins": {\n\t\t"lint@acme": true,\n'
        '\t\t"twiceshy@twiceshy": true\n\t}\n}\n'
    )


@given(settings_texts().filter(lambda text: "\r\n" in text.strip()))
def test_a_file_with_windows_line_ends_keeps_to_them(text: str) -> None:
    after = set_member(text.strip(), PATH, True)

    assert "\n" not in after.replace("\r\n", "")


def test_an_object_on_one_line_stays_on_one_line() -> None:
    text = '{\n  "enabledPlugins": {"lint@acme": true},\n  "model": "opus"\n}\n'

    after = set_member(text, PATH, True)

    assert after == text.replace("true}", 'true, "twiceshy@twiceshy": true}')


def test_a_file_without_blanks_stays_without() -> None:
    after = set_member('{"a":1}', PATH, True)

    assert after == '{"a":1,"enabledPlugins":{"twiceshy@twiceshy":true}}'


@pytest.mark.parametrize("text", ["", " \n", "{}", "{}\n", "{\n}\n"])
def test_a_file_that_says_nothing_is_begun(text: str) -> None:
    after = set_member(text, ("enabled",), True)

    assert after.rstrip() == '{\n  "enabled": true\n}'


def test_a_key_that_was_written_twice_is_taken_out_twice() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'

    assert remove_member(text, ("a",)) == '{"b": 2}'


def test_what_is_not_there_cannot_be_taken_out() -> None:
    text = '{ "enabledPlugins" : [] }'

    assert remove_member(text, PATH) == text
    assert remove_member(text, ("model",)) == text


def test_a_value_is_found_by_its_path() -> None:
    text = '{"a": {"b": [1]}, "c": 2}'

    assert get_value(text, ("a", "b")) == [1]
    assert get_value(text, ("c", "b")) is None
    assert get_value(text, ("d",)) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1,}', "not valid JSON"),
        ("// mine\n{}", "not valid JSON"),
        ("[]", "not a JSON object"),
        ('{"enabledPlugins": null}', "'enabledPlugins' is not an object"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_what_cannot_be_edited_is_named(text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        set_member(text, PATH, True)


# --- lists

LIST = ("plugin",)


@given(settings_texts(), st.lists(values, max_size=3), values)
def test_an_item_of_a_list_comes_and_goes_without_a_trace(
    text: str, listed: list[object], item: object
) -> None:
    text = set_member(text, LIST, [one for one in listed if one != item])

    more = append_items(text, LIST, [item])

    assert get_value(more, LIST) == [one for one in listed if one != item] + [item]
    assert remove_item(more, LIST, item) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"plugin": ["a"]}', '{"plugin": ["a", "x"]}'),
        ('{"plugin":["a"]}', '{"plugin":["a","x"]}'),
        ('{"plugin": [ ]}', '{"plugin": ["x" ]}'),
        ('{\n  "plugin": []\n}', '{\n  "plugin": ["x"]\n}'),
        ('{\n  "plugin": [\n    "a"\n  ]\n}', '{\n  "plugin": [\n    "a",\n    "x"\n  ]\n}'),
    ],
)
def test_an_item_is_written_like_its_neighbours(before: str, after: str) -> None:
    assert append_items(before, LIST, ["x"]) == after
    assert remove_item(after, LIST, "x") == before


def test_objects_in_a_list_are_written_on_lines_of_their_own() -> None:
    after = append_items('{\n  "a": []\n}\n', ("a",), [{"b": 1}, {"c": 2}])

    assert after == (
        '{\n  "a": [\n    {\n      "b": 1\n    },\n    {\n      "c": 2\n    }\n  ]\n}\n'
    )


def test_a_list_that_is_none_is_not_begun_in_its_place() -> None:
    with pytest.raises(ConfigError, match="'plugin' is not a list"):
        append_items('{"plugin": "a"}', LIST, ["x"])
    assert append_items('{"a": 1}', LIST, ["x"]) == '{"a": 1, "plugin": ["x"]}'
    assert remove_item('{"plugin": "a"}', LIST, "a") == '{"plugin": "a"}'


# --- comments

COMMENTED = """\
// mine
{
  "a": 1, // one
  /* two
     lines */
  "plugin": ["b", /* the best */ "c",],
}
"""


def test_a_comment_is_no_json_unless_that_is_allowed() -> None:
    assert parse_document(COMMENTED, comments=True) == {"a": 1, "plugin": ["b", "c"]}
    with pytest.raises(ConfigError, match="not valid JSON"):
        parse_document(COMMENTED)


def test_comments_stay_where_they_are_or_close_by() -> None:
    more = append_items(COMMENTED, LIST, ["x"], comments=True)
    member = set_member(COMMENTED, ("a",), 2, comments=True)
    less = remove_item(COMMENTED, LIST, "c", comments=True)

    assert more == COMMENTED.replace('"c",', '"c", "x",')
    assert remove_item(more, LIST, "x", comments=True) == COMMENTED
    assert member == COMMENTED.replace('"a": 1', '"a": 2')
    assert get_value(less, LIST, comments=True) == ["b"]
    assert "/* the best */" in less


@given(
    settings_texts().filter(lambda text: "{" in text),
    st.sampled_from(["", "// a\n", "/* b */", "/*\n, }*/ "]),
    st.booleans(),
)
def test_a_text_with_comments_says_the_same_after_a_member_came_and_went(
    text: str, comment: str, spare: bool
) -> None:
    said = parse_document(text)
    opening, closing = text.index("{"), text.rindex("}")
    comma = "," if spare and said else ""
    body = text[opening + 1 : closing]
    text = f"{text[:opening]}{comment}{{{comment}{body}{comma}{comment}}}{comment}"

    more = set_member(text, PATH, True, comments=True)
    back = remove_member(more, PATH if "enabledPlugins" in said else PATH[:1], comments=True)

    assert get_value(more, PATH, comments=True) is True
    assert parse_document(back, comments=True) == said
    assert not comment or back.count(comment.strip()) == text.count(comment.strip())
