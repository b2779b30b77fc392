"""Every figure, worked out by hand; and nothing counts that came too late."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.replay.failing import OTHER, RIGHT, again, failure
from tests.requirements import requirement

from twiceshy.replay.failures import Recurrence
from twiceshy.replay.score import AT_START, PlayedSession, ReplayScore, ShownItem, score_session
from twiceshy.replay.words import WordRarity


def played(
    recurrences: tuple[Recurrence, ...], *shown: ShownItem, calls: int = 20
) -> PlayedSession:
    failures = tuple(each.failure for each in recurrences)
    return PlayedSession("shop", calls, failures, recurrences, {"ours": shown})


def measured(
    recurrences: tuple[Recurrence, ...], *shown: ShownItem, calls: int = 20
) -> ReplayScore:
    return score_session(played(recurrences, *shown, calls=calls), "ours", WordRarity())


def before(
    place: int, *items: frozenset[str], tokens: int = 30, worked: bool = False
) -> ShownItem:
    return ShownItem(place, items or (RIGHT,), tokens, call=place, worked=worked)


def after(place: int, call: int, *items: frozenset[str]) -> ShownItem:
    return ShownItem(place, items or (RIGHT,), 30, call=call)


@requirement("L18")
def test_every_figure_of_a_small_history_is_the_one_worked_out_by_hand() -> None:
    cheap, dear, unheard = again(4), again(10), again(16, heard=False)
    dear = dear.but(failure=dear.failure.but(lost=5))
    outcome = failure(18, "make check", "Failures: 3")
    broken = Recurrence(outcome, (outcome,))
    total = (
        measured((cheap,), before(4), before(7, OTHER, worked=True))
        + measured((dear,), after(11, 10))
        + measured((unheard, broken), ShownItem(AT_START, (OTHER,), 40))
        + measured((), ShownItem(AT_START, (OTHER,), 50), calls=40)
    )

    figures = total.to_figures()

    assert (total.sessions, total.calls, total.recurrences) == (4, 100, 4)
    assert figures["per"] == 1 / 4
    assert figures["per_called_wrongly"] == 1 / 3
    assert figures["per_with_fix"] == 1 / 3
    assert figures["per_by_cost"] == 1 / (1 + 5 + 1 + 1)
    assert figures["repair_at_1"] == 2 / 3  # of one failure no hook is told
    assert figures["precision"] == 2 / 5
    assert figures["tokens_per_session"] == (30 + 30 + 30 + 40 + 50) / 4
    assert figures["tokens_per_idle_session"] == 50
    assert figures["false_fires_per_100_calls"] == 1
    assert (figures["per_low"], figures["per_high"]) == pytest.approx((0.0456, 0.6994), abs=1e-4)


def test_nothing_to_divide_by_gives_no_figure() -> None:
    assert set(ReplayScore().to_figures().values()) == {None}


def test_an_item_at_the_start_with_a_prompt_or_before_the_call_is_in_time() -> None:
    for shown in (ShownItem(AT_START, (RIGHT,), 1), ShownItem(3, (RIGHT,), 1), before(4)):
        assert measured((again(4),), shown).covered == 1


def test_what_is_said_to_one_call_comes_too_late_for_a_call_made_beside_it() -> None:
    # calls at 4 and 5 are made together; the first one's failure is told of at 6
    total = measured((again(5),), after(6, 4))

    assert (total.covered, total.repaired) == (0, 0)


def test_what_is_said_at_the_failure_repairs_and_does_not_cover() -> None:
    total = measured((again(4),), after(5, 4))

    assert (total.covered, total.repaired) == (0, 1)


def test_what_is_said_before_the_call_repairs_too_but_not_what_was_said_long_ago() -> None:
    assert measured((again(4),), before(4)).repaired == 1
    assert measured((again(4),), before(2)).repaired == 0
    assert measured((again(4),), ShownItem(AT_START, (RIGHT,), 1)).repaired == 0


def test_a_note_before_a_call_that_fails_is_no_false_fire() -> None:
    assert measured((again(4),), before(4)).false_fires == 0
    assert measured((again(4),), before(7, worked=True)).false_fires == 1


PLACES = st.integers(0, 12)
SHOWN = st.one_of(
    st.builds(lambda place: ShownItem(place, (RIGHT,), 1), PLACES),
    st.builds(before, PLACES),
    st.builds(lambda call, wait: after(call + wait, call), PLACES, st.integers(1, 5)),
)


@requirement("L18")
@given(PLACES, st.lists(SHOWN, max_size=6))
def test_coverage_never_counts_an_item_that_was_shown_after_the_failing_call(
    place: int, shown: list[ShownItem]
) -> None:
    in_time = [
        each
        for each in shown
        if each.place < place or (each.place == place and each.call == place)
    ]

    assert measured((again(place),), *shown).covered == int(bool(in_time))
    late = [each for each in shown if each not in in_time]
    assert measured((again(place),), *late).covered == 0


@given(st.lists(st.tuples(PLACES, st.lists(SHOWN, max_size=3)), max_size=4))
def test_scores_add_up_in_any_order(sessions: list[tuple[int, list[ShownItem]]]) -> None:
    scores = [measured((again(place),), *shown) for place, shown in sessions]

    forwards, backwards = sum(scores, ReplayScore()), sum(reversed(scores), ReplayScore())

    assert forwards == backwards
    assert forwards.covered <= forwards.recurrences == len(sessions)
    assert forwards.useful <= forwards.items
