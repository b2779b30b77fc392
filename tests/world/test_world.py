"""The planted truth must be recovered: by counters exactly, by estimates within their intervals."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.requirements import requirement
from tests.store.support import app_of, learn, now_of, opened
from tests.world.agents import Listener, Session, World, acts_of
from tests.world.pitfalls import (
    CORRECTIONS,
    FLAG,
    HARMFUL,
    PATH,
    PLANTED,
    REVERSED,
    SHOP,
    UNRELIABLE,
    UPGRADED,
    WRAPPER,
    Pitfall,
    Truth,
)
from tests.world.telling import Memory, note_about

from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.transcript import UserMessage
from twiceshy.core.worth import (
    NINETY_FIVE,
    count_outcomes,
    find_streak,
    judge_worth,
    wilson_bounds,
)
from twiceshy.effect.measure import measure_effect
from twiceshy.effect.reconsider import reconsider_notes
from twiceshy.language.contrast import is_reversal
from twiceshy.learning.detect.correction import parse_prompt
from twiceshy.store.command_store import WholeStore


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with opened(home) as empty:
        yield empty


SEEDS = range(40)
TRUSTED = 36  # of 40 intervals of 95 % may miss a few; fewer than this happens once in a thousand


def truths(sessions: list[Session], pitfall: Pitfall) -> dict[str, Truth]:
    return {each.id: each.truths[pitfall.name] for each in sessions if pitfall.name in each.truths}


def test_the_same_seed_is_the_same_world_and_another_seed_another() -> None:
    def lived(seed: int) -> list[object]:
        memory = Memory([note_about(WRAPPER)])
        return [each.steps for each in World(seed, (WRAPPER, PATH)).run(8, memory)]

    assert lived(1) == lived(1)
    assert lived(1) != lived(2)


def test_what_an_agent_is_told_changes_nothing_for_those_who_are_not() -> None:
    world = World(3, PLANTED, obeys=0.0)

    told = world.run(10, Memory([note_about(FLAG)], channel="start"))

    assert [each.steps for each in told] == [each.steps for each in world.run(10, Listener())]


@requirement("L10")
class TestCounters:
    @pytest.mark.parametrize("pitfall", PLANTED, ids=lambda each: each.name)
    def test_told_beforehand_they_are_exactly_what_happened(self, pitfall: Pitfall) -> None:
        memory = Memory([note_about(pitfall)], share=0.3, channel="start")
        world = World(5, (pitfall,), tasks=1)

        known = truths(world.run(60, memory), pitfall)

        for outcome in memory.outcomes:
            truth = known[outcome.session]
            first, failed = truth.tried[0], "wrong" in _failures(truth)
            heeded = first == ("advised" if pitfall.advised else "right")
            assert outcome.withheld == (not truth.told)
            assert outcome.opportunity
            assert outcome.followed == heeded
            assert outcome.violated == (first == "wrong")
            assert outcome.failed == failed
            assert outcome.harmed == (first == "advised")
            assert outcome.helped == (truth.told and heeded and not pitfall.advised)

    @pytest.mark.parametrize("pitfall", PLANTED, ids=lambda each: each.name)
    def test_told_at_a_call_they_are_exactly_what_happened_behind_it(
        self, pitfall: Pitfall
    ) -> None:
        memory = Memory([note_about(pitfall)], share=0.3, channel="call")
        world = World(6, (pitfall,), tasks=1)

        known = truths(world.run(60, memory), pitfall)

        came_up = {each for each, truth in known.items() if "wrong" in truth.tried}
        assert {outcome.session for outcome in memory.outcomes} == came_up
        for outcome in memory.outcomes:
            truth = known[outcome.session]
            behind, worked = truth.tried[1:], not truth.failed[0]
            heeded = behind[:1] == ["advised" if pitfall.advised else "right"]
            assert outcome.false_alarm == worked
            assert outcome.worked_anyway == worked
            assert outcome.followed == heeded
            assert outcome.violated == (behind[:1] == ["wrong"])
            assert outcome.failed == ("wrong" in behind)
            assert outcome.harmed == (behind[:1] == ["advised"])
            assert outcome.calls_lost == (0 if worked else len(behind))

    def test_projects_that_share_programs_do_not_count_for_each_other(self) -> None:
        notes = {WRAPPER: note_about(WRAPPER, 1), REVERSED: note_about(REVERSED, 2)}
        memory = Memory(list(notes.values()), share=0.0, channel="start")

        sessions = World(7, (WRAPPER, REVERSED), tasks=1).run(80, memory)

        for pitfall, note in notes.items():
            known = truths(sessions, pitfall)
            followed = sum(truth.tried[0] == "right" for truth in known.values())
            assert count_outcomes(memory.of(note)).followed == followed
            assert len(memory.of(note)) == len(known) == 40
            assert {outcome.project for outcome in memory.of(note)} == {pitfall.project}

    def test_paraphrases_of_a_mistake_are_the_same_mistake(self) -> None:
        memory = Memory([note_about(WRAPPER)], share=0.0, channel="call")

        sessions = World(8, (replace(WRAPPER, slips=1.0),), tasks=1).run(40, memory)

        made = Counter(acts_of(each.steps)[2].command for each in sessions)
        assert set(made) == {each["command"] for each in WRAPPER.wrong}
        assert len(memory.outcomes) == 40


def _failures(truth: Truth) -> set[str]:
    return {way for way, failed in zip(truth.tried, truth.failed, strict=True) if failed}


class TestHoldOut:
    @pytest.mark.parametrize(
        ("channel", "pitfall", "obeys", "without", "by_itself"),
        [
            # who is not told slips in 7 of 10 sessions; at a call, half of them find out by themselves
            ("start", WRAPPER, 0.8, 0.7, 0.3),
            ("call", FLAG, 0.6, 0.5, 0.5),
        ],
    )
    @requirement("L11", "L12")
    def test_effect_and_obedience_lie_in_their_intervals(
        self, channel: str, pitfall: Pitfall, obeys: float, without: float, by_itself: float
    ) -> None:
        note, effects, heeded = note_about(pitfall), 0, 0
        for seed in SEEDS:
            memory = Memory([note], share=0.5, channel=channel)
            World(seed, (pitfall,), obeys=obeys, tasks=1, filler=0).run(60, memory)
            effect = measure_effect(memory.outcomes)
            counts = count_outcomes(memory.outcomes)
            low, high = wilson_bounds(counts.followed, counts.opportunity, NINETY_FIVE)
            effects += effect.low <= obeys * without <= effect.high
            heeded += low <= obeys + (1 - obeys) * by_itself <= high

        assert effects >= TRUSTED
        assert heeded >= TRUSTED

    def test_several_notes_together_are_estimated_as_surely(self) -> None:
        planted = (WRAPPER, PATH, FLAG)
        notes, right = [note_about(each, at) for at, each in enumerate(planted, start=1)], 0
        for seed in SEEDS:
            memory = Memory(notes, share=0.3, channel="start")
            World(seed, planted, obeys=0.6, tasks=1, filler=0).run(30, memory)
            effect = measure_effect(memory.outcomes)
            right += effect.low <= 0.6 * (0.7 + 0.8 + 1.0) / 3 <= effect.high

        assert right >= TRUSTED

    def test_a_deaf_agent_shows_that_notes_do_nothing(self) -> None:
        memory = Memory([note_about(WRAPPER)], share=0.5, channel="start")
        World(1, (WRAPPER,), obeys=0.0, tasks=1).run(200, memory)

        effect = measure_effect(memory.outcomes)

        assert effect.low < 0 < effect.high
        assert effect.high < 0.3

    def test_calls_are_saved_where_a_repair_is_told(self) -> None:
        """Untold, half of the agents fail a second time: one call, which those who obey do not lose."""
        memory = Memory([note_about(FLAG)], share=0.5, channel="call")
        World(2, (FLAG,), obeys=1.0, tasks=1, filler=0).run(200, memory)

        effect = measure_effect(memory.outcomes)

        assert effect.told.lost == effect.told.sessions
        assert effect.saved == pytest.approx(0.5, abs=0.15)


@requirement("L13")
class TestRetirement:
    @pytest.mark.parametrize("channel", ["start", "call"])
    def test_only_the_outdated_and_the_harmful_note_go(
        self, store: WholeStore, channel: str
    ) -> None:
        notes = {each.name: _kept(store, each) for each in PLANTED if each.project == SHOP}
        memory = Memory(list(notes.values()), channel=channel)
        world = World(11, tuple(each for each in PLANTED if each.project == SHOP), tasks=1)
        gone: dict[str, int] = {}

        for number in range(80):
            world.session(number, memory)
            store.save_records(*memory.outcomes[-len(notes) :])
            for decision in reconsider_notes(app_of(store)):
                if decision.step == "retire":
                    gone[decision.note.id] = number
            memory.notes = [each for each in notes.values() if each.id not in gone]

        assert set(gone) == {notes["upgraded"].id, notes["harmful"].id}
        assert gone[notes["harmful"].id] < 25
        assert UPGRADED.mended is not None
        assert UPGRADED.mended <= gone[notes["upgraded"].id] < UPGRADED.mended + 35
        assert now_of(store, notes["upgraded"]).reason.startswith("what it warns of worked")
        assert now_of(store, notes["harmful"]).reason.startswith("of no use: helped")
        assert all(
            now_of(store, notes[each.name]).status == "active" for each in (FLAG, WRAPPER, PATH)
        )

    @pytest.mark.parametrize("channel", ["start", "call"])
    def test_over_many_seeds_good_notes_are_never_retired_and_bad_ones_always(
        self, channel: str
    ) -> None:
        wrong: list[tuple[int, str]] = []
        for seed in range(6):
            for pitfall in (FLAG, UNRELIABLE, HARMFUL, UPGRADED):
                memory = Memory([note_about(pitfall)], channel=channel)
                World(seed, (pitfall,), tasks=1, filler=0).run(90, memory)
                seen = range(5, len(memory.outcomes) + 1, 5)
                gone = any(_goes(memory.outcomes[:count]) for count in seen)
                if gone != (pitfall in (HARMFUL, UPGRADED)):
                    wrong.append((seed, pitfall.name))

        assert wrong == []


def _goes(outcomes: list[Outcome]) -> bool:
    return (
        judge_worth(count_outcomes(outcomes)) == "retire" or find_streak(outcomes).chance < 0.001
    )


def _kept(store: WholeStore, pitfall: Pitfall) -> Note:
    """Let a store have the note, seen in a second session."""
    about = note_about(pitfall, 1 + PLANTED.index(pitfall))
    fields: dict[str, Any] = {
        "subtype": "fix",
        "trigger": about.trigger,
        "scope": about.scope,
        "source": "detector",
    }
    learn(store, about.text, **fields)
    return learn(store, about.text, **fields, origin_session="session-2")


class TestCorrections:
    def test_what_the_user_says_is_heard_in_both_languages_and_taken_back(self) -> None:
        sessions = World(9, (FLAG,), corrections=CORRECTIONS).run(len(CORRECTIONS), Listener())

        said = [each.steps[1] for each in sessions]
        heard = [
            parse_prompt(each.text, first=False, acted=True, interrupted=False)
            for each in said
            if isinstance(each, UserMessage)
        ]

        for planted, correction, before in zip(CORRECTIONS, heard, [None, *heard], strict=False):
            assert correction is not None
            assert (correction.avoid, correction.prefer) == (planted.avoid, planted.prefer)
            if planted.takes_back:
                assert before is not None
                assert is_reversal(correction, before)
