"""Notes are compared within their kind and scope, and only a clear likeness counts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, several

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.similar import overlap, words_of
from twiceshy.project.reflect.likeness import Shelf, covering, replacements, twins

FETCH = "Run git fetch --tags before tagging, or the tag lands on an old commit."
AGAIN = "Before tagging run git fetch --tags, or the tag lands on an old commit."


def numbered(*texts: str, **fields: Any) -> list[Note]:
    return [
        a_note(text, id=an_id(number), written_at=NOW + number, **fields)
        for number, text in enumerate(texts)
    ]


def test_the_later_of_two_that_say_the_same_is_the_duplicate() -> None:
    first, second = numbered(FETCH, AGAIN)

    assert twins(Shelf([first, second]), threshold=0.63) == {second.id: first}


def test_a_pinned_note_is_never_the_duplicate_of_one_that_is_not() -> None:
    first, second = numbered(FETCH, AGAIN)
    pinned = second.but(pinned=True)

    assert twins(Shelf([first, pinned]), threshold=0.63) == {first.id: pinned}


def test_what_is_elsewhere_or_of_another_kind_or_about_other_calls_is_no_duplicate() -> None:
    first, second = numbered(FETCH, AGAIN)
    others = [
        second.but(scope=Scope("shop")),
        second.but(kind="decision"),
        second.but(trigger="Bash git tag"),
        second.but(kind="page"),
    ]

    assert [twins(Shelf([first, other]), threshold=0.63) for other in others] == [{}] * 4


@given(
    several(notes(kind="lesson", subtype="gotcha", trigger="")), st.sampled_from((0.5, 0.63, 1))
)
def test_looking_at_rare_words_only_misses_no_duplicate(
    found: list[Note], threshold: float
) -> None:
    shelf = Shelf(found)

    slowly = {
        one.id
        for one in shelf.notes
        for other in shelf.notes
        if one.scope == other.scope
        and one.id != other.id
        and (not other.pinned, -other.sightings, other.id)
        < (not one.pinned, -one.sightings, one.id)
        and overlap(words_of(one.text), words_of(other.text)) >= threshold
    }

    assert set(twins(shelf, threshold=threshold)) == slowly


def test_a_newer_note_that_says_so_takes_the_place_of_an_older_one() -> None:
    old, new = numbered(
        "Deploy by hand with make deploy.",
        "We no longer deploy by hand with make deploy.",
        kind="decision",
    )

    assert replacements(Shelf([old, new])) == {old.id: new}
    assert replacements(Shelf([old.but(pinned=True), new])) == {}
    assert replacements(Shelf([old.but(written_at=NOW + 9), new])) == {}


def test_a_rule_covers_what_it_says_whole_and_what_it_was_made_of() -> None:
    note = a_note("Never push with --force.")
    rule = a_note("Never push with --force to a shared branch.", kind="rule", id=an_id(2))
    other = a_note("Push with care.", kind="rule", id=an_id(3))
    made = other.but(tag=note.id)

    assert covering(note, [other, rule]) == rule
    assert covering(note, [other]) is None
    assert covering(note, [made]) == made


def test_a_rule_that_forbids_does_not_cover_a_note_that_advises() -> None:
    note = a_note("Push to the main branch.")
    rule = a_note("Never push to the main branch.", kind="rule")

    assert covering(note, [rule]) is None
