"""A journal's clock only ever goes forward, and follows nobody into the future."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW

from twiceshy.core.clock import (
    ALLOWANCE,
    ATTESTING_DAYS,
    DRIFT,
    LONG_GAP,
    MANY_ATTESTING_DAYS,
    believe_time,
    first_clock_of,
    is_from_future,
    millisecond_of,
    next_clock,
    observe_clock,
)
from twiceshy.core.moment import DAY

walls = st.integers(NOW - 400 * DAY, NOW + 400 * DAY)
values = walls.map(first_clock_of) | st.integers(0, first_clock_of(NOW + 400 * DAY))


@given(st.lists(walls, max_size=30), values)
def test_every_tick_is_later_than_the_last_whatever_the_wall_clock_says(
    wall: list[int], first: int
) -> None:
    clocks = [first]
    for now in wall:
        clocks.append(next_clock(clocks[-1], now=now))

    assert all(later > earlier for earlier, later in pairwise(clocks))


@given(walls)
def test_a_tick_belongs_to_the_moment_it_was_made_in(now: int) -> None:
    assert millisecond_of(next_clock(0, now=now)) == now


def test_one_millisecond_has_room_for_many_entries() -> None:
    clock = first_clock_of(NOW)
    for _ in range(1_000):
        clock = next_clock(clock, now=NOW)

    assert millisecond_of(clock) == NOW


@given(values, values, walls)
def test_what_others_saw_never_sets_our_clock_back_nor_into_the_future(
    last: int, seen: int, now: int
) -> None:
    after = observe_clock(last, seen, now=now)

    assert after in (last, max(last, seen))
    assert after >= last
    assert is_from_future(seen, now=now) is (millisecond_of(seen) > now + DRIFT)
    assert millisecond_of(after) <= max(millisecond_of(last), now + DRIFT)


def test_clocks_may_differ_by_five_minutes_and_no_more() -> None:
    fast, broken = first_clock_of(NOW + 300_000), first_clock_of(NOW + 300_001)

    assert observe_clock(0, fast, now=NOW) == fast
    assert observe_clock(0, broken, now=NOW) == 0


@given(st.lists(st.tuples(st.integers(0, DAY), values | st.none()), max_size=30))
def test_an_honest_clock_never_runs_further_ahead_than_clocks_drift(
    steps: list[tuple[int, int | None]],
) -> None:
    clock, now = 0, NOW

    for passed, seen in steps:
        now += passed
        clock = next_clock(clock, now=now) if seen is None else observe_clock(clock, seen, now=now)

        assert millisecond_of(clock) <= now + DRIFT + 1  # one for the counter, when it overflows


def test_an_entry_that_follows_one_from_another_device_sorts_behind_it() -> None:
    theirs = next_clock(0, now=NOW + 2_000)  # their clock is two seconds fast

    ours = next_clock(observe_clock(0, theirs, now=NOW), now=NOW)

    assert ours > theirs


def test_a_millisecond_has_room_for_65536_entries() -> None:
    assert first_clock_of(1) == 65_536
    assert [millisecond_of(clock) for clock in (65_535, 65_536)] == [0, 1]


days_of_use = st.lists(st.integers(20_000, 20_900), min_size=1, unique=True).map(
    lambda days: sorted(days, reverse=True)
)


@given(days_of_use, st.integers(0, 100 * 365 * DAY))
def test_a_time_is_believed_until_a_month_after_a_day_that_others_attest(
    days: list[int], now: int
) -> None:
    believed = believe_time(now, days)

    assert believed <= now or believed <= (days[0] + 1) * DAY
    assert believe_time(believed, days) == believed
    assert (believed == now) or now > believed + ALLOWANCE


@given(days_of_use, st.integers(1, MANY_ATTESTING_DAYS - 1))
def test_days_of_a_clock_that_is_years_ahead_attest_nothing(days: list[int], wrong: int) -> None:
    ahead = [days[0] + 9_000 - at for at in range(wrong)]
    far = ahead[0] * DAY

    assert believe_time(far, [*ahead, *days]) <= (days[0] + 1) * DAY


@given(days_of_use, st.integers(1, 20_000))
def test_enough_days_of_use_attest_any_time(days: list[int], gap: int) -> None:
    enough = ATTESTING_DAYS if gap * DAY <= LONG_GAP else MANY_ATTESTING_DAYS
    back = [days[0] + gap + at for at in reversed(range(enough))]
    steady = [days[0] - at for at in range(MANY_ATTESTING_DAYS)]

    assert believe_time(back[0] * DAY, [*back, *steady]) == back[0] * DAY


@given(st.integers(10, 31))
def test_who_works_one_day_in_a_month_is_believed(pause: int) -> None:
    days = [20_000 + at * pause for at in reversed(range(12))]

    assert believe_time(days[0] * DAY, days) == days[0] * DAY


@given(st.integers(0, 100 * 365 * DAY))
def test_a_store_that_was_never_used_believes_its_clock(now: int) -> None:
    assert believe_time(now, []) == now
