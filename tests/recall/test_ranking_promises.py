"""What comes first: without an intent by pins, sightings and age; with one by weights that a skill can tune."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, RELEASE
from tests.hooks.attack import fire, payload
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import MORNING
from tests.requirements import requirement
from tests.store.support import Clock, a_store, learn, opened

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.rank import RankWeights
from twiceshy.notes.write import NoteLimits
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.store.command_store import WholeStore

ROOMY = BriefBudget(tokens=4_000, notes=60, pinned_tokens=4_000)
APART = NoteLimits(near=1.0)
KILLED = "the kernel killed the process"
# None of them shares a word with that intent, and only the last has nothing to do with it.
FITTING = "Linux terminates a task that runs out of memory."
RECENT = "Restart the server when the daemon dies."
OFTEN = "Pods of Linux servers need more memory."
OTHER = "Write the announcement in the imperative."

# age in days, sightings, pinned
statuses = st.tuples(st.integers(0, 400), st.integers(1, 20), st.booleans())
weights = st.sampled_from((0.0, 0.1, 0.25, 0.6, 1.0, 7.0))


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as found:
        yield found


def grown(store: WholeStore, text: str, age: int, sightings: int, *, pinned: bool = False) -> Note:
    """Learn a note that was last seen so many days ago."""
    return learn(
        store,
        text,
        learned_at=NOW - age * DAY,
        sightings=sightings,
        pinned=pinned,
        bounds=APART,
    )


class TestWithoutAnIntent:
    @requirement("U135")
    @settings(max_examples=40)
    @given(st.lists(statuses, min_size=1, max_size=12))
    def test_pinned_notes_come_first_and_of_the_others_none_before_a_newer_one_seen_more_often(
        self, tmp_path_factory: pytest.TempPathFactory, all_lives: list[tuple[int, int, bool]]
    ) -> None:
        with opened(tmp_path_factory.mktemp("home")) as store:
            for number, (age, sightings, pinned) in enumerate(all_lives):
                grown(store, f"Lesson {number}.", age, sightings, pinned=pinned)

            brief = recall_notes(store, RELEASE, "", budget=ROOMY).brief

        assert brief.mode == "no-intent"
        assert len(brief.notes) == len(all_lives)
        for before, after in zip(brief.notes, brief.notes[1:], strict=False):
            assert before.pinned >= after.pinned
            if before.pinned == after.pinned:
                seen = after.sightings >= before.sightings
                newer = after.learned_at >= before.learned_at
                same = (after.sightings, after.learned_at) == (before.sightings, before.learned_at)
                assert same or not (seen and newer)

    @requirement("U135")
    def test_what_was_seen_often_is_not_hidden_behind_all_that_is_newer(
        self, store: WholeStore
    ) -> None:
        often = grown(store, "Fetch the tags first.", age=10, sightings=30)
        pinned = grown(store, "Ask before you publish.", age=300, sightings=1, pinned=True)
        for number in range(60):
            grown(store, f"Lesson {number}.", age=0, sightings=1)

        told = recall_notes(store, RELEASE, "", budget=BriefBudget()).brief.notes

        assert [note.id for note in told[:2]] == [pinned.id, often.id]

    @requirement("U135")
    def test_every_process_says_the_same_bytes(self, home: Path, tmp_path: Path) -> None:
        a_skill(tmp_path / "shop/.claude/skills/release")
        with opened(home) as store:
            for number in range(12):
                scope = Scope("*", "release")
                learn(store, f"Lesson {number % 6} of {number}.", scope=scope, bounds=APART)
        asked = {"skill": "release"}

        said = {
            fire(
                payload(
                    "PostToolUse", cwd=tmp_path / "shop", tool_input=asked, session_id=f"s{number}"
                ),
                env={"TWICESHY_NOW": MORNING},
            ).text
            for number in range(4)
        }

        [text] = said  # Python orders sets anew in every process
        assert 'mode="no-intent" count="6"' in text


class TestWithVectors:
    def taught(self, store: WholeStore) -> WholeStore:
        grown(store, FITTING, age=200, sightings=1)
        grown(store, RECENT, age=1, sightings=1)
        grown(store, OFTEN, age=200, sightings=40)
        grown(store, OTHER, age=0, sightings=1)
        return store

    def test_the_notes_of_these_tests_share_no_word_with_the_intent(
        self, store: WholeStore
    ) -> None:
        ranked = recall_notes(self.taught(store), RELEASE, KILLED, budget=ROOMY).ranked

        fits = {one.note.text: one.fit for one in ranked}
        assert [fit.words for fit in fits.values()] == [0.0] * 4
        assert fits[FITTING].meaning > max(fits[RECENT].meaning, fits[OFTEN].meaning)
        assert min(fits[RECENT].meaning, fits[OFTEN].meaning) > 0 == fits[OTHER].meaning

    @requirement("U136")
    @settings(max_examples=40)
    @given(weights, weights, weights)
    def test_the_order_is_the_weighted_sum_of_relevance_recency_and_sightings(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        relevance: float,
        recency: float,
        sightings: float,
    ) -> None:
        tuned = RankWeights(relevance, recency, sightings)
        with opened(tmp_path_factory.mktemp("home")) as store:
            recalled = recall_notes(
                self.taught(store), RELEASE, KILLED, budget=ROOMY, weights=tuned
            )

        assert recalled.brief.mode == "full"
        total = (relevance + recency + sightings) or 1.0
        for one in recalled.ranked:
            whole = relevance * one.relevance + recency * one.recency + sightings * one.sightings
            assert one.score == pytest.approx(whole / total)
        # unless they count more, age and sightings put nothing before what the intent is about
        tight = relevance >= recency + sightings
        keys = [(tight and not one.relevance, -one.score) for one in recalled.ranked]
        assert keys == sorted(keys)

    @requirement("U136")
    @pytest.mark.parametrize("half_life", [0.5, 30.0, 365.0])
    def test_recency_halves_with_every_half_life(
        self, store: WholeStore, half_life: float
    ) -> None:
        for number, text in enumerate((FITTING, RECENT, OFTEN, OTHER)):
            learn(store, text, learned_at=NOW - round(number * half_life * DAY), bounds=APART)

        ranked = recall_notes(
            store, RELEASE, KILLED, budget=ROOMY, weights=RankWeights(half_life_days=half_life)
        ).ranked

        found = {one.note.text: one.recency for one in ranked}
        assert [found[text] for text in (FITTING, RECENT, OFTEN, OTHER)] == pytest.approx(
            [1.0, 0.5, 0.25, 0.125], abs=1e-4
        )

    @requirement("U136")
    @settings(max_examples=25)
    @given(st.lists(st.integers(0, 900), max_size=6))
    def test_recency_is_the_same_among_any_candidates(
        self, tmp_path_factory: pytest.TempPathFactory, ages: list[int]
    ) -> None:
        clock = Clock()
        with opened(tmp_path_factory.mktemp("home"), clock=clock) as store:
            old = grown(store, FITTING, age=300, sightings=1)
            clock.at = NOW
            alone = recall_notes(store, RELEASE, KILLED, budget=ROOMY).ranked
            for number, age in enumerate(ages):
                grown(store, f"Kill process {number}.", age=age, sightings=1)
            clock.at = NOW
            among = recall_notes(store, RELEASE, KILLED, budget=ROOMY).ranked

        [only] = alone
        [still] = (one for one in among if one.note.id == old.id)
        assert still.recency == pytest.approx(only.recency, rel=1e-6)
        assert only.recency == pytest.approx(0.5**10, rel=1e-3)  # the newest there is, and old

    @requirement("U136")
    def test_a_moment_between_two_notes_is_next_to_nothing(self, store: WholeStore) -> None:
        for at, text in enumerate((RECENT, OFTEN)):
            learn(store, text, learned_at=NOW - at * 1_000, bounds=APART)

        newer, older = sorted(
            recall_notes(store, RELEASE, KILLED, budget=ROOMY).ranked, key=lambda one: -one.recency
        )

        assert newer.recency - older.recency < 1e-5
