"""Our calendar agrees with Python's, which a hook cannot afford to load."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.moment import (
    DAY,
    compute_recency,
    count_months,
    format_day,
    format_stamp,
    parse_day,
    parse_stamp,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC) - EPOCH) // timedelta(
    milliseconds=1
)
moments = st.integers(FIRST, LAST)


def as_python(at: int) -> datetime:
    return EPOCH + timedelta(milliseconds=at)


@given(moments)
def test_days_and_stamps_are_always_those_of_the_calendar(at: int) -> None:
    python = as_python(at)

    assert format_day(at) == f"{python:%Y-%m-%d}".zfill(10)
    assert format_stamp(at) == python.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@given(moments)
def test_a_written_day_is_always_read_back_as_its_first_millisecond(at: int) -> None:
    read = parse_day(format_day(at))

    assert read == at - at % DAY
    assert parse_day(format_day(at)[:7]) == parse_day(format_day(at)[:7] + "-01")


@given(moments, moments)
def test_months_are_counted_by_the_calendar_and_never_below_zero(one: int, other: int) -> None:
    first, last = as_python(one), as_python(other)

    months = count_months(one, other)

    assert months == max(0, (last.year - first.year) * 12 + last.month - first.month)


def test_the_last_of_a_month_and_the_first_of_the_next_are_a_month_apart() -> None:
    assert count_months(parse_day("2026-01-31"), parse_day("2026-02-01")) == 1
    assert count_months(parse_day("2026-02-01"), parse_day("2026-02-28")) == 0
    assert count_months(parse_day("2025-11-30"), parse_day("2026-11-01")) == 12


@given(st.integers(1, 9999), st.integers(0, 99), st.integers(0, 99))
def test_a_day_is_accepted_only_if_it_exists(year: int, month: int, date: int) -> None:
    text = f"{year:04}-{month:02}-{date:02}"
    try:
        expected: int | None = (datetime(year, month, date, tzinfo=UTC) - EPOCH) // timedelta(
            milliseconds=1
        )
    except ValueError:
        expected = None

    if expected is None:
        with pytest.raises(ValueError, match=text):
            parse_day(text)
    else:
        assert parse_day(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "2026", "26-11-02", "2026-1-2", "2026-11-02-03", "2026/11/02", "02-11-2026", "-2026-11",
     "2026-11-02T10:00", " 2026-11-02", "2026-+1-02", "2026-1_-02", "yesterday", "2025-02-29"],
)  # fmt: skip
def test_a_bad_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        parse_day(text)


@given(st.integers(0, 4_102_444_800_000))
def test_a_time_that_was_written_is_read_as_the_same(at: int) -> None:
    assert parse_stamp(format_stamp(at)) == at
    assert parse_stamp(format_stamp(at).replace("Z", "+00:00")) == at
    assert parse_stamp(format_day(at)) == at - at % DAY


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-13-01T00:00:00Z", "2026-11-02T24:00:00Z", "2026-11-02T09:30:00+02:00", "T1"],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it names the text
        parse_stamp(text)


def test_every_year_of_four_centuries_begins_ends_and_leaps_as_the_calendar_says() -> None:
    for year in range(1600, 2002):
        for first in (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 3, 1, tzinfo=UTC)):
            for python in (first - timedelta(days=1), first):
                at = (python - EPOCH) // timedelta(milliseconds=1)

                assert format_day(at) == f"{python:%Y-%m-%d}"
                assert parse_day(format_day(at)) == at


def test_a_day_ends_with_its_last_minute_which_may_have_a_leap_second() -> None:
    midnight = parse_day("2026-11-03")

    assert parse_stamp("2026-11-02T23:59:59.999Z") == midnight - 1
    assert parse_stamp("2026-11-02T23:59:60Z") == midnight
    for text in ("24:00:00", "23:60:00", "23:59:61"):
        with pytest.raises(ValueError, match=text):
            parse_stamp(f"2026-11-02T{text}Z")


def test_half_of_what_is_recent_is_left_after_thirty_days() -> None:
    now = parse_day("2026-11-02")

    assert [compute_recency(now - days * DAY, now=now) for days in (-9, 0, 30, 60)] == [
        1,
        1,
        0.5,
        0.25,
    ]
    assert compute_recency(now - 7 * DAY, now=now, half_life_days=7) == 0.5
