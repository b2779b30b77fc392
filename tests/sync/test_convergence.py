"""Five devices, whatever they do, wherever the power goes out: in the end all of them know the same."""

from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.core.builders import NOW
from tests.exchange.test_bundle import do
from tests.requirements import requirement
from tests.stores.support import Clock, opened
from tests.sync.support import Copy, Crash, Shelf, all_notes, crashing, meet

from twiceshy.core.history import Entry
from twiceshy.core.moment import DAY, SECOND
from twiceshy.stores.sqlite import settle

DEVICES = 5
VERBS = ("learn", "learn", "learn", "edit", "retire", "restore", "pin", "move", "forget", "tally")
SKEWS = (0, 0, -60 * SECOND, 3_600 * SECOND, -365 * DAY, 365 * DAY)
device = st.integers(0, DEVICES - 1)
digit = st.integers(0, 9)
doing = st.tuples(st.sampled_from(VERBS), digit, digit)
WAYS = [(True, True), (True, True), (True, False), (False, True)]


class FiveDevices(RuleBasedStateMachine):
    """What may happen to five stores and the repository between them; at the end all are compared."""

    ended = 0  # times that it came to that

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.shelf = Shelf()
        self.copies = [Copy(self.shelf) for _ in range(DEVICES)]

    @initialize(
        skews=st.lists(st.sampled_from(SKEWS), min_size=DEVICES, max_size=DEVICES),
        purging=st.booleans(),
    )
    def begin(self, skews: list[int], purging: bool) -> None:
        self.purging = (
            purging  # after a purge everything is read anew, which would hide what was lost
        )
        self.clocks = [Clock(NOW + skew) for skew in skews]
        self.stores = [
            self.stack.enter_context(opened(self.folder / str(n), clock=clock))
            for n, clock in enumerate(self.clocks)
        ]

    @rule(n=device, doings=st.lists(doing, min_size=2, max_size=6))
    def work(self, n: int, doings: list[tuple[str, int, int]]) -> None:
        for each in doings:
            do(self.stores[n], *each)

    @rule(milliseconds=st.integers(1, 30 * DAY))
    def wait(self, milliseconds: int) -> None:
        for clock in self.clocks:
            clock.wait(milliseconds)

    @rule(away=st.sets(device, max_size=2))
    def part(self, away: set[int]) -> None:
        for n, copy in enumerate(self.copies):
            copy.reachable = n not in away

    @rule(several=st.lists(device, min_size=2, max_size=4), how=st.sampled_from(WAYS))
    def sync(self, several: list[int], how: tuple[bool, bool]) -> None:
        for n in several:
            with suppress(ConnectionError):
                meet(self.stores[n], self.copies[n], take=how[0], give=how[1])

    @rule(several=st.lists(device, min_size=1, max_size=3), step=st.integers(0, 5))
    def crash(self, several: list[int], step: int) -> None:
        for n in several:
            do(self.stores[n], "learn", n, step)
            with suppress(Crash, ConnectionError):
                meet(self.stores[n], self.copies[n], tell=crashing(step))

    @precondition(lambda self: self.purging)
    @rule(n=device)
    def purge(self, n: int) -> None:
        with suppress(ConnectionError):
            meet(self.stores[n], self.copies[n], purge=True)

    def teardown(self) -> None:
        with self.stack:
            if hasattr(self, "stores"):
                self.end()

    def end(self) -> None:
        written = {
            (entry.object, entry.id)
            for store in self.stores
            for entry in store.everything(only=(Entry,))
            if isinstance(entry, Entry) and entry.op != "import"
        }
        for copy in self.copies:
            copy.reachable = True
        for _ in range(3):
            for store, copy in zip(self.stores, self.copies, strict=True):
                meet(store, copy)
        first, *rest = [all_notes(store) for store in self.stores]
        for others in rest:
            assert others == first
        for store in self.stores:
            assert settle.drifted(store._db) == []
            known = {
                (entry.object, entry.id)
                for entry in store.everything(only=(Entry,))
                if isinstance(entry, Entry)
            }
            assert written <= known, "nothing that was acknowledged is lost"
        FiveDevices.ended += 1


@requirement("U193", "A18")
def test_five_devices_come_to_the_same_notes_and_lose_nothing() -> None:
    how = settings(max_examples=50, stateful_step_count=40, deadline=None)
    before = FiveDevices.ended

    run_state_machine_as_test(FiveDevices, settings=how)

    assert FiveDevices.ended > before
