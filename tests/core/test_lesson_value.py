"""What telling a lesson is worth, and which lessons are chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.lesson_value import choose_lessons, may_still_fail, value_lesson
from twiceshy.core.prices import Prices
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trigger import Trigger, TriggerMatch

PRICES = Prices()


def a_match(
    text: str = "Use `b`, not `a`", *, sort: str = "usage", **fields: object
) -> TriggerMatch:
    counts = {name: fields.pop(name) for name in list(fields) if name in TriggerMatch.__fields__}
    note = a_note(text, **{"subtype": "fix", "source": "detector"} | fields)
    trigger = Trigger("Bash", ("gh", "--stat"), category=sort)
    return TriggerMatch.of({"note": note, "trigger": trigger} | counts)


def test_often_lately_and_with_a_fix_is_likelier() -> None:
    usual = value_lesson(a_match(sightings=2, age=20, recent=0b100)).chance

    assert value_lesson(a_match(sightings=5, age=20, recent=0b100)).chance > usual
    assert value_lesson(a_match(sightings=2, age=20, recent=0b1)).chance > usual
    assert value_lesson(a_match(sightings=2, age=20, recent=0b10000000)).chance < usual
    assert (
        value_lesson(a_match(sightings=2, age=20, recent=0b100, subtype="gotcha")).chance < usual
    )


def test_a_line_is_told_only_if_it_saves_more_than_it_costs() -> None:
    likely, rare = a_match(sightings=5, age=10, recent=1, tag="a"), a_match(sightings=1, age=300)

    assert [match for match, _ in choose_lessons([rare, likely], PRICES)] == [likely]
    assert choose_lessons([likely], PRICES.but(turn=10)) == []
    assert choose_lessons([likely], PRICES.but(most_tokens=0)) == []


def test_what_works_by_now_is_no_mistake_any_more() -> None:
    mended = a_match(sightings=5, age=10, recent=1, failed_calls=5, succeeded_calls=40)

    assert not may_still_fail(mended)
    assert choose_lessons([mended], PRICES) == []


def test_a_projects_own_note_takes_the_place_of_the_global_one() -> None:
    fields = {"sightings": 5, "age": 10, "recent": 1, "tag": "mistake:x"}
    own = a_match(scope=Scope("demo"), **fields)
    everywhere = a_match(scope=Scope(EVERYWHERE), **fields)

    assert [match for match, _ in choose_lessons([everywhere, own], PRICES)] == [own]


@given(
    st.integers(1, 1_000),
    st.integers(0, 10_000),
    st.integers(0, 2**31 - 1),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
)
def test_whatever_was_counted_a_chance_is_one_and_a_budget_holds(
    sightings: int, age: int, recent: int, failed: int, worked: int
) -> None:
    match = a_match(
        sightings=sightings, age=age, recent=recent, failed_calls=failed, succeeded_calls=worked
    )

    value = value_lesson(match)

    assert 0 < value.chance < 1
    assert value.lost_calls == pytest.approx(1)
    chosen = choose_lessons([match] * 30, PRICES)
    assert sum(each.tokens for _, each in chosen) <= PRICES.most_tokens
