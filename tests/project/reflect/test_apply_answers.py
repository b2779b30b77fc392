"""No sequence of commands removes a note but: mark it, reflect on another day, and let the user confirm."""

import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import Clock, a_store, app_of, learn

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.note import Note
from twiceshy.notes.edit import edit_fields, restore_note
from twiceshy.notes.undo import undo_batch
from twiceshy.project.reflect import apply_answers as reflection
from twiceshy.project.reflect.apply_answers import PENDING, REMOVE
from twiceshy.project.reflect.questions import (
    CoveredByRule,
    Keep,
    Remove,
    ReviewDecision,
    Shorten,
    parse_decisions,
)
from twiceshy.store.command_store import WholeStore

if TYPE_CHECKING:
    from collections.abc import Callable

BOX = "\n## Candidates\n- [ ] it\n\n## Conclusion\n"


def a_cycle(store: WholeStore, *notes: Note) -> Episode:
    """Reflect: ask about some notes."""
    now = store.now()
    asked = tuple(ReviewDecision(note.id, note.revision, "outdated").to_line() for note in notes)
    episode = Episode(
        "e" + store.new_id()[1:], "reflect", "", "demo", now, now, summary=BOX, requests=asked
    )
    with store.change():
        store.capture(episode)
    return episode


def kept(store: WholeStore, cycle: Episode) -> Episode:
    found = store.list_episodes(("demo",), kinds=("reflect",), limit=100)
    return next(each for each in found if each.id == cycle.id)


def answer(store: WholeStore, cycle: Episode, note: Note, given: Any) -> Note:
    return reflection.apply_answer(app_of(store), cycle, note, given)


def remove(store: WholeStore, note: Note, cycle: Episode) -> Note:
    return reflection.remove_marked_note(app_of(store), note, cycle, day_of=format_day)


@pytest.mark.parametrize(
    ("given", "status", "recorded"),
    [
        (Keep(), "active", "keep"),
        (Shorten("Fetch, then tag."), "active", "shorten"),
        (Remove(), PENDING, "remove"),
    ],
)
def test_an_answer_is_carried_out_and_recorded(
    store: WholeStore, given: Any, status: str, recorded: str
) -> None:
    note = learn(store)
    cycle = a_cycle(store, note)

    done = answer(store, cycle, note, given)

    after = kept(store, cycle)
    assert done.status == status
    assert parse_decisions(after.requests) == [
        ReviewDecision(note.id, done.revision, "outdated", recorded)
    ]
    assert f"- [x] it → {recorded}\n" in after.summary


def test_what_a_rule_covers_is_marked_and_says_by_which(store: WholeStore) -> None:
    note = learn(store)
    rule_note = learn(store, "Always fetch the tags.", kind="rule")
    other = learn(store, "Pin the lock file.")
    cycle = a_cycle(store, note, other)

    done = answer(store, cycle, note, CoveredByRule(rule_note.handle))

    assert done.status == PENDING
    assert done.reason.endswith(f"; covered by {rule_note.handle}")
    with pytest.raises(TwiceshyError, match="is not an active rule"):
        answer(store, cycle, other, CoveredByRule(note.handle))


def test_a_longer_text_is_no_shorter_one(store: WholeStore) -> None:
    note, bound = learn(store), learn(store, "Always fetch the tags.", kind="rule")
    cycle = a_cycle(store, note, bound)

    with pytest.raises(TwiceshyError, match="no shorter"):
        answer(store, cycle, note, Shorten(note.text + "!"))
    with pytest.raises(TwiceshyError, match="is a rule"):
        answer(store, cycle, bound, Shorten("Fetch."))


def test_only_what_was_asked_about_can_be_answered(store: WholeStore) -> None:
    note = learn(store)

    with pytest.raises(TwiceshyError, match="asked nothing about"):
        answer(store, a_cycle(store), note, Remove())

    assert store.note(note.id) == note


def test_keeping_a_note_that_waits_for_removal_shows_it_again(store: WholeStore) -> None:
    note = learn(store)
    first = a_cycle(store, note)
    marked = answer(store, first, note, Remove())

    again = answer(store, a_cycle(store, note), marked, Keep())

    assert (again.status, again.reason) == ("active", "")


@pytest.mark.parametrize("how", ["learned", "edited", "shown"])
def test_what_is_needed_again_leaves_the_list(store: WholeStore, clock: Clock, how: str) -> None:
    note = learn(store)
    marked = answer(store, a_cycle(store, note), note, Remove())
    clock.wait(DAY)
    match how:
        case "learned":
            with store.change():
                store.record_entry("see", note.id, None)
        case "edited":
            edit_fields(app_of(store), marked, {"why": "it is back"})
        case _:
            store.capture(Exposure("k", note.id, "s9", "call", store.now()))
    waiting = store.note(note.id)
    assert waiting
    assert waiting.status == PENDING

    with pytest.raises(TwiceshyError, match="shown again after it was marked"):
        remove(store, waiting, a_cycle(store, note))
    spared = reflection.restore_needed(app_of(store), [waiting])

    assert [each.status for each in spared] == ["active"]


