"""Which lessons pay for the tokens that telling them costs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id

from twiceshy.core.lesson_value import choose_lessons, value_lesson
from twiceshy.core.prices import Prices
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trigger import Trigger, TriggerMatch, failing_share, may_still_fail

PRICES = Prices()


def a_match(text: str = "`gh`: use `-a`, not `-b`", **fields: Any) -> TriggerMatch:
    """Return a lesson and its record; what is no field of a record is the note's."""
    category = fields.pop("category", "usage")
    counted = {name: fields.pop(name) for name in list(fields) if name in TriggerMatch.__fields__}
    note = a_note(text, **{"subtype": "fix", "source": "detector"} | fields)
    trigger = Trigger("Bash", ("gh", "-b"), category=category)
    return TriggerMatch.of({"note": note, "trigger": trigger} | counted)


def chance(**fields: Any) -> float:
    return value_lesson(a_match(**fields)).chance


def test_a_mistake_comes_back_that_was_made_often_and_lately_and_can_be_helped() -> None:
    assert chance(sightings=5, age=9, recent=1) > chance(sightings=2, age=9, recent=1)
    assert chance(sightings=2, age=9, recent=1) > chance(sightings=2, age=9, recent=1 << 8)
    assert chance() > chance(subtype="gotcha")
    assert chance(category="usage") > chance(category="missing")
    assert chance(category="outcome") > chance(category="outcome", subtype="gotcha")


def test_what_a_mistake_took_counts_up_to_four_calls() -> None:
    lost = [value_lesson(a_match(lost_calls=calls)).lost_calls for calls in (0, 1, 5, 99)]

    assert lost == [1.0, 1.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("worked", "told"),
    [(0, True), (3, True), (9, False)],
)
def test_what_mostly_works_by_now_is_not_told(worked: int, told: bool) -> None:
    match = a_match(failed_calls=1, succeeded_calls=worked, sightings=1, recent=1)

    assert may_still_fail(match) is told
    assert bool(choose_lessons([match], Prices(margin=0))) is told


def test_a_dearer_line_must_save_more() -> None:
    short, long = a_match(), a_match("word " * 60)

    assert value_lesson(short).pays(PRICES)
    assert not value_lesson(long).pays(PRICES)


def test_the_note_of_the_project_stands_for_the_global_one_of_the_same_mistake() -> None:
    everywhere = a_match(tag="mistake:x", id=an_id(1), scope=Scope(EVERYWHERE), sightings=9)
    own = a_match(tag="mistake:x", id=an_id(2), scope=Scope("demo"))

    chosen = choose_lessons([everywhere, own], PRICES)

    assert [match.note.id for match, _ in chosen] == [own.note.id]


matches = st.lists(
    st.builds(
        a_match,
        st.integers(1, 60).map("word ".__mul__),
        category=st.sampled_from(["usage", "missing", "folder", "outcome", "rejected", "other"]),
        sightings=st.integers(0, 50),
        age=st.integers(0, 200),
        recent=st.integers(0, 2**31 - 1),
        failed_calls=st.integers(0, 99),
        succeeded_calls=st.integers(0, 99),
        lost_calls=st.integers(0, 99),
        subtype=st.sampled_from(["fix", "gotcha"]),
    ),
    max_size=12,
).map(lambda many: [each.but(note=each.note.but(id=an_id(n))) for n, each in enumerate(many)])
prices = st.builds(
    Prices,
    turn=st.integers(0, 60_000),
    told=st.integers(0, 40),
    margin=st.floats(0, 9),
    most_tokens=st.integers(0, 600),
)


@given(matches, prices)
def test_whatever_is_known_what_is_told_pays_fits_and_comes_once_best_first(
    many: list[TriggerMatch], each: Prices
) -> None:
    chosen = choose_lessons(many, each)

    ids = [match.note.id for match, _ in chosen]
    worth = [value.saving(each) / value.tokens for _, value in chosen]
    assert len(ids) == len(set(ids))
    assert worth == sorted(worth, reverse=True)
    assert sum(value.tokens for _, value in chosen) <= each.most_tokens
    assert all(value.pays(each) and may_still_fail(match) for match, value in chosen)
    assert choose_lessons(many[::-1], each) == chosen


@given(matches)
def test_a_chance_is_a_chance_and_a_share_is_a_share(many: list[TriggerMatch]) -> None:
    for match in many:
        value = value_lesson(match)
        assert 0 < value.chance < 1
        assert 0 < failing_share(match) <= 1
        assert value.tokens > 0


def test_work_that_mostly_succeeds_may_fail_again_for_its_reason() -> None:
    match = a_match(category="outcome", failed_calls=1, succeeded_calls=99, recent=1)

    assert may_still_fail(match)
    assert choose_lessons([match], Prices(margin=0)) != []
