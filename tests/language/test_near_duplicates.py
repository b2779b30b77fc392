"""Pairs of notes that say nearly the same: every one is found, and no other."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.near_duplicates import find_near_duplicates, measure_likeness
from twiceshy.language.similar import THRESHOLD, telling_terms_of, word_overlap

WORDS = st.sampled_from(
    "fetch tags before tagging never push --force 42 alpha beta gamma instead of npm pnpm 拉取标签".split()
)
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)
SCOPES = (Scope("demo"), Scope("demo", "release"))


def by_scope(note: Note) -> Scope:
    return note.scope


def noted(*texts: str) -> list[Note]:
    return [a_note(text, id=an_id(number)) for number, text in enumerate(texts, start=1)]


@given(
    st.lists(st.tuples(TEXTS, st.sampled_from(SCOPES)), max_size=14),
    st.sampled_from((0.3, 0.5, 0.56, THRESHOLD, 1.0)),
    st.randoms(use_true_random=False),
)
def test_the_pairs_are_those_that_comparing_each_with_each_finds(
    said: list[tuple[str, Scope]], threshold: float, chance: Random
) -> None:
    notes = [
        a_note(text, id=an_id(number), scope=scope) for number, (text, scope) in enumerate(said)
    ]
    expected = [
        (one.id, other.id, likeness)
        for one, other in combinations(notes, 2)
        if one.scope == other.scope
        and (likeness := measure_likeness(one.text, other.text)) >= threshold
    ]
    shuffled = chance.sample(notes, len(notes))

    found = find_near_duplicates(shuffled, threshold=threshold, group_by=by_scope)

    assert [(one.id, other.id, likeness) for one, other, likeness in found] == expected


@given(TEXTS, TEXTS)
def test_one_pair_is_judged_by_its_words_unless_it_says_the_opposite(one: str, other: str) -> None:
    likeness = measure_likeness(one, other)

    assert likeness in (0.0, word_overlap(telling_terms_of(one), telling_terms_of(other)))
    assert likeness == measure_likeness(other, one)


def test_this_instead_of_that_and_that_instead_of_this_are_no_pair() -> None:
    swapped = noted("Use tabs instead of spaces here", "Use spaces instead of tabs here")

    assert word_overlap(*(telling_terms_of(note.text) for note in swapped)) == 1.0
    assert measure_likeness(swapped[0].text, swapped[1].text) == 0.0
    assert find_near_duplicates(swapped, threshold=0.3, group_by=by_scope) == []


def test_a_pair_that_is_exactly_at_the_threshold_is_found() -> None:
    words = [f"qua{letter}k" for letter in "abcdefghijklmnopqrstuvwxy"]
    notes = noted(" ".join(words), " ".join(words[:14]))  # .56, but 25 * .56 is more than 14

    ((_, _, likeness),) = find_near_duplicates(notes, threshold=0.56, group_by=by_scope)

    assert likeness == 0.56


@pytest.mark.parametrize("texts", [(), ("",), ("", ""), ("the of", "the of")])
def test_texts_without_a_word_of_their_own_are_no_pair(texts: tuple[str, ...]) -> None:
    assert find_near_duplicates(noted(*texts), threshold=0.3, group_by=by_scope) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The HTTP timeout is 30 s", "The HTTP timeout of the payment service is 30 s"),
        ("The build needs 4 GB of memory", "The build of the mobile app needs 4 GB of memory"),
        ("数据库备份保留三十天", "支付服务的数据库备份保留三十天"),
        (
            "Ask Martin for access to the production cluster",
            "Ask Julia for access to the production cluster, Martin has left",
        ),
        (
            "Contact Bob about the firewall rules of the office network",
            "Contact Alice about the firewall rules of the office network, Bob retired",
        ),
        ("Use the eu bucket for customer uploads", "Use the us bucket for customer uploads"),
    ],
)
def test_a_place_part_or_person_of_one_text_only_makes_two_notes(one: str, other: str) -> None:
    assert measure_likeness(one, other) == measure_likeness(other, one) == 0
