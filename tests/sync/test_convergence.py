"""Five devices, whatever they do, wherever the power goes out: in the end all of them know the same."""

import random
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
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
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import Clock, a_signal, app_of, opened
from tests.sync.support import Copy, Crash, Shelf, all_notes, meet
from tests.sync.test_bundle import BLOG, SHOP, do, exported, imported, noted

from twiceshy.core.errors import NoteError, NotFoundError, StoreError
from twiceshy.core.evidence import Episode, Exposure, NoteEvidence, Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import JournalEntry
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.core.project_link import ProjectLink, link_id, replay_link
from twiceshy.core.store import Alias, NoteCounter, Tombstone
from twiceshy.notes.edit import restore_note
from twiceshy.notes.undo import IMPORT, undo_batch
from twiceshy.project import identity as projects
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore
from twiceshy.sync.rules import SyncError

if TYPE_CHECKING:
    from twiceshy.core.store import Record

DEVICES = 5
BEYOND = ("rule", "approve", "undo", "episode", "observe", "link", "unite", "page")
TAUGHT = ("mistake", "judge")
VERBS = (
    *("learn", "learn", "learn", "edit", "retire", "restore", "pin", "move", "forget", "tally"),
    *BEYOND,
    *TAUGHT,
)
SKEWS = (0, 0, -60 * SECOND, 3_600 * SECOND, -365 * DAY, 365 * DAY)
WAYS = ((True, True), (True, True), (True, False), (False, True))
LONGEST = 40  # more moments than one sync has at which the power can go out
NAMES = tuple(f"dir:{letter * 32}" for letter in "abc")
RULES = ("Never push with force.", "Run the tests first.", "Ask before a release.")
WAITING = NoteFilter(kinds=("rule",), statuses=("quarantined",))
# What is the same everywhere; where a project lies, and what undo needs, is a matter of one device.
TOLD = (Signal, Exposure, NoteEvidence, Outcome, NoteCounter, Tombstone)

Doing = tuple[str, int, int]
device = st.integers(0, DEVICES - 1)
digit = st.integers(0, 9)
doing = st.tuples(st.sampled_from(VERBS), digit, digit)


def approve(store: WholeStore) -> None:
    """Follow all rules that wait, as ``review --accept-all rules`` does."""
    for note in store.notes(WAITING, limit=-1):
        with suppress(NoteError):
            restore_note(app_of(store), note)


def take_back(store: WholeStore) -> None:
    """Undo the last thing that was done here by hand; what an import brought stays."""
    for entry in reversed(store.history(limit=20)):
        batch = store.history(batch=entry.batch)
        if all(each.device == store.device and each.op != IMPORT for each in batch):
            undo_batch(app_of(store), entry.batch)
            return


def write_page(store: WholeStore, one: int, other: int) -> None:
    noted(store, f"Chapter {other}", kind="page", tag=f"page-{one % 3}")


def observe(store: WholeStore, one: int, other: int) -> None:
    """Let hooks see something go wrong, and a note shown to someone."""
    key, kind = f"{store.device}-{one}-{other}", ("error", "checkpoint")[other % 2]
    known = all_notes(store)
    store.capture(a_signal(f"s-{key}", project=SHOP, kind=kind, excerpt=f"tag {one} exists"))
    if known:
        note = known[one % len(known)].id
        store.capture(Exposure(f"x-{key}", note, session="s", channel="skill", at=NOW))


def tell(store: WholeStore, one: int, other: int) -> None:
    """Let a session end."""
    about = f"e{store.device}{one}{other}"
    store.capture(Episode(about, "end", "s", SHOP, NOW, NOW + DAY, f"Half {one}", f"done {other}"))


def slip(store: WholeStore, one: int, other: int) -> None:
    """Make one of three mistakes, and learn it in words of its own."""
    session = f"{store.device}-{other}"
    note = noted(
        store,
        f"Wording {other} of {store.device}",
        tag=f"mistake:{one % 3}",
        source="detector",
        origin_session=session,
    )
    store.record_evidence(note.id, f"call:{session}", session, at=NOW + other)


def judge(store: WholeStore, one: int, other: int) -> None:
    """Find out what came of a note in a session, a little more each time."""
    known = all_notes(store)
    if known:
        note, session = known[one % len(known)].id, f"{store.device}-{other % 3}"
        how = {"opportunity": True, "failed": other % 2 == 0, "helped": other % 3 == 0}
        key = f"{session}//0/start/{note}"
        store.save_records(Outcome(key, note, session, SHOP, "start", NOW, lot=100, **how))


