"""Copies of one memory home that write with one device id: in the end all know what each of them wrote."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import Clock, opened
from tests.sync.support import Copy, Shelf, all_notes, meet
from tests.sync.test_bundle import exported, imported, noted
from tests.sync.test_convergence import act, known

from twiceshy.core.history import JournalEntry
from twiceshy.notes.undo import IMPORT
from twiceshy.store import device, settle
from twiceshy.store.command_store import WholeStore
from twiceshy.sync.ssh_key import make_device_key

COPIES = 3
VERBS = ("learn", "learn", "edit", "retire", "restore", "pin", "forget", "mistake", "rule", "undo")
copy = st.integers(0, COPIES - 1)
digit = st.integers(0, 9)
work = st.tuples(st.just("work"), copy, st.sampled_from(VERBS), digit, digit)
sync = st.tuples(st.just("sync"), copy)
bundle = st.tuples(st.just("bundle"), copy, copy)
happenings = st.lists(work | work | sync | bundle, min_size=4, max_size=24)

Written = set[tuple[object, ...]]


@pytest.fixture(autouse=True)
def one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all copies lie at one place, as a backup that is restored where the home was."""
    monkeypatch.setattr(device, "identify_place", lambda _: "here")


class Copies:
    """Copies of a store at one moment, which all tell the same time, and what they sync with."""

    def __init__(self, stack: ExitStack) -> None:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        with opened(folder / "0", clock=Clock(NOW)) as store:
            for number in range(4):
                noted(store, f"Known before {number}.")
        make_device_key(str(folder / "0"))
        for number in range(1, COPIES):
            shutil.copytree(folder / "0", folder / str(number))
        shelf = Shelf()
        self.remotes = [Copy(shelf) for _ in range(COPIES)]
        self.stores = [
            stack.enter_context(opened(folder / str(number), clock=Clock(NOW + 60_000)))
            for number in range(COPIES)
        ]

    def happen(self, what: str, number: int, *more: object) -> None:
        """Let one thing happen to a copy."""
        store = self.stores[number]
        if what == "work":
            verb, one, other = more
            act(store, str(verb), int(str(one)), int(str(other)))
        elif what == "sync":
            meet(store, self.remotes[number])
        elif more[0] != number:
            imported(self.stores[int(str(more[0]))], exported(store))

    def meet_all(self) -> None:
        for _ in range(3):
            for number in range(COPIES):
                meet(self.stores[number], self.remotes[number])


def written(store: WholeStore) -> Written:
    """Return every change but the bookkeeping of imports, whatever ids they have here."""
    return {(entry.batch, entry.op, entry.object, entry.at) for entry in entries(store)}


def entries(store: WholeStore) -> list[JournalEntry]:
    found = store.export_records(only=(JournalEntry,))
    return [each for each in found if isinstance(each, JournalEntry) and each.op != IMPORT]


@requirement("T243")
@settings(max_examples=sized(40, 400))
@given(happenings)
def test_copies_that_write_with_one_id_end_with_the_same_notes_and_lose_nothing(
    happened: list[tuple[str, int]],
) -> None:
    with ExitStack() as stack:
        copies = Copies(stack)
        for each in happened:
            copies.happen(*each)
        # what merging derives is named alike by all, each in a batch of its own
        first_hand = {
            (entry.batch, entry.op, entry.object, entry.at)
            for store in copies.stores
            for entry in entries(store)
            if "+" not in entry.device
        }

        copies.meet_all()

        one, *others = copies.stores
        for store in copies.stores:
            assert first_hand <= written(store)
            assert settle.list_drifted_notes(store._db) == []
        for store in others:
            assert {entry.id for entry in entries(store)} == {entry.id for entry in entries(one)}
            assert known(store) == known(one)


@requirement("T243")
def test_different_changes_with_one_id_are_both_kept_and_a_sync_says_so() -> None:
    with ExitStack() as stack:
        copies = Copies(stack)
        one, two, _ = copies.stores
        noted(one, "Written in the first.")
        noted(two, "Written in the second.")
        ids = [{entry.id for entry in entries(store)} for store in (one, two)]
        assert ids[0] == ids[1], "the copies must give the same ids, or nothing is shown here"

        meet(one, copies.remotes[0])
        said = meet(two, copies.remotes[1])
        meet(one, copies.remotes[0])

        assert len(said.brought.twins) == 1
        texts = [{note.text for note in all_notes(store)} for store in (one, two)]
        assert texts[0] == texts[1]
        assert {"Written in the first.", "Written in the second."} <= texts[0]
