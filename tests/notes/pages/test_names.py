"""A page has one name, whatever it is called by."""

import pytest
from tests.core.builders import a_note, an_id

from twiceshy.core.errors import UnsafeNameError
from twiceshy.notes.pages import is_hub, page_name, sort_pages


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("project", "project"),
        ("Architecture", "architecture"),
        ("conventions.md", "conventions"),
        ("MEMORY.md", "memory"),
        ("Deploy Steps", "Deploy Steps"),
        ("部署流程", "部署流程"),
        ("v1.2 notes", "v1.2 notes"),
        ("2026 plans", "2026 plans"),
    ],
)
def test_a_page_goes_by_its_name_with_or_without_the_suffix_of_files(
    given: str, name: str
) -> None:
    assert page_name(given) == name


@pytest.mark.parametrize(
    "given", ["", ".md", "../secrets", "a/b", "1. setup", "+ more", "-x", "a\nb"]
)
def test_a_name_that_could_be_a_path_an_option_or_an_item_of_a_list_is_refused(given: str) -> None:
    with pytest.raises(UnsafeNameError):
        page_name(given)


def test_the_hub_has_two_names() -> None:
    assert [is_hub(page_name(name)) for name in ("index", "Memory.md", "project")] == [
        *(True, True),
        False,
    ]


def test_stable_pages_come_first_and_topics_follow_by_name() -> None:
    tags = ["zebra", "conventions", "Apple", "project", "architecture"]
    pages = [a_note(kind="page", tag=tag, id=an_id(n)) for n, tag in enumerate(tags)]

    ordered = [page.tag for page in sort_pages(pages)]

    assert ordered == ["project", "architecture", "conventions", "Apple", "zebra"]
