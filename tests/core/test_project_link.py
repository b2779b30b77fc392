"""A link is what the journal says last about a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, an_entry

from twiceshy.core.history import JournalEntry
from twiceshy.core.project_link import GONE, HOLDS, LINK, OP, ProjectLink, link_id, replay_link


def said(at: int, op: str = OP, **after: str) -> JournalEntry:
    return an_entry(op, NOW + at, object=link_id("dir:old"), after=after)


LINKED = said(1, alias="dir:old", project="dir:new", status=HOLDS)


def test_a_name_that_nobody_linked_means_nothing() -> None:
    assert replay_link([]) is None


@pytest.mark.parametrize(
    ("later", "project", "status"),
    [
        ({"status": GONE}, "dir:new", GONE),
        ({"project": "dir:other"}, "dir:other", HOLDS),
        ({}, "dir:new", HOLDS),
    ],
)
def test_what_was_said_last_holds_in_whatever_order_it_arrives(
    later: dict[str, str], project: str, status: str
) -> None:
    after = said(2, "undo", **later)

    assert replay_link([LINKED, after]) == ProjectLink("dir:old", project, status)
    assert replay_link([after, LINKED]) == ProjectLink("dir:old", project, status)


@given(
    st.dictionaries(st.sampled_from(["alias", "project", "status", "text"]), st.text(max_size=5))
)
def test_a_link_that_lacks_something_is_none(after: dict[str, str]) -> None:
    link = replay_link([an_entry(OP, after=after)])

    assert (link is None) == (not {"alias", "project", "status"} <= set(after))


@given(st.text(), st.text())
def test_every_name_has_an_id_of_its_own(one: str, other: str) -> None:
    assert link_id(one).startswith(LINK)
    assert (link_id(one) == link_id(other)) == (one == other)


def test_an_id_of_a_link_is_the_same_in_every_release() -> None:
    assert link_id("") == "pe3b0c44298fc1c149afbf4c8996fb924"
