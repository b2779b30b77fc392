"""Old outcomes are summed by week: nothing counts twice, and the figures stay what they were."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.conftest import OPENERS
from tests.core.builders import NOW, an_id
from tests.effect.outcomes import an_outcome
from tests.requirements import requirement
from tests.store.support import Clock, app_of, learn, live_on

from twiceshy.core.evidence import ASKED, PASSED, STOP, Exposure
from twiceshy.core.moment import DAY
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.outcome_sum import EARLIER, NOBODY, WEEK, OutcomeSum, start_of_week
from twiceshy.core.retention import Retention
from twiceshy.core.store import Store
from twiceshy.core.worth import count_outcomes
from twiceshy.effect.measure import measure_effect, report_effect

MONDAY = start_of_week(NOW)
RULES = Retention(evidence_days=20 * 7, showings_days=4 * 7, archive_days=1, state_days=1)
HASTY = RULES.but(evidence_days=4 * 7, showings_days=7)  # others' sums are not waited for long
LATER = 10 * WEEK  # by then all is summed that devices recorded at the beginning

Opened = Callable[[], AbstractContextManager[tuple[Store, Clock]]]


@pytest.fixture(params=sorted(OPENERS))
def opened(request: pytest.FixtureRequest) -> Opened:
    """Open an empty store with its clock, as often as a property is tried."""

    @contextmanager
    def opening() -> Any:
        clock = Clock(MONDAY)
        with TemporaryDirectory() as folder:
            store = OPENERS[request.param](Path(folder), clock)
            try:
                yield store, clock
            finally:
                store.close()

    return opening


def summed(store: Store, clock: Clock, after: int = LATER, *, rules: Retention = RULES) -> None:
    """Prune a store when so much time has passed."""
    live_on(store, clock, after)
    store.prune(rules, transcript_exists=lambda _: False)


def sums_of(store: Store) -> list[OutcomeSum]:
    return [
        each for each in store.export_records(only=[OutcomeSum]) if isinstance(each, OutcomeSum)
    ]


def raw_of(store: Store) -> list[Outcome]:
    return [each for each in store.export_records(only=[Outcome]) if isinstance(each, Outcome)]


def a_showing(number: int, note: str, *, at: int, **fields: Any) -> Outcome:
    return an_outcome(
        number, note=note, at=at, session=f"s{number}", key=f"s{number}/{note}", **fields
    )


# day, note, side of the comparison, lot, what came of it, calls lost
_showings = st.lists(
    st.tuples(
        st.integers(0, 27),
        st.integers(0, 1),
        st.booleans(),
        st.sampled_from((0, 50, 100)),
        st.frozensets(st.sampled_from(FLAGS)),
        st.integers(0, 3),
    ),
    max_size=40,
)


@settings(max_examples=25)  # each opens a store
@given(showings=_showings)
@requirement("T160")
def test_effect_tells_the_same_before_and_after_outcomes_are_summed(
    opened: Opened, showings: list[tuple[int, int, bool, int, frozenset[str], int]]
) -> None:
    with opened() as (store, clock):
        notes = [learn(store, text).id for text in ("Tag last.", "Sign the release tag.")]
        for number, (day, which, withheld, lot, came, lost) in enumerate(showings):
            flags = {flag: flag in came for flag in FLAGS}
            at = MONDAY + day * DAY + number
            known = {"withheld": withheld, "lot": lot, "calls_lost": lost, **flags}
            first = a_showing(number, notes[which], at=at, **known)
            again = first.but(key=first.key + "/again", channel=STOP)
            store.save_records(first, *([again] if number % 3 == 0 else []))
        app = app_of(store)
        before, counts = report_effect(app), count_outcomes(store.list_outcomes())

        summed(store, clock)

        assert raw_of(store) == []
        assert report_effect(app) == before
        assert count_outcomes(store.list_outcomes()) == counts
        summed(store, clock, after=30 * WEEK)  # nothing is told by the week any more
        assert {each.week for each in sums_of(store)} <= {EARLIER}
        assert report_effect(app) == before


@settings(max_examples=20)  # each opens three stores
@given(seed=st.integers(0, 10_000))
@requirement("T161")
def test_whatever_arrives_in_any_order_and_however_often_no_session_counts_twice(
    opened: Opened, seed: int
) -> None:
    dice = Random(seed)
    with ExitStack() as stack:
        devices = [stack.enter_context(opened()) for _ in range(3)]
        history = History(devices, dice)
        for _ in range(dice.randrange(3, 14)):
            history.live_week()
            assert all(shown_in(store) <= history.made for store, _ in devices)

        history.sum_everything()
        for store, _ in devices:
            for records in dice.sample(history.said, len(history.said)):
                give(store, records, dice)
                assert shown_in(store) <= history.made

        for store, _ in devices:
            assert shown_in(store) == history.made
            assert sums_of(store) == sums_of(devices[0][0])


class History:
    """Devices that record outcomes, sum them, and send what they have in any order."""

    def __init__(self, devices: Sequence[tuple[Store, Clock]], dice: Random) -> None:
        self.devices, self.dice = devices, dice
        self.notes = _shared_notes(devices)
        self.made = 0
        self.said: list[list[Any]] = []

    def live_week(self) -> None:
        """Let every device work, perhaps sum, and perhaps hear another."""
        dice = self.dice
        for place, (store, clock) in enumerate(self.devices):
            clock.at += WEEK
            for _ in range(dice.randrange(3)):
                self.made += 1
                at, lot = clock.at - dice.randrange(1, 5 * DAY), dice.choice((0, 100))
                store.save_records(a_showing(self.made, dice.choice(self.notes), at=at, lot=lot))
            if dice.random() < 0.6:
                summed(store, clock, after=0, rules=HASTY)
            self.said.append(list(store.export_records(only=[Outcome, OutcomeSum])))
            if dice.random() < 0.5:
                give(self.devices[(place + 1) % 3][0], dice.choice(self.said), dice)

    def sum_everything(self) -> None:
        """Let all devices sum what they recorded, and say so twice."""
        dice = self.dice
        for store, clock in self.devices:
            summed(store, clock, after=dice.choice((5, 10)) * WEEK, rules=HASTY)
            self.said += 2 * [list(store.export_records(only=[Outcome, OutcomeSum]))]


def shown_in(store: Store) -> int:
    return measure_effect(store.list_outcomes()).shown


def _shared_notes(devices: Sequence[tuple[Store, Clock]]) -> list[str]:
    first = devices[0][0]
    notes = [learn(first, text).id for text in ("Tag last.", "Sign the release tag.")]
    for store, _ in devices[1:]:
        store.settle_objects(store.import_records(list(first.export_records())))
    return notes


def give(store: Store, records: Sequence[Any], dice: Random) -> None:
    for one in dice.sample(records, len(records)):
        store.import_records([one])


def test_outcomes_whose_device_never_summed_them_are_summed_as_nobodys(opened: Opened) -> None:
    with opened() as (store, clock), opened() as (away, away_clock):
        notes = _shared_notes([(store, clock), (away, away_clock)])
        away.save_records(*(a_showing(n, notes[0], at=MONDAY + n) for n in range(5)))
        store.import_records(raw_of(away))

        summed(store, clock)
        assert len(raw_of(store)) == 5, "its device will sum them"
        summed(store, clock, after=20 * WEEK)
        assert [(each.device, each.sessions) for each in sums_of(store)] == [(NOBODY, 5)]

        summed(away, away_clock)
        store.import_records(sums_of(away))
        assert sums_of(store) == sums_of(away)
        store.import_records([each.but(device=NOBODY) for each in sums_of(away)])
        assert sums_of(store) == sums_of(away)


def test_a_session_that_is_judged_again_after_its_week_was_summed_counts_once(
    opened: Opened,
) -> None:
    with opened() as (store, clock):
        note = learn(store)
        outcome = a_showing(1, note.id, at=MONDAY + 1)
        store.save_records(outcome)
        summed(store, clock)

        store.save_records(outcome.but(opportunity=True, followed=True, helped=True))

        assert measure_effect(store.list_outcomes()).shown == 1
        found = store.note(note.id)
        assert found is not None
        assert found.helped == 0


def test_stops_count_the_same_before_and_after(opened: Opened) -> None:
    with opened() as (store, clock):
        note = learn(store)
        for number in range(4):
            key = f"s{number}//0/{STOP}/{note.id}/call{number}"
            known = {"session": f"s{number}", "at": MONDAY + number, "note": note.id}
            store.capture(Exposure(key, note.id, f"s{number}", STOP, MONDAY + number, 30))
            if number < 3:  # of the last one there is no transcript
                outcome = an_outcome(number, key=key, channel=STOP, **known)
                store.save_records(outcome.but(violated=number > 0, false_alarm=number == 2))
        passed = f"s3//0/{PASSED}/{note.id}/call3/x"
        store.capture(Exposure(passed, note.id, "s3", PASSED, MONDAY + DAY))
        store.capture(Exposure(passed + ASKED, note.id, "s3", PASSED, MONDAY + DAY))
        before = report_effect(app_of(store)).stops
        assert (before.stopped, before.repeated, before.false_stops, before.unknown) == (
            4,
            3,
            1,
            1,
        )

        summed(store, clock)

        assert raw_of(store) == []
        assert report_effect(app_of(store)).stops == before


def test_what_is_killed_while_it_sums_has_lost_nothing(opened: Opened) -> None:
    with opened() as (store, clock):
        note = learn(store)
        store.save_records(*(a_showing(n, note.id, at=MONDAY + n) for n in range(5)))
        before = raw_of(store)
        live_on(store, clock, LATER)

        with pytest.raises(KeyboardInterrupt):
            _sum_and_be_interrupted(store)

        assert (raw_of(store), sums_of(store)) == (before, [])


def _sum_and_be_interrupted(store: Store) -> None:
    with store.change():
        store.prune(RULES, transcript_exists=lambda _: False)
        assert raw_of(store) == []
        raise KeyboardInterrupt


def test_a_run_sums_no_more_than_its_share_and_the_next_ones_the_rest(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twiceshy.store.outcome_sums.MOST_SUMMED", 10)
    with opened() as (store, clock):
        note = learn(store)
        showings = [a_showing(n, note.id, at=MONDAY + n * DAY) for n in range(28)]
        store.save_records(*showings)
        live_on(store, clock, LATER)
        left = []
        for _ in range(4):
            summed(store, clock, after=0)
            left.append(len(raw_of(store)))
            assert measure_effect(store.list_outcomes()).shown == 28

        assert left == [21, 14, 7, 0]


def test_a_forgotten_note_leaves_no_sum_behind(opened: Opened) -> None:
    with opened() as (store, clock):
        note = learn(store)
        store.save_records(a_showing(1, note.id, at=MONDAY))
        summed(store, clock)
        assert sums_of(store)

        store.forget(note)

        assert sums_of(store) == []


def test_a_sum_of_no_week_is_refused_and_a_real_one_travels_as_it_is() -> None:
    from twiceshy.core.errors import BundleError
    from twiceshy.core.outcome_sum import sum_outcomes
    from twiceshy.sync.records import record_from_json, record_to_json

    (one,) = sum_outcomes([a_showing(1, an_id(), at=MONDAY + 5)], device="d1")

    assert record_from_json("outcomes", record_to_json(one)["outcomes"]) == one
    for wrong in ({"week": MONDAY + 1}, {"sessions": 0}, {"until": 0}, {"first_at": NOW + WEEK}):
        with pytest.raises(BundleError):
            record_from_json("outcomes", one.but(**wrong).fields())
