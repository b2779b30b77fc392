"""Words that two devices changed in two ways: the later ones stand, and the others are not lost."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, a_write, an_entry

from twiceshy.core import clock
from twiceshy.core.history import JournalEntry, replay_note
from twiceshy.core.moment import DAY
from twiceshy.notes.conflict import SETTLED, find_conflicts, settled_edits

FETCH = a_note().text


def edited(
    step: int, was: str, now: str, *, device: str = "laptop", field: str = "text"
) -> JournalEntry:
    before, after = {field: was}, {field: now}
    return an_entry("edit", NOW + step, device=device, before=before, after=after)


def said(entries: list[JournalEntry]) -> list[tuple[str, str]]:
    return [(wording.field, wording.said) for wording in find_conflicts(entries)]


class TestWhatIsLost:
    def test_of_two_edits_the_earlier_one_waits(self) -> None:
        here = edited(1, FETCH, "Here.")
        there = edited(2, FETCH, "There.", device="desk")

        (lost,) = find_conflicts([a_write(), here, there])

        assert (lost.said, lost.device, lost.at) == ("Here.", "laptop", NOW + 1)
        assert lost.entries == (here.id,)

    def test_words_and_reason_are_told_apart(self) -> None:
        entries = [
            a_write(),
            edited(1, "", "It broke.", field="why"),
            edited(2, FETCH, "Here."),
            edited(3, "", "It was slow.", field="why", device="desk"),
        ]

        assert said(entries) == [("why", "It broke.")]

    def test_the_last_words_of_a_device_are_the_ones_that_wait(self) -> None:
        entries = [
            a_write(),
            edited(1, FETCH, "Here."),
            edited(2, "Here.", "Here, and better."),
            edited(3, FETCH, "There.", device="desk"),
        ]

        assert said(entries) == [("text", "Here, and better.")]

    def test_three_devices_leave_two_wordings(self) -> None:
        entries = [
            a_write(),
            edited(1, FETCH, "Here."),
            edited(2, FETCH, "There.", device="desk"),
            edited(3, FETCH, "Elsewhere.", device="phone"),
        ]

        assert said(entries) == [("text", "Here."), ("text", "There.")]

    def test_the_same_words_twice_are_no_conflict(self) -> None:
        entries = [
            a_write(),
            edited(1, FETCH, "Both."),
            edited(2, FETCH, "Both.", device="desk"),
        ]

        assert said(entries) == []

    def test_an_edit_that_was_taken_back_before_another_is_no_conflict(self) -> None:
        entries = [
            a_write(),
            edited(1, FETCH, "Here."),
            edited(2, "Here.", FETCH, device="desk"),
            edited(3, FETCH, "There.", device="desk"),
        ]

        assert said(entries) == []

    def test_a_clock_from_the_future_counts_from_when_it_was_received(self) -> None:
        ahead = edited(1, FETCH, "Ahead.", device="desk").but(
            clock=clock.first_clock_of(NOW + 400 * DAY)
        )
        received = an_entry("rebase", NOW + 2, refers=ahead.id)

        assert said([a_write(), ahead, received, edited(3, FETCH, "Here.")]) == [
            ("text", "Ahead.")
        ]

    def test_nothing_is_said_of_what_was_forgotten(self) -> None:
        entries = [
            a_write(),
            edited(1, FETCH, "Here."),
            edited(2, FETCH, "There.", device="desk"),
            an_entry("forget", NOW + 3),
        ]

        assert said(entries) == []


class TestDecisions:
    def test_what_somebody_has_looked_at_waits_no_more_and_later_edits_do(self) -> None:
        here = edited(1, FETCH, "Here.")
        torn = [a_write(), here, edited(2, FETCH, "There.", device="desk")]
        looked = an_entry("keep", NOW + 3, before={SETTLED: ()}, after={SETTLED: (here.id,)})
        late = edited(4, FETCH, "Elsewhere.", device="phone")

        assert said([*torn, looked]) == []
        assert said([*torn, looked, late]) == [("text", "There.")]

    def test_a_decision_that_was_taken_back_is_none(self) -> None:
        here = edited(1, FETCH, "Here.")
        entries = [
            a_write(),
            here,
            edited(2, FETCH, "There.", device="desk"),
            an_entry("keep", NOW + 3, before={SETTLED: ()}, after={SETTLED: (here.id,)}),
            an_entry("undo", NOW + 4, before={SETTLED: (here.id,)}, after={SETTLED: ()}),
        ]

        assert settled_edits(entries) == ()
        assert said(entries) == [("text", "Here.")]

    def test_a_decision_that_makes_no_sense_decides_nothing(self) -> None:
        entries = [a_write(), an_entry("keep", NOW + 1, after={SETTLED: 7})]

        assert settled_edits(entries) == ()


WORDINGS = st.sampled_from(["One.", "Two.", "Three.", "Four."])


@st.composite
def told_one_by_one(draw: st.DrawFn, /) -> list[JournalEntry]:
    """Draw edits of several devices of which each knew all that went before."""
    entries, now = [a_write()], FETCH
    for step, words in enumerate(draw(st.lists(WORDINGS, max_size=8)), start=1):
        device = draw(st.sampled_from(["laptop", "desk", "phone"]))
        if words != now:
            entries.append(edited(step, now, words, device=device))
            now = words
    return entries


@given(told_one_by_one())
def test_who_knew_of_each_other_is_never_in_conflict(entries: list[JournalEntry]) -> None:
    assert find_conflicts(entries) == ()


@st.composite
def tangled(draw: st.DrawFn, /) -> list[JournalEntry]:
    """Draw edits of several devices, each of some words that were said before."""
    entries, known = [a_write()], [FETCH]
    for step, words in enumerate(draw(st.lists(WORDINGS, max_size=8)), start=1):
        was = draw(st.sampled_from(known))
        device = draw(st.sampled_from(["laptop", "desk", "phone"]))
        entries.append(edited(step, was, words, device=device))
        known.append(words)
    return entries


@given(tangled())
def test_what_stands_is_never_among_what_was_lost(entries: list[JournalEntry]) -> None:
    note = replay_note(entries)

    lost = [wording.said for wording in find_conflicts(entries)]

    assert note is not None
    assert note.text not in lost
    assert len(lost) == len(set(lost))


@given(tangled())
def test_whoever_looked_at_all_of_it_leaves_nothing_to_look_at(
    entries: list[JournalEntry],
) -> None:
    seen = tuple(entry for wording in find_conflicts(entries) for entry in wording.entries)

    after = [*entries, an_entry("keep", NOW + 99, after={SETTLED: seen})]

    assert find_conflicts(after) == ()


def test_the_order_of_arrival_never_matters() -> None:
    entries = [
        a_write(),
        edited(1, FETCH, "Here."),
        edited(2, FETCH, "There.", device="desk"),
        edited(3, "Here.", "Here, and better."),
        edited(4, FETCH, "Elsewhere.", device="phone"),
    ]

    found = {find_conflicts(order) for order in permutations(entries)}

    assert len(found) == 1
    assert [one.said for one in next(iter(found))] == ["Here, and better.", "There."]
