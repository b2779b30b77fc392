"""Notes are compared within their kind and calls, and only a clear likeness counts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, several

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import normalise_text
from twiceshy.language.near_duplicates import measure_likeness
from twiceshy.project.audit.facts import AuditFacts
from twiceshy.project.audit.notes import find_near_pairs, report_near_pairs
from twiceshy.project.audit.replaced import find_covering_rule, find_replacements
from twiceshy.store.vectors import compare_terms

FETCH = "Run git fetch --tags before tagging, or the tag lands on an old commit."
AGAIN = "Before tagging run git fetch --tags, or the tag lands on an old commit."


def numbered(*texts: str, **fields: Any) -> list[Note]:
    return [
        a_note(text, id=an_id(number), written_at=NOW + number, **fields)
        for number, text in enumerate(texts)
    ]


def find_duplicates(notes: list[Note], *, threshold: float = 0.63) -> set[str]:
    """Return the ids of the notes that are near-duplicates of a note to keep."""
    near = tuple(find_near_pairs(notes, threshold))
    found = report_near_pairs(AuditFacts(NOW, notes=tuple(notes), near=near))
    return {note_id for finding in found for note_id in finding.notes}


def test_the_later_of_two_that_say_the_same_is_the_duplicate() -> None:
    first, second = numbered(FETCH, AGAIN)

    assert find_duplicates([first, second]) == {second.id}


def test_this_instead_of_that_is_no_duplicate_of_that_instead_of_this() -> None:
    notes = numbered("Use tabs instead of spaces here", "Use spaces instead of tabs here")

    assert find_duplicates(notes) == set()


def test_a_pinned_note_is_never_the_duplicate_of_one_that_is_not() -> None:
    first, second = numbered(FETCH, AGAIN)
    pinned = second.but(pinned=True)

    assert find_duplicates([first, pinned]) == {first.id}


def test_a_note_for_all_projects_is_kept_rather_than_one_of_a_project() -> None:
    first, second = numbered(FETCH, AGAIN)

    assert find_duplicates([first, second.but(scope=Scope("*", first.scope.skill))]) == {first.id}


def test_what_is_of_another_kind_or_about_other_calls_is_no_duplicate() -> None:
    first, second = numbered(FETCH, AGAIN)
    others = [
        second.but(kind="decision"),
        second.but(trigger="Bash git tag"),
        second.but(kind="page"),
    ]

    assert [find_duplicates([first, other]) for other in others] == [set()] * 3


@given(
    several(notes(kind="lesson", subtype="gotcha", trigger="", scope=Scope("demo"))),
    st.sampled_from((0.5, 0.63, 1)),
)
def test_looking_at_rare_words_only_misses_no_duplicate(
    found: list[Note], threshold: float
) -> None:
    slowly = {
        one.id
        for one in found
        for other in found
        if one.id != other.id
        and normalise_text(one.text) != normalise_text(other.text)
        and (not other.pinned, -other.sightings, other.id)
        < (not one.pinned, -one.sightings, one.id)
        and measure_likeness(one.text, other.text) >= threshold
    }

    assert find_duplicates(found, threshold=threshold) == slowly


def test_a_newer_note_that_says_so_takes_the_place_of_an_older_one() -> None:
    old, new = numbered(
        "Deploy by hand with make deploy.",
        "We no longer deploy by hand with make deploy.",
        kind="decision",
    )

    assert find_replacements([old, new], compare_terms) == {old.id: new}
    assert find_replacements([old.but(pinned=True), new], compare_terms) == {}
    assert find_replacements([old.but(written_at=NOW + 9), new], compare_terms) == {}


def test_a_rule_covers_what_it_says_whole_and_what_it_was_made_of() -> None:
    note = a_note("Never push with --force.")
    rule = a_note("Never push with --force to a shared branch.", kind="rule", id=an_id(2))
    other = a_note("Push with care.", kind="rule", id=an_id(3))
    made = other.but(tag=note.id)

    assert find_covering_rule(note, [other, rule]) == rule
    assert find_covering_rule(note, [other]) is None
    assert find_covering_rule(note, [made]) == made


def test_a_rule_that_forbids_does_not_cover_a_note_that_advises() -> None:
    note = a_note("Push to the main branch.")
    rule = a_note("Never push to the main branch.", kind="rule")

    assert find_covering_rule(note, [rule]) is None
