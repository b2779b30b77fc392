"""What notes do, measured against the sessions that went without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, an_id
from tests.effect.outcomes import an_outcome, sessions
from tests.requirements import requirement

from twiceshy.core.moment import DAY
from twiceshy.core.outcome import Outcome
from twiceshy.effect.measure import StudyArm, describe_effect, measure_effect

UNLOTTED = 5
WRONG = ("violated", "failed")
WELL = ("followed", "helped")


def measured(
    told: tuple[int, int], untold: tuple[int, int], *, note: str = an_id(), tokens: int = 30
) -> list[Outcome]:
    """Outcomes in which so many of so many sessions went wrong, behind those without a lot."""
    outcomes = sessions(UNLOTTED, *WELL, note=note, tokens=tokens)
    for (failed, count), held in ((told, False), (untold, True)):
        for number in range(count):
            came = WRONG if number < failed else WELL[: 1 if held else 2]
            at = len(outcomes) + 1
            outcomes.append(
                an_outcome(at, *came, note=note, withheld=held, tokens=tokens, lot=100)
            )
    return outcomes


class TestOneNote:
    def test_shares_are_compared_with_newcombes_interval(self) -> None:
        effect = measure_effect(measured((56, 70), (48, 80)))

        assert (effect.told, effect.untold) == (StudyArm(70, 56), StudyArm(80, 48))
        assert effect.prevented == pytest.approx(-0.2)
        assert (effect.low, effect.high) == pytest.approx((-0.3339, -0.0524), abs=0.0005)

    @requirement("T40")
    def test_sessions_without_a_lot_count_for_neither_side_wherever_they_are(self) -> None:
        between = sessions(20, *WRONG, first=200) + sessions(3, first=300, withheld=True)

        alone, together = measured((2, 31), (4, 6)), measured((2, 31), (4, 6)) + between
        effect = measure_effect(alone)

        assert (effect.told, effect.untold) == (StudyArm(31, 2), StudyArm(6, 4))
        assert measure_effect(together).told == effect.told
        assert measure_effect(together).untold == effect.untold
        assert measure_effect(together).shown == effect.shown + 20
        assert (effect.shown, effect.withheld, effect.arose) == (36, 6, 36)

    def test_sessions_are_compared_at_the_same_share_only(self) -> None:
        """Early, half go without and all fail; later, a tenth and nobody does: no effect at all."""
        early = [each.but(lot=500) for each in measured((20, 20), (20, 20))[UNLOTTED:]]
        later = measured((0, 90), (0, 10))[UNLOTTED:]
        later = [each.but(session=f"{each.session}b", key=f"{each.key}b") for each in later]

        effect = measure_effect(early + later)

        assert effect.prevented == pytest.approx(0)

    def test_what_was_told_is_counted_with_its_tokens(self) -> None:
        effect = measure_effect(measured((2, 31), (4, 6)))

        assert effect.told == StudyArm(31, 2)
        assert effect.tokens == 36 * 30

    def test_a_session_counts_once_however_often_the_note_was_shown(self) -> None:
        outcomes = measured((2, 31), (4, 6))
        again = [each.but(key=each.key + "x", channel="call") for each in outcomes]

        assert measure_effect(outcomes + again).told == measure_effect(outcomes).told
        assert measure_effect(outcomes + again).tokens == 2 * measure_effect(outcomes).tokens

    def test_sessions_in_which_it_never_came_up_are_not_compared(self) -> None:
        idle = sessions(50, first=100, lot=100) + sessions(9, first=200, withheld=True, lot=100)

        effect = measure_effect(measured((2, 31), (4, 6)) + idle)

        assert (effect.told, effect.untold) == (StudyArm(31, 2), StudyArm(6, 4))
        assert (effect.shown, effect.withheld, effect.arose) == (86, 15, 36)

    def test_harm_is_a_way_of_going_wrong(self) -> None:
        outcomes = measured((0, 10), (5, 10)) + sessions(
            9, "followed", "harmed", first=90, lot=100
        )

        assert measure_effect(outcomes).told == StudyArm(19, 9)

    def test_tokens_and_calls_are_set_against_the_mistakes_that_were_avoided(self) -> None:
        outcomes = [
            each.but(calls_lost=3 if each.failed else 0) for each in measured((3, 30), (8, 10))
        ]

        effect = measure_effect(outcomes)

        assert effect.avoided_sessions == pytest.approx(0.7 * 35)
        assert effect.tokens_per_avoided == pytest.approx(35 * 30 / (0.7 * 35))
        assert effect.calls_saved == pytest.approx((2.4 - 0.3) * 35)

    def test_what_does_not_help_has_no_price_for_each_mistake(self) -> None:
        assert measure_effect(measured((8, 10), (3, 10))).tokens_per_avoided is None
        assert measure_effect(measured((0, 10), (0, 4))).tokens_per_avoided is None

    def test_one_can_look_back_so_far_and_no_further(self) -> None:
        outcomes = measured((2, 31), (4, 6))

        effect = measure_effect(outcomes, since=NOW + 30 * DAY)

        assert (effect.shown, effect.withheld) == (7, 6)
        assert effect.told == StudyArm(7, 0)


class TestManyNotes:
    def test_notes_are_compared_with_themselves(self) -> None:
        """One fails often and is often withheld; the other way round for the other: neither does a thing."""
        often = measured((45, 50), (45, 50), note=an_id(1))
        seldom = measured((20, 200), (1, 10), note=an_id(2))

        effect = measure_effect(often + seldom)

        assert (
            effect.untold.failed_share - effect.told.failed_share > 0.5
        )  # what a plain comparison would say
        assert effect.prevented == pytest.approx(0)
        assert effect.low < 0 < effect.high

    def test_a_note_that_was_never_withheld_compares_with_nobody(self) -> None:
        alone = measured((40, 40), (0, 0), note=an_id(2))

        effect = measure_effect(measured((2, 31), (4, 6)) + alone)

        assert effect.told == StudyArm(31, 2)
        assert effect.shown == 36 + 45

    def test_equal_notes_together_say_what_one_of_them_says_and_more_surely(self) -> None:
        one = measure_effect(measured((10, 50), (15, 20)))
        all_ = measure_effect(
            [
                each
                for number in range(4)
                for each in measured((10, 50), (15, 20), note=an_id(number))
            ]
        )

        assert all_.prevented == pytest.approx(one.prevented)
        plain = 2 * 1.96 * (0.2 * 0.8 / 200 + 0.75 * 0.25 / 80) ** 0.5
        assert all_.high - all_.low == pytest.approx(plain, rel=0.1)

    def test_a_note_weighs_as_much_as_its_smaller_side_can_bear(self) -> None:
        one = measured((100, 1_000), (3, 5), note=an_id(1))
        other = measured((1, 10), (700, 1_000), note=an_id(2))

        effect = measure_effect(one + other)

        weights = 5_000 / 1_005, 10_000 / 1_010
        middle = (weights[0] * 0.5 + weights[1] * 0.6) / sum(weights)
        error = (
            weights[0] ** 2 * (0.24 / 5 + 0.09 / 1_000)
            + weights[1] ** 2 * (0.09 / 10 + 0.21 / 1_000)
        ) ** 0.5 / sum(weights)
        assert effect.prevented == pytest.approx(middle)
        assert effect.high - middle == pytest.approx(1.96 * error, rel=0.03)
        assert middle - effect.low == pytest.approx(1.96 * error, rel=0.03)

    def test_where_nobody_fails_few_sessions_prove_little(self) -> None:
        effect = measure_effect(
            measured((0, 10), (0, 4), note=an_id(1)) + measured((0, 10), (0, 4), note=an_id(2))
        )

        assert effect.prevented == 0
        assert effect.high > 0.2

    @given(
        st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=1, max_size=5),
        st.integers(0, 40),
    )
    def test_an_estimate_lies_in_its_interval_and_shares_in_their_range(
        self, cells: list[tuple[int, int, int, int]], days: int
    ) -> None:
        outcomes = [
            each
            for number, (a, b, c, d) in enumerate(cells)
            for each in measured((a, a + b), (c, c + d), note=an_id(number))
        ]

        effect = measure_effect(outcomes, since=NOW + days * DAY)

        assert -1 <= effect.low <= effect.high <= 1
        assert effect.prevented is None or effect.low <= effect.prevented <= effect.high
        assert effect.prevented is None or min(effect.told.sessions, effect.untold.sessions) >= 5
        assert describe_effect(effect).endswith(".")


def said(told: tuple[int, int], untold: tuple[int, int]) -> str:
    return describe_effect(measure_effect(measured(told, untold)))


class TestSentence:
    def test_it_says_what_a_note_prevents(self) -> None:
        assert said((2, 31), (4, 6)) == (
            "With the note, 2 of 31 sessions went wrong; without it, 4 of 6."
            " It prevents that in about 60 of 100 sessions (21 to 84)."
        )

    def test_it_is_honest_when_it_is_too_early(self) -> None:
        assert said((2, 31), (3, 3)) == (
            "Not enough data yet: in 3 sessions that it mattered for, the note was withheld;"
            " at least 5 are needed."
        )
        assert said((0, 0), (3, 9)) == (
            "Not enough data yet: in 0 sessions that it mattered for, the note was shown to compare"
            " with; at least 5 are needed."
        )
        assert describe_effect(measure_effect([]), many=True) == (
            "Nothing to measure yet: no session was shown a note."
        )

    def test_it_says_when_nothing_can_be_told_when_it_does_not_help_and_when_it_harms(
        self,
    ) -> None:
        assert said((8, 20), (5, 10)).endswith(
            "No difference can be told yet: between 24 more and 42 fewer of 100 sessions."
        )
        assert said((100, 200), (50, 110)).endswith("It does not help: 7 of 100 sessions at most.")
        assert said((30, 31), (1, 10)).endswith(
            "It does harm: about 87 of 100 sessions more (54 to 95)."
        )

    def test_many_notes_are_spoken_of_as_many(self) -> None:
        effect = measure_effect(measured((2, 31), (4, 6)))

        assert describe_effect(effect, many=True) == (
            "With notes, 2 of 31 cases went wrong; without them, 4 of 6."
            " They prevent that in about 60 of 100 cases (21 to 84)."
        )
        assert "They do harm" in describe_effect(
            measure_effect(measured((30, 31), (1, 10))), many=True
        )
