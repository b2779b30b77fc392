"""Kinds of notes, and the ids they go by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_draft, a_note

from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY
from twiceshy.core.note import KINDS, Note, kind_for_subtype, new_id, parse_kind, short_handle

# The table of the contract, in its own words; the outer state "active" is called current here.
CONTRACT = {
    "lesson": ("gotcha discovery fix workflow pitfall principle", "current stale"),
    "decision": ("architecture technology approach other", "current superseded"),
    "pattern": ("convention best-practice anti-pattern other", "current"),
    "issue": ("bugfix performance security feature other", "open resolved"),
    "rule": ("correction hard", "current cleared"),
    "task": ("", "open done"),
    "page": ("project architecture conventions topic index", "current"),
    "preference": ("", "current resting"),
}

moments = st.integers(0, 2**45 - 1)
entropies = st.binary(min_size=5, max_size=5)


def test_notes_are_of_the_kinds_the_contract_names() -> None:
    known = {kind: (set(subtypes), states) for kind, (subtypes, states) in KINDS.items()}

    assert known == {
        kind: (set(subtypes.split()) or {""}, tuple(states.split()))
        for kind, (subtypes, states) in CONTRACT.items()
    }


def test_a_kind_is_known_by_its_name_and_by_its_subtypes() -> None:
    assert [parse_kind(kind) for kind in KINDS] == list(KINDS)
    assert kind_for_subtype("gotcha") == "lesson"
    assert kind_for_subtype("anti-pattern") == "pattern"
    assert kind_for_subtype("hard") == "rule"


@pytest.mark.parametrize("name", ["", "general", "Lesson", "lessons", "lesson "])
def test_an_unknown_kind_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(NoteError, match="no kind of note is called") as refused:
        parse_kind(name)

    assert refused.value.hint == "one of: " + ", ".join(KINDS)


@pytest.mark.parametrize("name", ["", "generally", "Gotcha"])
def test_an_unknown_subtype_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(NoteError, match="no type of note is called") as refused:
        kind_for_subtype(name)

    assert "gotcha" in refused.value.hint


@given(moments, moments, entropies, entropies)
def test_ids_always_sort_by_the_time_they_were_made(
    one: int, other: int, chance: bytes, luck: bytes
) -> None:
    if one != other:
        assert (new_id(one, chance) < new_id(other, luck)) is (one < other)


@given(moments, entropies, entropies)
def test_ids_of_one_moment_differ_when_chance_does(at: int, chance: bytes, luck: bytes) -> None:
    assert (new_id(at, chance) == new_id(at, luck)) is (chance == luck)


@given(moments, entropies)
def test_an_id_is_a_word_without_letters_that_look_alike(at: int, chance: bytes) -> None:
    made = new_id(at, chance)

    assert len(made) == 18
    assert made[0] == "n"
    assert made.isalnum()
    assert not set(made[1:]) & set("ilou")


def test_a_handle_is_the_end_of_the_id_where_ids_differ() -> None:
    note = a_note(id=new_id(NOW, b"\x12\x34\x50\x1e\x62"))

    assert note.id.endswith("07k2")
    assert note.handle == short_handle(note.id) == "n07k2"
    assert short_handle(new_id(NOW + DAY, b"\x00\x00\x00\x1e\x62")) == note.handle


def test_a_page_is_the_same_page_whatever_it_says_and_other_notes_are_what_they_say() -> None:
    page = a_note("v1", kind="page", tag="Architecture")

    assert page.fingerprint == page.but(text="v2").fingerprint
    assert page.fingerprint != page.but(tag="Conventions").fingerprint
    assert a_note("v1").fingerprint != a_note("v2").fingerprint
    assert a_note("v1", tag="a").fingerprint == a_note("v1", tag="b").fingerprint


def test_a_draft_and_the_note_made_of_it_have_the_same_fingerprint() -> None:
    assert a_draft("Fetch first").fingerprint == a_note("fetch first.").fingerprint
    assert (
        a_draft("v1", kind="page", tag="Plan").fingerprint
        == a_note("v2", kind="page", tag="Plan").fingerprint
    )


def test_an_id_is_nine_digits_of_time_and_eight_of_chance() -> None:
    assert new_id(0, bytes(5)) == "n" + "0" * 17
    assert new_id(1, bytes(5)) == "n" + "0" * 8 + "1" + "0" * 8
    assert new_id(0, bytes(4) + b"\1") == "n" + "0" * 16 + "1"
    assert new_id(0, bytes(5) + b"\xff") == new_id(0, bytes(5))  # there is no room for more
    assert new_id(0, b"\xff" * 5)[:10] == "n" + "0" * 9


def test_nothing_was_counted_for_a_note_that_says_nothing_of_it() -> None:
    said = a_note().fields()
    for name in ("recalls", "missed", "helped", "harmed"):
        del said[name]

    note = Note.of(said)

    assert (note.recalls, note.missed, note.helped, note.harmed) == (0, 0, 0, 0)


@given(st.text(min_size=1), st.text(min_size=1))
def test_a_lesson_of_a_mistake_is_known_by_its_key_whatever_it_says(one: str, other: str) -> None:
    key = "mistake:bash/gh pr diff/unknown flag --stat"

    assert a_note(one, tag=key).fingerprint == a_note(other, tag=key).fingerprint
    assert a_note(one, tag=key).fingerprint == a_draft(other, tag=key).fingerprint
    assert a_note(one, tag=key).fingerprint != a_note(one, tag=key + "-only").fingerprint


def test_any_other_tag_of_a_lesson_is_no_key() -> None:
    tags = ("", "release", "mistakes", "a mistake:")

    assert len({a_note("Fetch first.", tag=tag).fingerprint for tag in tags}) == 1
    assert a_note("Fetch first.", tag="x").fingerprint != a_note("Push.", tag="x").fingerprint
