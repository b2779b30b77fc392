"""Every figure, worked out by hand; and nothing counts that came too late."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.replay.failing import OTHER, RIGHT, again, failure
from tests.requirements import requirement

from twiceshy.core.prices import Prices
from twiceshy.replay.failures import Recurrence
from twiceshy.replay.score import (
    AT_START,
    PlayedSession,
    ReplayScore,
    ShownItem,
    judge_recurrence,
    score_session,
)
from twiceshy.replay.words import WordRarity

PRICES = Prices()


def played(
    recurrences: tuple[Recurrence, ...], *shown: ShownItem, calls: int = 20
) -> PlayedSession:
    failures = tuple(each.failure for each in recurrences)
    return PlayedSession("shop", calls, failures, recurrences, {"ours": shown})


def measured(
    recurrences: tuple[Recurrence, ...], *shown: ShownItem, calls: int = 20
) -> ReplayScore:
    return score_session(played(recurrences, *shown, calls=calls), "ours", WordRarity())


def at_start(*items: frozenset[str], tokens: int = 30) -> ShownItem:
    return ShownItem(AT_START, items or (RIGHT,), tokens)


def before(
    place: int, *items: frozenset[str], ruling: str = "", worked: bool = False
) -> ShownItem:
    """Something said at a pending call; the model reads it with the result, right behind the call."""
    return ShownItem(place + 1, items or (RIGHT,), 30, place, True, ruling, worked)


def after(place: int, call: int, *items: frozenset[str]) -> ShownItem:
    return ShownItem(place, items or (RIGHT,), 30, call=call)


def dear(place: int, lost: int) -> Recurrence:
    one = again(place)
    return one.but(failure=one.failure.but(lost=lost))


@requirement("L18", "T47")
def test_every_figure_of_a_small_history_is_the_one_worked_out_by_hand() -> None:
    unheard = again(16, heard=False)
    outcome = failure(18, "make check", "Failures: 3")
    broken = Recurrence(outcome, (outcome,))
    total = (
        measured((dear(4, 3),), at_start(), before(7, OTHER, ruling="deny", worked=True))
        + measured((dear(10, 5),), after(11, 10))
        + measured((dear(10, 2),), before(10, ruling="deny"))
        + measured((unheard, broken), at_start(OTHER, tokens=40))
        + measured((), at_start(OTHER, tokens=50), before(7, OTHER, worked=True), calls=20)
    )

    figures = total.to_figures(PRICES)

    assert (total.sessions, total.calls, total.recurrences, total.mistakes) == (5, 100, 5, 4)
    assert (total.prevented, total.stopped, total.repaired) == (1, 1, 1)
    assert (total.lost, total.saved) == (3 + 5 + 2 + 1, 3 + 4 + 1)
    assert figures["per"] == 2 / 4
    assert figures["saved_share"] == 8 / 11
    assert figures["repair_at_1"] == 2 / 3  # of one failure no hook is told
    tokens = 30 + 30 + 30 + 30 + 40 + 50 + 30
    assert figures["net_tokens"] == (8 * 6_000 - tokens * 4) / 5
    assert total.net_tokens(Prices(1_000, 1)) == (8_000 - tokens) / 5
    assert figures["tokens_per_session"] == tokens / 5
    assert figures["tokens_per_idle_session"] == 80
    assert figures["precision"] == 3 / 7
    assert figures["false_fires_per_100_calls"] == 2
    assert figures["false_stops_per_1000_calls"] == 10
    assert (figures["per_low"], figures["per_high"]) == pytest.approx((0.15, 0.85), abs=1e-3)


def test_nothing_to_divide_by_gives_no_figure() -> None:
    assert set(ReplayScore().to_figures(PRICES).values()) == {None}


@requirement("T47")
@pytest.mark.parametrize(
    ("shown", "fate"),
    [
        (at_start(), "prevented"),
        (ShownItem(3, (RIGHT,), 1), "prevented"),  # with a prompt
        (before(2), "prevented"),  # read with the result of an earlier call
        (before(4), "repaired"),  # read with the result of this very call
        (before(4, ruling="deny"), "stopped"),
        (before(4, ruling="ask"), "stopped"),
        (before(4, ruling="rewrite"), "prevented"),
        (after(5, 4), "repaired"),
        (after(9, 8), "missed"),
        (before(6), "missed"),
        (at_start(OTHER), "missed"),
    ],
)
def test_what_becomes_of_a_mistake_is_decided_by_when_the_model_reads(
    shown: ShownItem, fate: str
) -> None:
    assert judge_recurrence(again(4), [shown], WordRarity()) == fate


def test_what_is_said_to_one_call_comes_too_late_for_a_call_made_beside_it() -> None:
    # calls at 4 and 5 are made together; their results are read at 6 and 7
    beside = [ShownItem(6, (RIGHT,), 1, 4, pending=True), after(6, 4)]

    for shown in beside:
        assert judge_recurrence(again(5), [shown], WordRarity()) == "missed"


def test_a_note_at_a_call_that_fails_is_no_false_fire_and_no_false_stop() -> None:
    total = measured((again(4),), before(4, ruling="deny"))

    assert (total.false_fires, total.false_stops) == (0, 0)


PLACES = st.integers(0, 12)
RULINGS = st.sampled_from(["", "ask", "deny"])
SHOWN = st.one_of(
    st.builds(lambda place: ShownItem(place, (RIGHT,), 1), PLACES),
    st.builds(lambda place, ruling: before(place, ruling=ruling), PLACES, RULINGS),
    st.builds(lambda call, wait: after(call + wait, call), PLACES, st.integers(1, 5)),
)


@requirement("L18", "T47")
@given(PLACES, st.lists(SHOWN, max_size=6))
def test_nothing_prevents_that_the_model_had_not_read_before_the_call(
    place: int, shown: list[ShownItem]
) -> None:
    total = measured((dear(place, 4),), *shown)

    in_time = any(each.read_at < place for each in shown)
    stopped = any(each.call == place and each.ruling for each in shown)
    assert total.prevented == int(in_time)
    assert total.stopped == int(stopped and not in_time)
    assert total.saved == 4 * total.prevented + 3 * (total.stopped + total.repaired)
    assert total.prevented + total.stopped + total.repaired <= 1


@given(st.lists(st.tuples(PLACES, st.lists(SHOWN, max_size=3)), max_size=4))
def test_scores_add_up_in_any_order(sessions: list[tuple[int, list[ShownItem]]]) -> None:
    scores = [measured((again(place),), *shown) for place, shown in sessions]

    forwards, backwards = sum(scores, ReplayScore()), sum(reversed(scores), ReplayScore())

    assert forwards == backwards
    assert forwards.saved <= forwards.lost
    assert forwards.useful <= forwards.items
