"""A note is what its entries add up to, whoever brings them and in whatever order."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import (
    NOW,
    a_note,
    a_write,
    an_entry,
    an_id,
    erased,
    histories,
    moments,
    notes,
)

from twiceshy.core import clock
from twiceshy.core.evidence import Episode
from twiceshy.core.history import (
    JournalEntry,
    fields_to_write,
    replay_episode,
    replay_note,
    sort_entries,
)
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope

YEAR = 365 * DAY


def an_edit(at: int, *, device: str = "laptop", **after: object) -> JournalEntry:
    return an_entry("edit", at, device=device, after=after)


def known(entries: list[JournalEntry]) -> Note:
    note = replay_note(entries)
    assert note is not None
    return note


@st.composite
def copies(
    draw: st.DrawFn, /
) -> tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]]:
    """Draw what three devices know of one history: some entries each, and some of them erased."""
    entries = draw(histories())

    def one() -> list[JournalEntry]:
        some = [entry for entry in entries if draw(st.booleans())]
        return [erased(entry) if draw(st.integers(0, 4)) == 0 else entry for entry in some]

    return one(), one(), one()


# merging


def merge_entries(
    one: Iterable[JournalEntry], other: Iterable[JournalEntry]
) -> tuple[JournalEntry, ...]:
    """Merge two histories as stores do, where erased on one side means erased."""
    merged: dict[str, JournalEntry] = {}
    for entry in (*one, *other):
        if entry.id not in merged or (entry.after is None and entry.before is None):
            merged[entry.id] = entry
    return tuple(merged[entry_id] for entry_id in sorted(merged))


@given(copies())
def test_it_makes_no_difference_who_merges_with_whom(
    three: tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]],
) -> None:
    one, other, third = three

    assert merge_entries(one, other) == merge_entries(other, one)
    assert merge_entries(merge_entries(one, other), third) == merge_entries(
        one, merge_entries(other, third)
    )


@given(copies())
def test_merging_again_changes_nothing(
    three: tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]],
) -> None:
    one, other, _ = three
    merged = merge_entries(one, other)

    assert merge_entries(merged, merged) == merged
    assert merge_entries(merged, one) == merge_entries(other, merged) == merged


@given(copies())
def test_merging_loses_no_entry_and_invents_none(
    three: tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]],
) -> None:
    one, other, _ = three

    ids = [entry.id for entry in merge_entries(one, other)]

    assert ids == sorted({entry.id for entry in (*one, *other)})


@given(copies())
def test_devices_that_have_met_hold_the_same_note(
    three: tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]],
) -> None:
    one, other, third = three

    assert replay_note(merge_entries(merge_entries(one, other), third)) == replay_note(
        merge_entries(third, merge_entries(other, one))
    )


@given(copies())
def test_what_was_erased_on_one_device_is_erased_on_all(
    three: tuple[list[JournalEntry], list[JournalEntry], list[JournalEntry]],
) -> None:
    one, other, _ = three
    gone = {entry.id for entry in (*one, *other) if entry.after is None and entry.before is None}

    for entry in merge_entries(one, other):
        assert (entry.after is None and entry.before is None) is (entry.id in gone)


# adding up


@given(st.data())
def test_a_note_depends_on_its_entries_and_not_on_the_order_they_arrive_in(
    data: st.DataObject,
) -> None:
    entries = data.draw(histories())
    shuffled = data.draw(st.permutations(entries))

    assert replay_note(shuffled) == replay_note(entries)
    assert sort_entries(shuffled) == sort_entries(entries)


@given(notes(text=st.text(min_size=1)))
def test_a_note_that_is_written_reads_as_it_was(note: Note) -> None:
    written = replay_note([a_write(note=note)])

    counted = {"days": 1, "revision": 1, "recalls": 0, "missed": 0, "helped": 0, "harmed": 0}
    assert written == note.but(**counted)


@given(notes())
def test_what_is_written_of_a_note_is_plain_and_complete(note: Note) -> None:
    fields = fields_to_write(note)

    assert all(isinstance(value, str | int | float | tuple) for value in fields.values())
    assert fields_to_write(known([a_write(note=note)])) == fields


def test_nothing_adds_up_to_no_note() -> None:
    assert replay_note([]) is None
    assert replay_note([an_edit(NOW, text="Fetch.")]) is None
    assert replay_note([an_entry("see")]) is None


def test_an_edit_may_arrive_before_what_it_edits() -> None:
    edit = an_edit(NOW + 1, text="Fetch first.")

    assert replay_note([edit]) is None
    assert known([edit, a_write()]).text == "Fetch first."


def test_the_later_edit_wins_wherever_it_was_made() -> None:
    early = an_edit(NOW + 1, device="server", text="Early.", why="tagging")
    late = an_edit(NOW + 2, device="desktop", text="Late.")

    note = known([a_write(), late, early])

    assert (note.text, note.why) == ("Late.", "tagging")


def test_edits_of_different_fields_at_the_same_time_both_survive() -> None:
    note = known(
        [
            a_write(),
            an_edit(NOW + 1, device="laptop", text="Fetch first."),
            an_edit(NOW + 1, device="desktop", tag="git"),
        ]
    )

    assert (note.text, note.tag) == ("Fetch first.", "git")


def test_two_edits_in_the_same_instant_have_one_winner_on_every_device() -> None:
    edits = [an_edit(NOW + 1, device=device, text=device) for device in ("desktop", "laptop")]

    assert known([a_write(), *edits]).text == known([*reversed(edits), a_write()]).text == "laptop"


def test_a_note_can_move_to_another_scope() -> None:
    moved = an_entry("move", NOW + 1, after={"project": "*", "skill": ""})

    assert known([a_write(), moved]).scope == Scope()


def test_a_revision_is_a_change_of_what_the_note_says() -> None:
    entries = [
        a_write(),
        an_edit(NOW + 1, text="Fetch first."),
        an_entry("pin", NOW + 2, after={"pinned": True}),
        an_entry("retire", NOW + 3, after={"status": "retired", "reason": "expired"}),
        an_entry("see", NOW + 4),
        an_edit(NOW + 5, files=("Makefile",)),
    ]

    note = known(entries)

    assert note.revision == 3
    assert (note.pinned, note.status, note.reason) == (True, "retired", "expired")


def test_undoing_sets_back_the_fields_that_were_changed_and_no_others() -> None:
    change = an_entry("edit", NOW + 1, before={"text": a_note().text}, after={"text": "Wrong."})
    other = an_edit(NOW + 2, tag="git")
    undo = an_entry("undo", NOW + 3, before=change.after, after=change.before)

    note = known([a_write(), change, other, undo])

    assert (note.text, note.tag) == (a_note().text, "git")


# sightings


def test_every_sighting_is_counted_with_its_day() -> None:
    entries = [
        a_write(),
        an_entry("see", NOW + 1, device="desktop"),
        an_entry("see", NOW + DAY, device="laptop"),
        an_entry("see", NOW + 3 * DAY, device="desktop"),
    ]

    note = known(entries)

    assert (note.sightings, note.days, note.learned_at) == (4, 3, NOW + 3 * DAY)
    assert note.written_at == NOW


def test_a_sighting_is_counted_once_however_often_it_is_merged() -> None:
    history = [a_write(), an_entry("see", NOW + 1), an_entry("see", NOW + 1, device="desktop")]

    merged = merge_entries(
        merge_entries(history, history[1:]), merge_entries(history[:2], history)
    )

    assert known(list(merged)).sightings == 3


def test_one_entry_can_stand_for_several_sightings() -> None:
    seen = an_entry("see", NOW + 2 * DAY, after={"times": 5})

    note = known([a_write(), seen])

    assert (note.sightings, note.days) == (6, 2)
    assert (
        known([a_write(), seen, an_entry("unsee", NOW + 3 * DAY, refers=seen.id)]).sightings == 1
    )


def test_a_sighting_that_was_taken_back_counts_no_more() -> None:
    seen = an_entry("see", NOW + 5 * DAY)
    taken_back = an_entry("unsee", NOW + 6 * DAY, refers=seen.id)

    note = known([a_write(), seen, taken_back])

    assert (note.sightings, note.days, note.learned_at) == (1, 1, NOW)
    assert known([taken_back, a_write(), seen]) == note


def test_an_imported_note_goes_on_from_the_count_it_came_with() -> None:
    imported = a_note(sightings=7, learned_at=NOW - 90 * DAY)

    note = known([a_write(note=imported), an_entry("see", NOW + 1)])

    assert (note.sightings, note.days, note.learned_at) == (8, 2, NOW + 1)


@given(histories(forgetting=False))
def test_another_sighting_always_adds_exactly_one(entries: list[JournalEntry]) -> None:
    before = replay_note(entries)
    seen = an_entry("see", NOW + 99 * DAY, device="phone")

    after = replay_note([*entries, seen])

    if before is None:
        assert after is None
    else:
        assert after == before.but(
            sightings=before.sightings + 1,
            days=before.days + 1,
            learned_at=max(before.learned_at, seen.at),
        )


# forgetting


@given(histories(), st.data())
def test_what_was_forgotten_never_comes_back(
    entries: list[JournalEntry], data: st.DataObject
) -> None:
    forgotten = an_entry("forget", NOW + 1, device="phone")
    everything = data.draw(st.permutations([*entries, forgotten, a_write(NOW + 99 * DAY)]))

    assert replay_note(everything) is None
    assert replay_note([erased(entry) for entry in everything]) is None
    assert replay_episode(everything) is None


# clocks that are wrong


def test_an_entry_from_the_future_counts_from_when_it_was_received() -> None:
    future = an_edit(NOW + YEAR, device="broken", text="From the future.")
    received = an_entry("rebase", NOW + 10, device="laptop", refers=future.id)
    later = an_edit(NOW + 20, text="Honest and later.")
    earlier = an_edit(NOW + 5, text="Honest and earlier.")

    assert known([a_write(), future, later]).text == "From the future."
    assert known([a_write(), future, received, later]).text == "Honest and later."
    assert known([a_write(), future, received, earlier]).text == "From the future."


@given(st.permutations(["laptop", "desktop", "server"]))
def test_of_several_receptions_the_first_one_counts(devices: list[str]) -> None:
    future = an_edit(NOW + YEAR, device="broken", text="From the future.")
    receptions = [
        an_entry("rebase", NOW + 10 * (number + 1), device=device, refers=future.id)
        for number, device in enumerate(devices)
    ]
    honest = an_edit(NOW + 15, text="Honest.")

    assert known([a_write(), future, honest, *receptions]).text == "Honest."


def test_what_a_device_did_before_something_stays_before_it_wherever_that_counts_from() -> None:
    first = an_edit(NOW + 20, device="fast", text="First.")
    then = an_edit(NOW + YEAR, device="fast", text="Then.")
    received = an_entry("rebase", NOW + 10, device="slow", refers=then.id)

    assert known([a_write(), first, then, received]).text == "Then."


@given(histories())
def test_a_device_never_undoes_its_own_order(entries: list[JournalEntry]) -> None:
    order = sort_entries(entries)

    for device in {entry.device for entry in entries}:
        clocks = [entry.clock for entry in order if entry.device == device]
        assert clocks == sorted(clocks)


@given(moments, moments, st.integers(0, YEAR))
def test_a_reception_after_the_fact_never_moves_an_entry(one: int, other: int, later: int) -> None:
    edits = [an_edit(one, text="Edited."), an_edit(other, device="desktop", text="Edited too.")]
    received = an_entry("rebase", one + later, device="server", refers=edits[0].id)

    order = [entry for entry in sort_entries([received, *edits]) if entry != received]

    assert order == sort_entries(edits)


def test_the_name_of_an_entry_sorts_like_its_clock() -> None:
    entries = [
        an_entry("see", at, device=device)
        for at in (0, 1, NOW, NOW + 1, NOW + 90 * YEAR)
        for device in ("a", "b")
    ]

    assert sorted(entry.id for entry in entries) == [entry.id for entry in entries]
    assert len({entry.id for entry in entries}) == len(entries)
    assert clock.millisecond_of(int(entries[4].id.split(".")[0], 16)) == NOW


# episodes


@pytest.mark.parametrize("title", ["Released 1.0", ""])
def test_an_episode_adds_up_like_a_note(title: str) -> None:
    episode = Episode("e1", "end", "session-1", "demo", NOW, NOW + 1, title, files=("Makefile",))
    fields = episode.fields()
    written = an_entry("write", NOW, object=str(fields.pop("id")), after=fields)
    edited = an_entry("edit", NOW + 1, object="e1", after={"summary": "All went well."})

    assert replay_episode([written]) == episode
    assert replay_episode([edited, written]) == episode.but(summary="All went well.")
    assert replay_episode([]) is None


def test_entries_name_the_note_they_are_about() -> None:
    assert known([a_write(note=a_note(id=an_id(5)))]).id == an_id(5)
