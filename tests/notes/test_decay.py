"""Which notes give way when there are too many, and that nothing gives way unfairly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, several

from twiceshy.core.moment import DAY, HALF_LIFE_DAYS, compute_recency, parse_day
from twiceshy.core.note import is_exempt
from twiceshy.notes.decay import (
    POLICIES,
    compute_salience,
    expiry_time,
    list_over_cap,
    score_by_fireworks,
    value_per_token,
)

if TYPE_CHECKING:
    from twiceshy.core.note import Kind, Note

policies = st.sampled_from(tuple(POLICIES))
shown = several(notes(status="active"))


def months_ago(months: int) -> int:
    year, month = divmod(2026 * 12 + 10 - months, 12)
    return parse_day(f"{year}-{month + 1:02}")


# the fireworks formula


@pytest.mark.parametrize(
    ("sightings", "months", "score"),
    [
        (1, 0, 1.0),
        (1, 3, 1.0),
        (1, 4, 0.5),
        (1, 5, 0.0),
        (1, 9, -2.0),
        (5, 2, 5.0),
        (5, 13, 0.0),
        (400, 3, 400.0),
        (12, 27, 0.0),
    ],
)
def test_the_fireworks_score_is_sightings_less_half_a_point_a_month_after_the_third(
    sightings: int, months: int, score: float
) -> None:
    note = a_note(sightings=sightings, learned_at=months_ago(months))

    assert score_by_fireworks(note, NOW) == score


@given(notes())
def test_the_fireworks_score_never_exceeds_the_sightings(note: Note) -> None:
    assert score_by_fireworks(note, NOW) <= note.sightings
    assert score_by_fireworks(note, note.learned_at) == note.sightings


def test_the_fireworks_policy_can_be_chosen_and_decides_otherwise() -> None:
    long = a_note("word " * 200, id=an_id(1), sightings=5)
    short = a_note("word", id=an_id(2), sightings=4)

    def gone(policy: str) -> list[Note]:
        return list_over_cap([long, short], cap=1, now=NOW, policy=policy)

    assert gone("fireworks") == [short]
    assert gone("value") == [long]


@pytest.mark.parametrize("policy", POLICIES)
def test_an_imported_note_without_a_date_is_not_the_first_to_go(policy: str) -> None:
    imported = a_note(id=an_id(1), learned_at=NOW, sightings=1, source="import")
    old = a_note(id=an_id(2), learned_at=months_ago(12), sightings=2)

    gone = list_over_cap([imported, old], cap=1, now=NOW, policy=policy)

    assert gone == [old]


# the cap


@given(shown, st.integers(0, 12), policies)
def test_exactly_the_surplus_is_retired_unless_exempt_notes_fill_the_cap(
    some: list[Note], cap: int, policy: str
) -> None:
    gone = list_over_cap(some, cap=cap, now=NOW, policy=policy)

    free = sum(not is_exempt(note) for note in some)
    assert len(gone) == min(max(0, len(some) - cap), free)
    assert len({note.id for note in gone}) == len(gone)


@given(shown, st.integers(0, 12), policies)
def test_no_policy_ever_retires_a_pinned_note_a_rule_or_a_preference(
    some: list[Note], cap: int, policy: str
) -> None:
    for note in list_over_cap(some, cap=cap, now=NOW, policy=policy):
        assert not note.pinned
        assert note.kind in ("lesson", "decision", "pattern", "issue")


@given(shown, st.integers(0, 12), policies)
def test_no_note_that_stays_is_worth_less_than_one_that_goes(
    some: list[Note], cap: int, policy: str
) -> None:
    score = POLICIES[policy]
    gone = list_over_cap(some, cap=cap, now=NOW, policy=policy)
    stay = [note for note in some if note not in gone and not is_exempt(note)]

    if gone and stay:
        assert max(score(note, NOW) for note in gone) <= min(score(note, NOW) for note in stay)


@given(st.data(), shown, st.integers(0, 12), policies)
def test_who_goes_does_not_depend_on_the_order_notes_are_read_in(
    data: st.DataObject, some: list[Note], cap: int, policy: str
) -> None:
    shuffled = data.draw(st.permutations(some))

    assert list_over_cap(shuffled, cap=cap, now=NOW, policy=policy) == list_over_cap(
        some, cap=cap, now=NOW, policy=policy
    )


@given(several(notes()), st.integers(0, 5))
def test_a_note_that_is_not_shown_neither_counts_nor_goes(some: list[Note], cap: int) -> None:
    visible = [note for note in some if note.status in ("active", "candidate")]

    assert list_over_cap(some, cap=cap, now=NOW) == list_over_cap(visible, cap=cap, now=NOW)


def test_between_equals_the_older_goes_first() -> None:
    older = a_note(id=an_id(1), learned_at=NOW - 2)
    newer = a_note(id=an_id(2), learned_at=NOW - 1)

    gone = list_over_cap([newer, older], cap=1, now=NOW, policy="fireworks")

    assert gone == [older]


# what a note is worth


@given(notes(), st.integers(1, 50))
def test_a_note_is_worth_more_the_more_often_it_was_learned(note: Note, more: int) -> None:
    assert compute_salience(note.but(sightings=note.sightings + more), NOW) > compute_salience(
        note, NOW
    )


@given(notes(), st.integers(1, 50))
def test_a_note_is_worth_more_for_helping_and_being_missed_and_less_for_harm(
    note: Note, more: int
) -> None:
    worth = compute_salience(note, NOW)

    assert compute_salience(note.but(helped=note.helped + more), NOW) > worth
    assert compute_salience(note.but(missed=note.missed + more), NOW) > worth
    assert compute_salience(note.but(harmed=note.harmed + more), NOW) < worth


@given(notes(), st.integers(1, 400))
def test_a_note_is_worth_less_with_age_but_never_nothing(note: Note, days: int) -> None:
    older = compute_salience(note, NOW + days * DAY)

    assert 0 < older < compute_salience(note, NOW)
    assert (
        compute_salience(note, NOW + 100_000 * DAY)
        >= 0.1 * compute_salience(note, note.learned_at) * 0.999
    )


@given(notes())
def test_a_longer_text_must_be_worth_more_to_stay(note: Note) -> None:
    assert value_per_token(note.but(text=note.text + " and so on" * 9), NOW) < value_per_token(
        note, NOW
    )


def test_recency_halves_with_every_half_life_and_the_future_is_now() -> None:
    assert compute_recency(NOW, now=NOW) == 1.0
    assert compute_recency(NOW + DAY, now=NOW) == 1.0
    assert compute_recency(NOW - 30 * DAY, now=NOW) == 0.5
    assert compute_recency(NOW - 60 * DAY, now=NOW) == 0.25
    assert compute_recency(NOW - 10 * DAY, now=NOW, half_life_days=10) == 0.5


# lifetimes


@given(notes(), st.integers(NOW - 900 * DAY, NOW + 900 * DAY))
def test_a_note_expires_when_its_time_is_up_unless_it_is_pinned(note: Note, now: int) -> None:
    assert note.is_expired(now) == (0 < note.expires_at <= now and not note.pinned)


def test_a_note_expires_on_the_very_moment_it_was_given() -> None:
    note = a_note(expires_at=NOW)

    assert not note.is_expired(NOW - 1)
    assert note.is_expired(NOW)


@pytest.mark.parametrize(
    ("kind", "subtype", "days"),
    [
        ("lesson", "workflow", 90),
        ("lesson", "gotcha", 30),
        ("issue", "bugfix", 7),
        ("decision", "other", 0),
        ("task", "", 0),
    ],
)
def test_a_kind_or_subtype_can_be_given_a_lifetime(kind: Kind, subtype: str, days: int) -> None:
    settings = {"lesson": 30, "lesson.workflow": 90, "issue": 7, "task": 0}

    until = expiry_time(kind, subtype, learned_at=NOW, days=settings)

    assert until == (NOW + days * DAY if days else 0)


@given(notes())
def test_without_a_lifetime_nothing_ever_expires(note: Note) -> None:
    until = expiry_time(note.kind, note.subtype, learned_at=note.learned_at, days={})

    assert until == 0
    assert not note.but(expires_at=until).is_expired(NOW + 10_000 * DAY)


# the numbers


def test_what_a_note_is_worth_is_what_was_learned_used_of_use_and_fresh() -> None:
    fresh = a_note("Lock.", sightings=3, missed=1, recalls=3, trust=1.0, learned_at=NOW)
    old, ancient = (fresh.but(learned_at=NOW - age * DAY) for age in (3 * HALF_LIFE_DAYS, 99_999))

    assert compute_salience(fresh, NOW) == pytest.approx((2 + 0.5) * (1 + 0.5) * 0.5)
    assert compute_salience(old, NOW) == pytest.approx(
        compute_salience(fresh, NOW) * (0.1 + 0.9 / 2)
    )
    assert compute_salience(ancient, NOW) == pytest.approx(compute_salience(fresh, NOW) / 10)
    assert compute_salience(fresh.but(trust=0.5), NOW) == pytest.approx(
        compute_salience(fresh, NOW) / 2
    )


def test_a_note_costs_its_tokens_and_twenty_for_its_frame() -> None:
    note = a_note("x" * 40, learned_at=NOW)

    assert value_per_token(note, NOW) == pytest.approx(compute_salience(note, NOW) / (20 + 11))


@pytest.mark.parametrize(("cap", "gone"), [(2, 1), (3, 0), (4, 0)])
def test_as_many_notes_as_the_cap_says_may_stay(cap: int, gone: int) -> None:
    some = [a_note(id=an_id(number)) for number in range(1, 4)]

    assert len(list_over_cap(some, cap=cap, now=NOW)) == gone