MORE: dict[str, Callable[[WholeStore, int, int], object]] = {
    "rule": lambda store, one, _: noted(store, RULES[one % 3], kind="rule", source="user"),
    "approve": lambda store, *_: approve(store),
    "undo": lambda store, *_: take_back(store),
    "episode": tell,
    "observe": observe,
    "link": lambda store, one, _: projects.add_aliases(
        app_of(store), (SHOP, BLOG)[one % 2], [NAMES[one % 3]]
    ),
    "unite": lambda store, one, _: projects.merge_project_ids(
        app_of(store), NAMES[one % 3], (SHOP, BLOG)[one % 2]
    ),
    "page": write_page,
    "mistake": slip,
    "judge": judge,
}


def act(store: WholeStore, verb: str, one: int, other: int) -> None:
    """Do something that makes sense, or that the store refuses."""
    if verb not in MORE:
        do(store, verb, one, other)
        return
    with suppress(AssertionError, NoteError, NotFoundError, StoreError):
        MORE[verb](store, one, other)


class Devices:
    """Five stores, and the repository between them."""

    def __init__(self, skews: list[int], *, follow: bool = True) -> None:
        self.follow = follow  # else each device asks, and is answered at the end
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.shelf = Shelf()
        self.copies = [Copy(self.shelf) for _ in skews]
        self.clocks = [Clock(NOW + skew) for skew in skews]
        self.stores = [
            self.stack.enter_context(opened(folder / str(n), clock=clock))
            for n, clock in enumerate(self.clocks)
        ]

    def work(self, n: int, doings: list[Doing]) -> None:
        for each in doings:
            act(self.stores[n], *each)

    def wait(self, milliseconds: int) -> None:
        for clock in self.clocks:
            clock.wait(milliseconds)

    def part(self, away: set[int]) -> None:
        for n, copy in enumerate(self.copies):
            copy.reachable = n not in away

    def sync(self, n: int, **way: Any) -> None:
        with suppress(ConnectionError), suppress(*(() if self.follow else (SyncError,))):
            meet(self.stores[n], self.copies[n], follow=self.follow, **way)

    def answer(self, n: int) -> None:
        """Agree to all that the other devices erased, joined and changed."""
        meet(
            self.stores[n],
            self.copies[n],
            follow=self.follow,
            give=False,
            decide=lambda known, _: known.answer_changes(yes=True),
        )

    def crash(self, n: int, fuse: int, **way: Any) -> None:
        """Let the power go out at some moment of a sync: between two steps, or inside one."""
        copy = self.copies[n]
        copy.fuse = fuse
        with suppress(Crash):
            self.sync(n, tell=copy.burn, watch=copy.burning, **way)
        copy.fuse = -2

    def hand_over(self, n: int, other: int) -> None:
        """Carry a bundle from one device to another, past the repository."""
        imported(self.stores[other], exported(self.stores[n]))

    def lose_clone(self, n: int) -> None:
        self.copies[n].marks.clear()

    def check(self) -> None:
        """Let all of them meet, and compare."""
        written = [known for store in self.stores for known in entries_of(store)]
        self.part(set())
        for _ in range(3):
            for n in range(len(self.stores)):
                self.sync(n)
        for _ in range(2 if self.follow else 4):
            for n, store in enumerate(self.stores):
                self.answer(n)
                approve(store)
                self.sync(n)
        for n in range(len(self.stores)):
            self.sync(n)
        first, *rest = self.stores
        for store in rest:
            assert known(store) == known(first)
            assert told(store) == told(first)
            assert episodes_of(store) == episodes_of(first)
            assert links_of(store) == links_of(first)
            assert names_of(store) == names_of(first)
            assert effects_of(store) == effects_of(first)
        for store in self.stores:
            assert settle.list_drifted_notes(store._db) == []
            assert set(written) <= set(entries_of(store)), "what was acknowledged is lost"


def known(store: WholeStore) -> list[Note]:
    """Return every note; whether a rule is followed is a matter of each device."""
    return [
        note.but(status="", reason="") if note.kind == "rule" else note
        for note in all_notes(store)
    ]


def entries_of(store: WholeStore) -> list[tuple[str, str]]:
    """Return every change that was ever made by hand, whatever it said."""
    return [
        (entry.object, entry.id)
        for entry in store.export_records(only=(JournalEntry,))
        if isinstance(entry, JournalEntry) and entry.op != IMPORT
    ]


def episodes_of(store: WholeStore) -> list[Episode]:
    return sorted(store.list_episodes(kinds=("end",), limit=None), key=lambda episode: episode.id)


def told(store: WholeStore) -> "list[Record]":
    """Return what was observed and counted."""
    return sorted(store.export_records(only=TOLD), key=repr)


