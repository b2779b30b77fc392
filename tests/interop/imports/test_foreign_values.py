"""Values that other programs wrote are taken as what they should be, or refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.draft import MAX_ITEMS, MAX_LINE
from twiceshy.interop.imports import ImportContext
from twiceshy.interop.imports.foreign_values import (
    ForeignRow,
    UnfitError,
    page_name_from_title,
    parse_json_text,
    parse_mapping,
    parse_time,
    shorten_texts,
)
from twiceshy.notes.pages import page_name
from twiceshy.places.identity import is_project_id

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
ANYTHING = JSON | st.binary()


@given(ANYTHING)
def test_a_moment_is_always_one_that_a_clock_can_tell(value: object) -> None:
    assert 0 <= parse_time(value) < 2**47


@pytest.mark.parametrize(
    "value",
    [
        1_780_000_000,
        1_780_000_000.0,
        1_780_000_000_000,
        "2026-05-28T20:26:40Z",
        "2026-05-28 20:26:40",
        "2026-05-28T22:26:40+02:00",
    ],
)
def test_the_same_moment_is_read_however_it_is_written(value: object) -> None:
    assert parse_time(value) == 1_780_000_000_000


def test_a_text_that_nobody_could_keep_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(UnfitError, match="its content has more than 200,000 characters"):
        ForeignRow(content="x" * 200_001).text("content")


@given(ANYTHING)
def test_a_list_is_read_or_refused(value: object) -> None:
    try:
        found = ForeignRow(x=value).lines("x")
    except UnfitError:
        return

    assert len(found) <= MAX_ITEMS
    assert all(item and len(item) <= MAX_LINE and "\n" not in item for item in found)


@given(ANYTHING)
def test_a_mapping_is_always_one(value: object) -> None:
    assert isinstance(parse_mapping(value), dict)


@pytest.mark.parametrize("written", ["", "{", "nonsense", "[" * 100_000, '{"a": 1} 2'])
def test_a_text_that_is_no_json_is_refused(written: str) -> None:
    with pytest.raises(UnfitError, match="no JSON"):
        parse_json_text(written)


@given(st.lists(st.text()))
def test_short_texts_stay_short(items: list[str]) -> None:
    assert shorten_texts(shorten_texts(items)) == shorten_texts(items)


@given(st.text())
def test_every_title_becomes_the_name_of_a_page(title: str) -> None:
    name = page_name_from_title(title)

    assert page_name(name) == name


@given(name=st.text())
def test_a_name_alone_never_means_everywhere(around: ImportContext, name: str) -> None:
    found = around.project_by_name("x", name)

    assert (found is None) == (not "".join(filter(str.isprintable, name)).strip())
    assert found is None or (is_project_id(found.id) and found.id != "*")


def test_the_project_we_are_in_goes_by_its_name(around: ImportContext) -> None:
    assert around.project_by_name("x", around.here.name) == around.here
    assert around.project_by_name("x", "other") == around.project_by_name("x", " other ")
    assert around.project_by_name("x", "other") != around.project_by_name("y", "other")


def test_only_a_directory_that_is_there_tells_its_project(
    around: ImportContext, project: Path
) -> None:
    assert around.project_at(str(project)) == around.here
    assert [around.project_at(path) for path in ("", "shop", "/no/where", "/\0")] == [None] * 4