def test_what_nobody_needed_stays_on_the_list(store: WholeStore) -> None:
    note = learn(store)
    marked = answer(store, a_cycle(store, note), note, Remove())

    assert reflection.restore_needed(app_of(store), [marked, learn(store, "Another one.")]) == []


def test_a_removed_note_can_be_brought_back_word_for_word(store: WholeStore, clock: Clock) -> None:
    note = learn(store)
    marked = answer(store, a_cycle(store, note), note, Remove())
    clock.wait(DAY)
    cycle = a_cycle(store, note)

    gone = remove(store, marked, cycle)

    assert (gone.status, gone.reason) == (
        "retired",
        f"removed: marked on {format_day(NOW)}, confirmed",
    )
    assert parse_decisions(kept(store, cycle).requests)[0].answer == "removed"
    assert restore_note(app_of(store), gone).but(revision=note.revision) == note


class Removing(RuleBasedStateMachine):
    """Commands in any order; ``confirmed`` is what the user says to a removal."""

    came: ClassVar[Counter[str]] = Counter()  # of confirmed removals, in all sequences

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.clock = Clock()
        self.store = a_store(self.home, clock=self.clock)
        self.id = learn(self.store).id
        self.cycles: list[Episode] = []
        self.marked: tuple[str, int] = ("", 0)  # the cycle that marked it, and when
        self.allowed = 0  # how often it was marked, reflected on another day, and confirmed

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.home)

    @property
    def note(self) -> Note:
        found = self.store.note(self.id)
        assert found
        return found

    @initialize(done=st.integers(0, 5))
    def begin(self, done: int) -> None:
        """Go some steps of the one order that is allowed, which chance alone hardly finds."""
        lawful: tuple[Callable[[], object], ...] = (
            self.reflect,
            lambda: self.answer(Remove()),
            lambda: self.wait(1, 0),
            self.reflect,
            lambda: self.remove(True),
        )
        for step in lawful[:done]:
            step()

    @rule(days=st.sampled_from((0, 0, 1, 8)), hours=st.integers(0, 12))
    def wait(self, days: int, hours: int) -> None:
        self.clock.wait(days * DAY + hours * DAY // 24)

    @rule()
    def reflect(self) -> None:
        self.cycles.append(a_cycle(self.store, self.note))

    @precondition(lambda self: self.cycles)
    @rule(given=st.sampled_from((Remove(), Remove(), Keep(), Shorten("Short."))))
    def answer(self, given: Any) -> None:
        with suppress(TwiceshyError):
            answer(self.store, self.cycles[-1], self.note, given)
            if isinstance(given, Remove):
                self.marked = (self.cycles[-1].id, self.clock.at)

    @rule(confirmed=st.sampled_from((True, True, False)))
    def remove(self, confirmed: bool) -> None:
        later = self.cycles[-1] if self.cycles else None
        if not confirmed:
            return
        try:
            reflection.remove_marked_note(app_of(self.store), self.note, later, day_of=format_day)
        except TwiceshyError:
            self.came["refused"] += 1
            return
        cycle, at = self.marked
        assert later
        assert cycle
        assert later.id != cycle
        assert format_day(later.ended_at) > format_day(at)
        self.allowed += 1
        self.came["removed"] += 1

    @rule(how=st.sampled_from(("restore", "see", "undo")))
    def meddle(self, how: str) -> None:
        match how:
            case "restore":
                restore_note(app_of(self.store), self.note)
            case "see":
                with self.store.change():
                    self.store.record_entry("see", self.id, None)
            case _:
                with suppress(TwiceshyError):
                    undo_batch(app_of(self.store))

    @invariant()
    def it_is_gone_only_if_that_was_allowed_and_never_erased(self) -> None:
        removals = [entry for entry in self.store.history(self.id) if entry.op == REMOVE]

        assert len(removals) == self.allowed
        assert self.note.text


@requirement("U115")
def test_no_sequence_of_commands_removes_a_note_in_another_order() -> None:
    Removing.came.clear()
    lawful = Removing()
    lawful.begin(5)
    lawful.teardown()
    allowed = dict(Removing.came)

    run_state_machine_as_test(  # its invariant asserts
        Removing, settings=settings(max_examples=50, stateful_step_count=25)
    )

    assert allowed == {"removed": 1}
    assert Removing.came["refused"] > 0
