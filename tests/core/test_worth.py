"""What a note is worth, by what came of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.effect.outcomes import an_outcome, sessions

from twiceshy.core.moment import DAY
from twiceshy.core.worth import (
    FADED,
    FAINT,
    NINETY_FIVE,
    OutcomeCounts,
    count_outcomes,
    find_streak,
    judge_worth,
    remaining_strength,
    retrievability,
    wilson_bounds,
)

_counts = st.builds(
    lambda helped, harmed, violated, false_alarm: OutcomeCounts(
        opportunity=helped + harmed + violated + false_alarm,
        followed=helped + harmed,
        violated=violated,
        helped=helped,
        harmed=harmed,
        false_alarm=false_alarm,
    ),
    *[st.integers(0, 40)] * 4,
)


class TestPosterior:
    def test_it_weighs_help_harm_neglect_and_vain_comings_apart(self) -> None:
        counts = OutcomeCounts(followed=4, violated=4, helped=3, harmed=1, false_alarm=2)

        assert (counts.hits, counts.misses) == (5.0, 4.0)
        assert counts.use_probability == pytest.approx(6 / 11)
        assert OutcomeCounts().use_probability == 0.5

    @given(_counts)
    def test_use_grows_with_help_and_falls_with_all_that_speaks_against_it(
        self, counts: OutcomeCounts
    ) -> None:
        more = counts.but(helped=counts.helped + 1, followed=counts.followed + 1)

        assert more.use_probability > counts.use_probability
        assert (
            counts.but(false_alarm=counts.false_alarm + 1).use_probability < counts.use_probability
        )
        assert counts.but(violated=counts.violated + 1).use_probability < counts.use_probability
        assert counts.but(harmed=counts.harmed + 1).use_probability < counts.use_probability

    def test_only_what_was_shown_counts(self) -> None:
        outcomes = [
            *sessions(2, "followed", "helped"),
            *sessions(3, "followed", first=5, withheld=True),
            an_outcome(9),
        ]

        assert count_outcomes(outcomes) == OutcomeCounts(opportunity=2, followed=2, helped=2)

    def test_a_session_counts_once_by_whatever_channel_the_note_was_shown(self) -> None:
        outcomes = [
            an_outcome(1, "followed", "helped", channel=channel)
            for channel in ("start", "failure")
        ]

        assert count_outcomes(outcomes) == OutcomeCounts(opportunity=1, followed=1, helped=1)


class TestWilson:
    @pytest.mark.parametrize(
        ("hits", "trials", "low", "high"),
        [
            (0, 10, 0.0, 0.278),
            (5, 10, 0.237, 0.763),
            (10, 10, 0.722, 1.0),
            (81, 263, 0.255, 0.366),
        ],
    )
    def test_it_agrees_with_published_intervals(
        self, hits: int, trials: int, low: float, high: float
    ) -> None:
        assert wilson_bounds(hits, trials, NINETY_FIVE) == pytest.approx((low, high), abs=0.0006)

    def test_without_trials_everything_is_possible(self) -> None:
        assert wilson_bounds(0, 0) == (0.0, 1.0)

    @given(st.integers(0, 200), st.integers(1, 200))
    def test_the_share_that_was_seen_lies_inside(self, hits: int, more: int) -> None:
        low, high = wilson_bounds(hits, hits + more)

        assert 0 <= low <= hits / (hits + more) <= high <= 1


class TestVerdict:
    @pytest.mark.parametrize(
        ("counts", "expected"),
        [
            (OutcomeCounts(), "keep"),
            (OutcomeCounts(helped=4, followed=4), "keep"),
            (OutcomeCounts(helped=5, followed=5), "promote"),
            (OutcomeCounts(helped=20, followed=21, harmed=1), "promote"),
            (OutcomeCounts(helped=20, followed=24, harmed=4), "keep"),
            (OutcomeCounts(harmed=3, followed=3), "keep"),
            (OutcomeCounts(harmed=5, followed=5), "retire"),
            (OutcomeCounts(false_alarm=16), "keep"),
            (OutcomeCounts(false_alarm=17), "retire"),
            (OutcomeCounts(false_alarm=17, helped=3), "keep"),
            (OutcomeCounts(violated=20), "keep"),  # it may be right, and the agent deaf
        ],
    )
    def test_bounds_decide(self, counts: OutcomeCounts, expected: str) -> None:
        assert judge_worth(counts) == expected

    @given(_counts)
    def test_what_never_helped_is_not_promoted_and_what_only_helped_not_retired(
        self, counts: OutcomeCounts
    ) -> None:
        assert judge_worth(counts.but(helped=0)) != "promote"
        assert judge_worth(OutcomeCounts(helped=counts.helped, followed=counts.helped)) != "retire"


class TestStreak:
    def test_sessions_count_since_it_failed_for_the_last_time(self) -> None:
        outcomes = [
            *sessions(3, "false_alarm", channel="call"),
            an_outcome(4, "violated", "failed"),
            an_outcome(5, "violated"),
            an_outcome(6, "false_alarm", channel="call", withheld=True),
            an_outcome(6, "violated"),
            an_outcome(7),
            an_outcome(8, "followed", "helped"),
        ]

        streak = find_streak(outcomes)

        assert streak.sessions == 2
        assert streak.chance == pytest.approx(4 / 6 * 5 / 7)
        assert find_streak(reversed(outcomes)) == streak

    @pytest.mark.parametrize("channel", ["call", "failure"])
    def test_a_call_that_brought_the_note_up_and_failed_counts_as_failure(
        self, channel: str
    ) -> None:
        worked = sessions(3, "false_alarm", channel="call")
        failed = an_outcome(4, "followed", "helped", channel=channel)

        assert find_streak([*worked, failed]).sessions == 0

    def test_what_worked_before_it_was_learned_again_is_no_streak(self) -> None:
        worked = sessions(6, "violated")

        streak = find_streak(worked, learned_at=worked[3].at, sightings=4)

        assert streak.sessions == 2
        assert streak.chance == pytest.approx(5 / 10 * 6 / 11)

    def test_the_more_often_it_failed_the_sooner_a_streak_tells(self) -> None:
        seldom = [*sessions(5, "violated"), an_outcome(6, "violated", "failed")]
        often = sessions(9, "violated", "failed")
        worked = sessions(4, "violated", first=20)

        assert find_streak(often + worked).chance == pytest.approx(1 / 1001)
        assert find_streak(seldom + worked).chance > 0.3
        assert find_streak([]).chance == 1


class TestStrength:
    STARTS = tuple(NOW + number * DAY - 1 for number in range(1, 1_001))

    def test_nine_tenths_are_left_after_as_many_sessions_as_its_strength(self) -> None:
        assert retrievability(0, 5) == 1
        assert retrievability(5, 5) == pytest.approx(0.9)
        assert retrievability(50, 50) == pytest.approx(0.9)

    def test_a_scope_that_rests_loses_nothing(self) -> None:
        assert remaining_strength([], [NOW - 9, NOW - 1], learned_at=NOW) == 1

    def test_a_note_that_nobody_needs_fades_and_is_faint_before(self) -> None:
        def left(count: int) -> float:
            return remaining_strength([], self.STARTS[:count], learned_at=NOW)

        assert left(150) > FAINT > left(160)
        assert left(900) > FADED > left(930)

    def test_help_strengthens_and_harm_weakens(self) -> None:
        def left(*came: str) -> float:
            return remaining_strength([an_outcome(90, *came)], self.STARTS[:100], learned_at=NOW)

        without = remaining_strength([], self.STARTS[:100], learned_at=NOW)

        assert left("followed", "helped") > left("followed") > left("violated", "failed") > without
        assert left("followed", "harmed") < without  # nor does harm refresh it

    def test_help_counts_most_where_the_note_was_nearly_gone(self) -> None:
        def left(number: int) -> float:
            outcome = an_outcome(number, "followed", "helped")
            return remaining_strength([outcome], self.STARTS[: number + 100], learned_at=NOW)

        assert left(300) > left(2)

    def test_what_was_withheld_or_did_not_come_up_changes_nothing(self) -> None:
        nothing = [an_outcome(5), an_outcome(6, "followed", withheld=True)]

        assert remaining_strength(nothing, self.STARTS[:50], learned_at=NOW) == remaining_strength(
            [], self.STARTS[:50], learned_at=NOW
        )

    def test_learning_it_again_brings_it_back(self) -> None:
        outcomes = sessions(3, "followed", "helped")

        assert remaining_strength(outcomes, self.STARTS[:90], learned_at=self.STARTS[89]) == 1


class TestNumbers:
    SESSIONS = (10, 20, 30, 40)  # of the note's scope

    def left(self, *came: str, at: int = 25, times: int = 1) -> float:
        outcomes = [an_outcome(number, *came, at=at) for number in range(times)]
        return remaining_strength(outcomes, self.SESSIONS, learned_at=0)

    def test_nothing_came_of_a_note_that_says_nothing_of_it(self) -> None:
        assert set(OutcomeCounts().fields().values()) == {0}

    def test_harm_leaves_two_fifths_of_the_strength_and_never_less_than_one(self) -> None:
        assert self.left("harmed", at=5) == pytest.approx(retrievability(4, 5 * 0.4))
        assert self.left("harmed", at=5, times=9) == pytest.approx(retrievability(4, 1))

    def test_help_adds_a_half_and_up_to_twice_as_much_where_it_was_gone(self) -> None:
        gone = 1 - retrievability(2, 5)

        assert self.left("helped") == pytest.approx(retrievability(2, 5 * (1.5 + 1.5 * gone)))

    def test_a_note_that_was_followed_is_a_tenth_stronger_and_one_that_failed_is_not(self) -> None:
        assert self.left("followed") == pytest.approx(retrievability(2, 5 * 1.1))
        assert self.left("followed", "failed") == pytest.approx(retrievability(2, 5))

    def test_a_note_that_nobody_needs_is_faint_after_153_sessions_and_faded_after_927(
        self,
    ) -> None:
        assert retrievability(152, 5) > FAINT > retrievability(153, 5)
        assert retrievability(926, 5) > FADED > retrievability(927, 5)

    def test_five_helps_prove_a_note_and_four_harms_alone_retire_none(self) -> None:
        assert [judge_worth(OutcomeCounts(helped=helped)) for helped in (4, 5)] == [
            "keep",
            "promote",
        ]
        assert [judge_worth(OutcomeCounts(harmed=harmed)) for harmed in (4, 5)] == [
            "keep",
            "retire",
        ]
        assert judge_worth(OutcomeCounts(harmed=4, violated=1)) == "retire"
