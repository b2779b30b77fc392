"""What the retrieval benchmark counts, on cases that can be counted by hand."""

from math import log2

import pytest
from bench.retrieval_baselines import fused
from bench.retrieval_metrics import gain, judge, mean, undiscounted_second
from hypothesis import given
from hypothesis import strategies as st


def test_recall_is_the_share_of_what_was_wanted() -> None:
    found = ["a", "x", "y", "z", "w", "b"]

    scores = judge(found, {"a", "b", "c", "d"})

    assert (scores.r5, scores.r10) == (0.25, 0.5)
    assert (scores.any5, scores.all5, scores.all10) == (1.0, 0.0, 0.0)


def test_a_hit_counts_less_the_later_it_comes() -> None:
    scores = judge(["x", "a", "y", "b"], {"a", "b"})

    assert scores.mrr == 0.5
    assert scores.ndcg10 == pytest.approx((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)))


def test_longmemeval_does_not_discount_the_second_rank() -> None:
    scores = judge(["x", "a", "b"], {"a", "b"}, discount=undiscounted_second)

    assert scores.ndcg10 == pytest.approx((1 + 1 / log2(3)) / 2)


def test_what_comes_after_the_tenth_does_not_count() -> None:
    found = [*map(str, range(10)), "a"]

    scores = judge(found, {"a"})

    assert scores.values == (0.0,) * 7


def test_more_wanted_than_ten_can_still_be_perfect_but_not_all_found() -> None:
    wanted = set(map(str, range(20)))

    scores = judge(sorted(wanted), wanted)

    assert (scores.ndcg10, scores.mrr, scores.r10, scores.all10) == (1.0, 1.0, 0.5, 0.0)


@given(
    st.lists(st.text(max_size=3), unique=True, max_size=15),
    st.sets(st.text(max_size=3), min_size=1),
)
def test_every_score_is_between_nothing_and_all(found: list[str], wanted: set[str]) -> None:
    scores = judge(found, wanted)

    assert all(0 <= value <= 1 + 1e-9 for value in scores.values)
    assert scores.all5 <= scores.r5 <= scores.any5


def test_a_mean_is_taken_score_by_score() -> None:
    whole = mean([judge(["a"], {"a"}), judge(["x"], {"a"})])

    assert whole.values == (0.5,) * 7


def test_a_gain_that_every_query_shares_is_certain() -> None:
    better = gain([1.0] * 20, [0.5] * 20, resamples=200)

    assert (better.mean, better.low, better.high) == (0.5, 0.5, 0.5)


def test_a_gain_that_few_queries_share_may_be_luck() -> None:
    ours = [1.0, 0.0, 1.0] + [0.5] * 17

    better = gain(ours, [0.5] * 20, resamples=1_000)

    assert better.low < 0 < better.mean < better.high


def test_the_same_figures_give_the_same_interval() -> None:
    ours, theirs = [0.2, 1.0, 0.4, 0.9] * 5, [0.1, 0.5, 0.5, 0.5] * 5

    first, again = (gain(ours, theirs, resamples=500) for _ in range(2))

    assert first == again


def test_an_interval_leaves_out_one_in_forty_at_each_end() -> None:
    ours, theirs = [1.0] * 3 + [0.0] * 97, [0.0] * 100

    better = gain(ours, theirs, resamples=10_000)

    # three queries of a hundred are drawn not once in 4.8 % of all cases, and 7 times or more in 3.2 %
    assert (better.low, better.high) == (0.0, 0.07)


def test_a_gain_needs_the_same_queries_on_both_sides() -> None:
    with pytest.raises(ValueError, match="zip"):
        gain([1.0], [1.0, 0.0])


def test_fusing_prefers_what_both_rankings_know() -> None:
    assert fused([["a", "b"], ["c", "b"]]) == ["b", "a", "c"]
