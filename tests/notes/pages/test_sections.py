"""One section of a page is set or added to, and the others stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.errors import NoteError
from twiceshy.notes.pages.write import (
    append_to_page,
    find_section,
    replace_section,
    split_sections,
)

PAGE = """\
# Deploying

We ship often.

## Staging

- blue host

### Secrets

In the vault.

## Production

```sh
# Production
make ship


```

Ask Ann."""


def test_headings_are_found_and_comments_in_code_are_none() -> None:
    found = [(one.title, one.level, one.start, one.end) for one in split_sections(PAGE)]

    assert found == [
        ("Deploying", 1, 0, 22),
        ("Staging", 2, 4, 12),
        ("Secrets", 3, 8, 12),
        ("Production", 2, 12, 22),
    ]


def test_a_section_is_replaced_with_all_below_it() -> None:
    page = replace_section(PAGE, "staging", "- green host\n")

    assert page == PAGE.replace("- blue host\n\n### Secrets\n\nIn the vault.", "- green host")


def test_a_section_that_is_missing_is_added() -> None:
    assert replace_section("# A", "## New things ", "Text") == "# A\n\n## New things\n\nText"
    assert append_to_page("", "Text", title="New") == "## New\n\nText"


def test_what_is_added_to_a_section_stands_before_its_deeper_headings() -> None:
    page = append_to_page(PAGE, "- at night only", title="Staging")

    assert page == PAGE.replace("- blue host\n", "- blue host\n- at night only\n")


def test_what_is_added_to_a_page_stands_at_its_end() -> None:
    assert append_to_page(PAGE, "Then tell Bob.") == f"{PAGE}\n\nThen tell Bob."
    assert append_to_page("- a", "* b") == "- a\n* b"
    assert append_to_page("", "- b") == "- b"


def test_two_sections_of_one_name_are_told_apart_by_nobody() -> None:
    with pytest.raises(NoteError, match="2 sections are called 'a'"):
        find_section("## A\n\n## a", "a")


def test_a_heading_needs_words() -> None:
    with pytest.raises(NoteError, match="the heading is empty"):
        replace_section("# A", "## ", "Text")


bodies = st.text("ab c\n-#`", max_size=80)


@given(bodies, bodies)
def test_what_is_put_below_a_heading_is_found_there_again(before: str, body: str) -> None:
    page = replace_section(
        f"{before}\n\n```\n\n```\n\n## Last", "Where it goes", body.replace("#", "")
    )

    assert replace_section(page, "Where it goes", body.replace("#", "")) == page


def test_a_block_of_code_that_nobody_closed_swallows_nothing_that_is_added() -> None:
    page = append_to_page("# A\n\n```\nmake", "Done.", title="B")

    assert page == "# A\n\n```\nmake\n```\n\n## B\n\nDone."
    assert replace_section(page, "A", "~~~\nmake") == "# A\n\n~~~\nmake\n~~~"
