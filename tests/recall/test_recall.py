"""From a scope and an intent to a brief: the right notes, in order, within the budget."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, RELEASE, phrases
from tests.store.support import Clock, a_store, app_of, dump, learn, opened, raw

from twiceshy.core.filter import NoteFilter, filter_visible_notes
from twiceshy.core.moment import DAY
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.core.text import estimate_tokens
from twiceshy.notes.edit import pin_note, retire_note
from twiceshy.notes.write import NoteLimits
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes, search_notes
from twiceshy.store.command_store import WholeStore


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened_store:
        yield opened_store


class TestOrder:
    def test_the_note_that_the_intent_is_about_comes_first(self, store: WholeStore) -> None:
        learn(store, "Sign the release with your own key.")
        wanted = learn(store, "Fetch the tags before tagging.", learned_at=NOW - 20 * DAY)

        recalled = recall_notes(store, RELEASE, "tag the new version", budget=BriefBudget())

        assert recalled.brief.notes[0].id == wanted.id
        assert recalled.brief.mode == "full"
        assert recalled.ranked[0].relevance > 0.9

    def test_what_the_words_leave_of_the_budget_goes_to_the_newest(
        self, store: WholeStore
    ) -> None:
        old = learn(store, "Sign the release.", learned_at=NOW - 90 * DAY)
        new = learn(store, "Write the announcement.", learned_at=NOW - DAY)
        wanted = learn(store, "Fetch the tags.", learned_at=NOW - 200 * DAY)

        recalled = recall_notes(store, RELEASE, "tags", budget=BriefBudget())

        assert [note.id for note in recalled.brief.notes] == [wanted.id, new.id, old.id]

    @pytest.mark.parametrize(
        ("intent", "mode"), [("", "no-intent"), ("  ?! ", "no-intent"), ("kubernetes", "flat")]
    )
    def test_without_a_match_recency_and_sightings_decide(
        self, store: WholeStore, intent: str, mode: str
    ) -> None:
        once = learn(store, "Learned once.")
        often = learn(store, "Learned often.", sightings=9)

        recalled = recall_notes(store, RELEASE, intent, budget=BriefBudget())

        assert recalled.brief.mode == mode
        assert [note.id for note in recalled.brief.notes] == [often.id, once.id]

    def test_a_pinned_note_comes_before_a_better_match(self, store: WholeStore) -> None:
        learn(store, "Fetch the tags before tagging.")
        pinned = pin_note(app_of(store), learn(store, "Ask before you publish."))

        recalled = recall_notes(store, RELEASE, "fetch tags", budget=BriefBudget())

        assert recalled.brief.notes[0] == pinned
        assert len(recalled.brief.notes) == 2


class TestWhatIsShown:
    def test_only_active_advice_is_recalled(self, store: WholeStore) -> None:
        shown = learn(store, "Fetch first.", kind="pattern")
        retire_note(app_of(store), learn(store, "Fetch last."))
        learn(store, "Fetch maybe.", source="detector")
        learn(store, "Fetch it.", kind="task")
        learn(store, "Fetch page.", kind="page", tag="fetching")

        recalled = recall_notes(store, RELEASE, "fetch", budget=BriefBudget())

        assert [note.id for note in recalled.brief.notes] == [shown.id]

    def test_an_empty_store_gives_no_brief_at_all(self, store: WholeStore) -> None:
        recalled = recall_notes(store, RELEASE, "anything", budget=BriefBudget())

        assert (recalled.brief.text, recalled.brief.notes, recalled.ranked) == ("", (), ())

    def test_a_skill_has_its_own_notes_and_not_those_of_another(self, store: WholeStore) -> None:
        own = learn(store, "Fetch tags.", scope=Scope("demo", "release"))
        general = learn(store, "Fetch always.", scope=Scope("*", "release"))
        learn(store, "Fetch reviews.", scope=Scope("demo", "review"))
        learn(store, "Fetch nothing.", scope=GLOBAL)

        recalled = recall_notes(store, Scope("demo", "release"), "fetch", budget=BriefBudget())

        assert {note.id for note in recalled.brief.notes} == {own.id, general.id}

    def test_recalling_changes_nothing_in_the_store(self, store: WholeStore) -> None:
        learn(store)
        with raw(store.path) as db:
            tables = [
                row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE rootpage")
            ]
            tables = [name for name in tables if not name.startswith(("sqlite_", "notes_"))]
            tables = [name for name in tables if "_by_" not in name]
            before = {table: dump(db, table) for table in tables}

        recall_notes(store, RELEASE, "tagging", budget=BriefBudget())
        search_notes(store, "tagging", filter_visible_notes(store, RELEASE), limit=5)

        with raw(store.path) as db:
            assert {table: dump(db, table) for table in tables} == before


@given(
    written=st.lists(phrases, min_size=1, max_size=15),
    intent=phrases,
    tokens=st.integers(0, 400),
    notes=st.integers(0, 8),
)
@settings(max_examples=25)
def test_a_brief_never_exceeds_its_budget_and_is_always_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[str],
    intent: str,
    tokens: int,
    notes: int,
) -> None:
    clock = Clock()
    with opened(tmp_path_factory.mktemp("home"), clock=clock) as store:
        for number, text in enumerate(written):
            learn(store, f"{text} {number}", pinned=number % 4 == 0)
        budget = BriefBudget(tokens=tokens, notes=notes, pinned_tokens=tokens // 2)

        brief = recall_notes(store, RELEASE, intent, budget=budget).brief
        again = recall_notes(store, RELEASE, intent, budget=budget).brief

        assert brief.text == again.text
        assert len(brief.notes) <= notes
        assert not brief.text or estimate_tokens(brief.text) <= tokens


class TestSearching:
    def test_search_finds_what_is_not_shown_when_asked_to(self, store: WholeStore) -> None:
        gone = retire_note(app_of(store), learn(store))

        found = search_notes(store, "tagging", NoteFilter(statuses=("retired",)), limit=5)

        assert [one.note.id for one in found] == [gone.id]

    def test_without_words_search_lists_the_newest(self, store: WholeStore) -> None:
        notes = [learn(store, f"Lesson {number}.", learned_at=NOW + number) for number in range(4)]

        found = search_notes(store, " ", NoteFilter(), limit=2)

        assert [one.note.id for one in found] == [notes[3].id, notes[2].id]

    def test_the_best_match_comes_first_however_old_it_is(self, store: WholeStore) -> None:
        best = learn(store, "useState in a loop breaks the hooks.", learned_at=NOW - 300 * DAY)
        learn(store, "The loop of releases is weekly.", sightings=20)

        found = search_notes(store, "useState loop", NoteFilter(), limit=5)

        assert found[0].note.id == best.id


def test_a_note_whose_time_is_up_is_no_longer_told_unless_it_is_pinned(home: Path) -> None:
    clock = Clock()
    brief_life = NoteLimits(expiry_days={"lesson": 2})
    with opened(home, clock=clock) as store:
        learn(store, "Sign the release.", bounds=brief_life)
        kept = pin_note(app_of(store), learn(store, "Fetch the tags.", bounds=brief_life))
        assert len(recall_notes(store, RELEASE, "release", budget=BriefBudget()).brief.notes) == 2

        clock.wait(2 * DAY)

        told = recall_notes(store, RELEASE, "release", budget=BriefBudget()).brief.notes
        assert [note.id for note in told] == [kept.id]
