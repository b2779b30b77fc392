"""What another program counted is kept as it said it, and added to what we count."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, an_entry

from twiceshy.core.moment import format_day
from twiceshy.core.session import SkillUsage
from twiceshy.core.skill_usage import (
    COUNTED,
    OP,
    CountedUsage,
    build_counted_usage,
    counted_usage_id,
    replay_counted_usage,
)

days = st.dictionaries(
    st.integers(0, 900).map(lambda n: format_day(NOW - n * 86_400_000)), st.integers(1, 99)
)
usages = st.builds(
    lambda daily, more: SkillUsage(
        "release", sum(daily.values()) + more, NOW, dict(sorted(daily.items()))
    ),
    days,
    st.integers(0, 50),
)


@given(usages)
def test_what_was_counted_comes_back_the_same(usage: SkillUsage) -> None:
    assert build_counted_usage("fireworks", usage).usage == usage


@given(usages)
def test_the_last_that_was_said_holds(usage: SkillUsage) -> None:
    first = build_counted_usage("fireworks", SkillUsage("release", 1, 1, {}))
    last = build_counted_usage("fireworks", usage)
    name = counted_usage_id("laptop", "fireworks", "release")
    entries = [
        an_entry(OP, NOW, object=name, after=first.fields()),
        an_entry(OP, NOW + 1, object=name, after=last.fields()),
    ]

    assert replay_counted_usage(reversed(entries)) == last


def test_each_device_and_program_counts_for_itself() -> None:
    names = {
        counted_usage_id(device, program, "release")
        for device in ("laptop", "desk")
        for program in ("fireworks", "other")
    }

    assert len(names) == 4
    assert all(name.startswith(COUNTED) for name in names)


def test_half_of_a_count_is_none_and_a_day_without_a_number_is_left_out() -> None:
    odd = CountedUsage(
        "fireworks", "release", 3, NOW, ("2026-11-02 x", "2026-11-03 2", "nonsense")
    )

    assert replay_counted_usage([an_entry(OP, NOW, after={"skill": "release"})]) is None
    assert odd.usage == SkillUsage("release", 3, NOW, {"2026-11-03": 2})


def test_an_id_of_a_count_is_the_same_in_every_release() -> None:
    assert counted_usage_id("", "", "") == "u" + sha256(b"\x1f\x1f").hexdigest()[:31]
