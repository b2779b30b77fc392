"""Every part of a JSON text is found where it stands, with and without comments."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.files.json_parts import (
    blank_comments,
    find_comments,
    find_parts,
    find_root,
    mend_commas,
)

words = st.text(alphabet='ab/*"\\,{}[]: \n', max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
documents = st.dictionaries(words, values, max_size=4)
layouts = st.sampled_from([None, 0, 2, "\t"])


@given(documents, layouts)
def test_a_part_is_cut_out_by_its_places(
    said: dict[str, object], layout: int | str | None
) -> None:
    text = json.dumps(said, indent=layout)

    root = find_root(text)

    assert {part.key: part.value for part in root.parts} == said
    assert text[root.opening] + text[root.closing] == "{}"
    for part in root.parts:
        assert json.loads(text[part.at : part.end]) == part.value
        assert json.loads("{" + text[part.start : part.end] + "}") == {part.key: part.value}


@given(st.lists(values, max_size=5), layouts)
def test_the_items_of_a_list_are_parts_without_a_key(
    listed: list[object], layout: int | str | None
) -> None:
    text = json.dumps({"list": listed}, indent=layout)
    [part] = find_root(text).parts

    found = find_parts(text, part.at)

    assert [json.loads(text[one.start : one.end]) for one in found.parts] == listed
    assert {one.key for one in found.parts} <= {""}


def test_of_two_members_with_one_key_the_last_counts() -> None:
    root = find_root('{"a": 1, "a": 2}')

    assert [part.value for part in root.parts] == [1, 2]
    assert (named := root.find_member("a"))
    assert named.value == 2
    assert root.find_member("b") is None


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "[]", "7", "{", '{"a"', '{"a": ', '{"a": 1', '{"a": 1 "b": 2}', '{"a": 1}}'),
        *('{"a": 1,}', "{,}", "{1: 2}", '{"a": 1} x', '{"a": [1,]}', '{"a": ' + "[" * 100_000),
    ],
)
def test_what_is_no_object_has_no_parts(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        find_root(text)


@given(st.text(alphabet='ab/*"\\,{}[]: \n\r'))
def test_a_plain_text_keeps_every_place(text: str) -> None:
    plain = blank_comments(text)

    assert len(plain) == len(text)
    assert all(a in (b, " ") for a, b in zip(plain, text, strict=True))


@given(documents, layouts)
def test_a_text_without_comments_is_plain(
    said: dict[str, object], layout: int | str | None
) -> None:
    text = json.dumps(said, indent=layout)

    assert blank_comments(text) == text
    assert mend_commas(text) == text
    assert find_comments(text, 0, len(text)) == []


def test_comments_are_found_between_two_places() -> None:
    text = '// one\n{"a": "// none", /* two */ "b": 1} // three'

    assert find_comments(text, 0, len(text)) == ["// one", "/* two */", "// three"]
    assert find_comments(text, 7, len(text) - 9) == ["/* two */"]
    assert json.loads(blank_comments(text)) == {"a": "// none", "b": 1}


@given(
    st.lists(st.dictionaries(words, words, min_size=1, max_size=2), max_size=5),
    st.data(),
)
def test_commas_are_right_again_after_objects_went_or_came(
    listed: list[dict[str, str]], data: st.DataObject
) -> None:
    text = json.dumps({"list": listed, "rest": 1}, indent=2)
    [part, _] = find_root(text).parts
    left = list(listed)
    for at, one in reversed(list(enumerate(find_parts(text, part.at).parts))):
        if data.draw(st.booleans()):
            text = text[: one.start] + text[one.end :]
            del left[at]
        elif data.draw(st.booleans()):
            text = text[: one.end] + '\n{"new": 1}' + text[one.end :]
            left.insert(at + 1, {"new": 1})  # type: ignore[dict-item]  # as JSON has it

    assert json.loads(mend_commas(text)) == {"list": left, "rest": 1}