def effects_of(store: WholeStore) -> list[object]:
    """Return what is known about each standing note: outcomes and evidence, of merged ones, too."""
    standing = [note.id for note in all_notes(store) if not note.superseded_by]
    return [
        store.list_outcomes(),
        [store.list_outcomes(note=each) for each in standing],
        [store.list_evidence(each) for each in standing],
    ]


def links_of(store: WholeStore) -> list[ProjectLink | None]:
    """Return what the journal says that projects are called, too."""
    return [replay_link(store.history(link_id(name))) for name in NAMES]


def names_of(store: WholeStore) -> list[str]:
    """Return what projects are called, as the store looks it up."""
    return sorted(map(repr, store.export_records(only=(Alias,))))


class FiveDevices(RuleBasedStateMachine):
    """What may happen to five devices; at the end all are compared."""

    ended = 0  # times that it came to that

    @initialize(
        skews=st.lists(st.sampled_from(SKEWS), min_size=DEVICES, max_size=DEVICES),
        purging=st.booleans(),
        follow=st.booleans(),
    )
    def begin(self, skews: list[int], purging: bool, follow: bool) -> None:
        self.devices = Devices(skews, follow=follow)
        # after a purge everything is read anew, which would hide what was lost
        self.purging = purging

    @rule(n=device, doings=st.lists(doing, min_size=2, max_size=6))
    def work(self, n: int, doings: list[Doing]) -> None:
        self.devices.work(n, doings)

    @rule(milliseconds=st.integers(1, 30 * DAY))
    def wait(self, milliseconds: int) -> None:
        self.devices.wait(milliseconds)

    @rule(away=st.sets(device, max_size=2))
    def part(self, away: set[int]) -> None:
        self.devices.part(away)

    @rule(several=st.lists(device, min_size=2, max_size=4), how=st.sampled_from(WAYS))
    def sync(self, several: list[int], how: tuple[bool, bool]) -> None:
        for n in several:
            self.devices.sync(n, take=how[0], give=how[1])

    @rule(
        several=st.lists(device, min_size=1, max_size=3),
        fuse=st.integers(0, LONGEST),
        how=st.sampled_from(WAYS),
    )
    def crash(self, several: list[int], fuse: int, how: tuple[bool, bool]) -> None:
        for n in several:
            self.devices.work(n, [("learn", n, fuse)])
            self.devices.crash(n, fuse, take=how[0], give=how[1])

    @rule(n=device, other=device)
    def hand_over(self, n: int, other: int) -> None:
        self.devices.hand_over(n, other)

    @rule(n=device)
    def lose_clone(self, n: int) -> None:
        self.devices.lose_clone(n)

    @precondition(lambda self: self.purging)
    @rule(n=device, fuse=st.none() | st.integers(0, LONGEST))
    def purge(self, n: int, fuse: int | None) -> None:
        if fuse is None:
            self.devices.sync(n, purge=True)
        else:
            self.devices.crash(n, fuse, purge=True)

    def teardown(self) -> None:
        if hasattr(self, "devices"):
            with self.devices.stack:
                self.devices.check()
                FiveDevices.ended += 1


@requirement("U193", "A18")
@pytest.mark.usefixtures("person")
def test_five_devices_come_to_the_same_notes_and_lose_nothing() -> None:
    how = settings(max_examples=sized(12, 400), stateful_step_count=sized(20, 60), deadline=None)
    before = FiveDevices.ended

    run_state_machine_as_test(FiveDevices, settings=how)

    assert FiveDevices.ended > before


def happen(devices: Devices, rng: random.Random) -> None:
    """Let one thing happen."""
    n = rng.randrange(DEVICES)
    how = dict(zip(("take", "give"), rng.choice(WAYS), strict=True))
    what = rng.choices(["work", "sync", "crash", "wait", "part", "bundle"], [84, 7, 4, 2, 2, 1])[0]
    match what:
        case "work":
            devices.work(n, [(rng.choice(VERBS), rng.randrange(10), rng.randrange(10))])
        case "sync":
            devices.sync(n, **how)
        case "crash":
            devices.crash(n, rng.randrange(LONGEST), **how)
        case "wait":
            devices.wait(rng.randrange(30 * DAY))
        case "part":
            devices.part(set(rng.sample(range(DEVICES), rng.randrange(3))))
        case _:
            devices.hand_over(n, rng.randrange(DEVICES))


@requirement("A18")
@pytest.mark.parametrize("seed", [1])
@pytest.mark.usefixtures("person")
def test_many_operations_in_one_history_converge(seed: int) -> None:
    operations = sized(400, 2_000)
    rng = random.Random(seed)
    devices = Devices([0, -60 * SECOND, 3_600 * SECOND, -365 * DAY, 365 * DAY])

    with devices.stack:
        for _ in range(operations):
            happen(devices, rng)

        devices.check()
        assert len(entries_of(devices.stores[0])) > operations / 2
