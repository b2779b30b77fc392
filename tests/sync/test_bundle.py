"""A bundle is the store in another form: nothing is lost on the way out, in, or back."""

import contextlib
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import (
    EVERY_STATUS,
    Clock,
    a_signal,
    app_of,
    bytes_under,
    learn,
    now_of,
    opened,
    raw,
)

from twiceshy.core.clock import first_clock_of
from twiceshy.core.errors import BundleError, NoteError, NotFoundError, StoreError
from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.core.history import FORGET, REBASE, WRITE, JournalEntry, fields_to_write
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.note import Note, new_id
from twiceshy.core.outcome import Outcome
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import Store, Tombstone
from twiceshy.notes.edit import edit_fields, move_note, pin_note, restore_note, retire_note
from twiceshy.notes.undo import undo_batch
from twiceshy.store import migrate, settle
from twiceshy.store.command_store import WholeStore
from twiceshy.sync import bundle
from twiceshy.sync.intake import BundleReport, merge_bundle

if TYPE_CHECKING:
    from twiceshy.app import App

SHOP = "git:" + "5" * 40
BLOG = "git:" + "b" * 40
HERE = Scope(SHOP, "release")
FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
LAYER = "Docker keeps the old layer when only the lock file changed."
KEY = "ghp_" + "aB3dE5fG7h" * 3 + "aB3dE5"

ORDER = "project alias entry signal exposure evidence outcome tally tombstone"

Opened = Callable[..., WholeStore]


@pytest.fixture
def a_device(tmp_path: Path) -> Iterator[Opened]:
    """Open stores, each on a device of its own, with a clock of its own."""
    with ExitStack() as stack:

        def call(name: str, *, at: int = NOW) -> WholeStore:
            return stack.enter_context(opened(tmp_path / name, clock=Clock(at)))

        yield call


def exported(store: Store, **scope: Any) -> bytes:
    return b"".join(bundle.write_history(app_of(store), **scope))


def light(store: Store, **scope: Any) -> bytes:
    return b"".join(bundle.write_notes(app_of(store), **scope))


def imported(store: Store, lines: bytes, **how: Any) -> BundleReport:
    return merge_bundle(
        app_of(store), bundle.read_bundle(bundle.read_lines(io.BytesIO(lines))), **how
    )


def noted(store: Store, text: str = FETCH, **fields: Any) -> Note:
    usual: dict[str, Any] = {"scope": HERE, "origin_project": SHOP}
    return learn(store, text, **usual | fields)


def wait(*stores: WholeStore, milliseconds: int) -> None:
    for store in stores:
        assert isinstance(store.clock, Clock)
        store.clock.wait(milliseconds)


def all_notes(store: Store) -> list[Note]:
    return sorted(store.notes(EVERY_STATUS, limit=-1), key=lambda note: note.id)


def handmade(*records: object) -> bytes:
    """Write a bundle the way a person would: a first line, and no last one."""
    lines = [{"twiceshy-bundle": 1}, *records]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def records(lines: bytes, kind: str) -> list[dict[str, Any]]:
    parsed = map(json.loads, lines.decode().split("\n")[:-1])
    return [line[kind] for line in parsed if kind in line]


def resealed(lines: list[bytes]) -> bytes:
    """Write the last line anew, as the first step of a careful forger."""
    counts = Counter(kind for line in lines[1:] for kind in json.loads(line))
    sha256 = hashlib.sha256(b"".join(lines)).hexdigest()
    end = {"end": True, "counts": counts, "lines": len(lines), "sha256": sha256}
    return b"".join([*lines, json.dumps(end).encode(), b"\n"])


def forged(lines: bytes, kind: str = "entry", **changes: Any) -> bytes:
    """Change the first record of a kind, and reseal the bundle."""
    first, *rest = [line for line in lines.splitlines(keepends=True) if b'"end":true' not in line]
    for at, line in enumerate(rest):
        record = json.loads(line)
        if kind in record:
            record[kind] = {k: v for k, v in (record[kind] | changes).items() if v is not ...}
            rest[at] = json.dumps(record).encode() + b"\n"
            break
    return resealed([first, *rest])


def busy(store: WholeStore) -> None:
    """Fill a store with one of everything that can be exported."""
    store.record_project(SHOP, name="shop", root="/home/u/shop", aliases=["path:/home/u/shop"])
    first = noted(store, files=("src/a.py",), concepts=("git", "标签"), why="cutting a release")
    noted(store)
    edit_fields(app_of(store), first, {"text": FETCH + " Always."})
    pin_note(app_of(store), now_of(store, first))
    retire_note(app_of(store), noted(store, LAYER, scope=Scope(BLOG, "")))
    store.forget(noted(store, "The staging password is on the wiki."))
    undo_batch(app_of(store), store.history(noted(store, "Undo me.", kind="task").id)[0].batch)
    store.increment_counter("recalls", [first.id, first.id])
    store.record_evidence(first.id, "call:1", "s", at=NOW)
    store.save_records(
        Outcome("x1", first.id, "s", SHOP, "skill", NOW, opportunity=True, failed=True, lot=100)
    )
    store.capture(
        a_signal(project=SHOP, excerpt="\x1b[31merror\x1b[0m: tag exists"),
        Exposure(key="x1", note=first.id, session="s", channel="skill", at=NOW, withheld=True),
        Episode("e1", "handoff", "s", SHOP, NOW, NOW + DAY, "Half done", requests=("go on",)),
    )


class TestTheForm:
    def test_the_same_store_gives_the_same_bytes(self, a_device: Opened) -> None:
        store = a_device("laptop")
        busy(store)

        first, second = exported(store), exported(store)

        assert first == second
        assert light(store) == light(store)

    def test_every_line_is_one_record_with_its_keys_in_order(self, a_device: Opened) -> None:
        store = a_device("laptop")
        busy(store)

        lines = exported(store).decode().splitlines()

        first, *between, last = map(json.loads, lines)
        assert first == {
            "form": "history",
            "schema": store.summarise_store().schema,
            "twiceshy-bundle": 1,
        }
        assert last["lines"] == len(lines) - 1
        assert last["counts"] == {
            "alias": 1,
            "entry": len(records(exported(store), "entry")),
            "evidence": 1,
            "exposure": 1,
            "outcome": 1,
            "project": 1,
            "signal": 1,
            "tally": 2,
            "tombstone": 1,
        }
        assert [list(line) for line in between] == sorted(
            ([key] for line in between for key in line),
            key=lambda kind: ORDER.split().index(kind[0]),
        )
        for line in lines:
            again = json.dumps(
                json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
            assert line == again

    def test_a_new_note_adds_a_line_and_changes_only_the_last_one(self, a_device: Opened) -> None:
        store = a_device("laptop")
        noted(store)
        before = exported(store).splitlines()

        noted(store, LAYER)

        after = exported(store).splitlines()
        assert after[:-2] == before[:-1]

    def test_without_history_each_note_is_one_line_in_order_of_age(self, a_device: Opened) -> None:
        store = a_device("laptop")
        busy(store)

        notes = records(light(store), "note")

        assert [note["id"] for note in notes] == [note.id for note in all_notes(store)]
        assert notes[0]["text"] == FETCH + " Always."
        assert notes[0]["concepts"] == ["git", "标签"]
        assert "trigger" not in notes[0]

    @pytest.mark.parametrize(
        ("scope", "texts"),
        [
            ({"projects": (BLOG,)}, {LAYER}),
            ({"skill": "release"}, {FETCH}),
            ({"projects": (SHOP, BLOG), "skill": ""}, {LAYER, "Everyone."}),
            ({"projects": ("*",)}, set()),
        ],
    )
    def test_a_part_of_the_store_can_be_exported(
        self, a_device: Opened, scope: dict[str, Any], texts: set[str]
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        noted(store)
        noted(store, LAYER, scope=Scope(BLOG, ""))
        noted(store, "Everyone.", scope=Scope(SHOP, ""))
        gone = noted(store, "Forgotten.")
        store.forget(gone)
        store.capture(a_signal("s1", project=SHOP, skill="release"), a_signal("s2", project=BLOG))

        imported(other, exported(store, **scope))

        assert {note.text for note in all_notes(other)} == texts
        assert {
            json.loads(line)["note"]["text"] for line in light(store, **scope).splitlines()[1:-1]
        } == texts
        assert [entry.op for entry in other.history(gone.id)] == [WRITE, FORGET]


class TestInAndOutAgain:
    @requirement("U194")
    def test_a_new_device_becomes_an_equal_store(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        busy(store)

        report = imported(other, exported(store))

        assert exported(other) == exported(store)
        assert all_notes(other) == all_notes(store)
        assert other.list_projects() == store.list_projects()
        assert other.list_project_ids("path:/home/u/shop")[1] == SHOP
        assert other.is_forgotten(HERE, a_note("The staging password is on the wiki.").fingerprint)
        assert (report.signals, report.episodes, len(report.new)) == (1, 1, 3)

    def test_importing_twice_changes_nothing(self, a_device: Opened, tmp_path: Path) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        busy(store)
        imported(other, exported(store))
        entries = other.summarise_store().entries

        report = imported(other, exported(store))

        assert other.summarise_store().entries == entries
        assert (report.new, report.changed, report.known) == ((), (), 3)

    def test_history_that_was_imported_can_be_followed(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        edit_fields(app_of(store), note, {"text": LAYER})

        imported(other, exported(store))

        told = [(entry.op, entry.after) for entry in store.history(note.id)]
        assert [(entry.op, entry.after) for entry in other.history(note.id)][:2] == told

    def test_what_waits_in_the_spool_is_exported_too(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store, sibling = a_device("laptop"), a_device("laptop")
        noted(store)
        sibling._patience = sibling._patience.but(wait_ms=1, retries=0)
        with store.change():
            sibling._db.execute("PRAGMA busy_timeout = 1")
            assert sibling.capture(a_signal(project=SHOP)) == "spooled"

        lines = exported(store)

        assert [signal["key"] for signal in records(lines, "signal")] == ["s1"]

    def test_many_notes_come_through(self, a_device: Opened) -> None:
        many = sized(300, 2_000)
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        with store.change():
            for number in range(many):
                note = a_note(
                    f"Step {number} comes before step {number + 1}.",
                    id=new_id(NOW + number, number.to_bytes(5, "big")),
                    scope=Scope((SHOP, BLOG)[number % 2], f"skill-{number % 20}"),
                )
                store.record_entry(WRITE, note.id, fields_to_write(note))

        report = imported(other, exported(store))

        assert len(report.new) == many
        assert exported(other) == exported(store)
        assert all_notes(other) == all_notes(store)


# --- any two stores

TEXTS = (FETCH, FETCH.upper(), LAYER, "Never push with force.", "Use the frozen lock file.")
VERBS = "learn learn learn edit retire restore pin move forget tally".split()
actions = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, 9), st.integers(0, 9)), max_size=7
)
Action = tuple[str, int, int]


def do(store: WholeStore, verb: str, one: int, other: int) -> None:
    """Do something that makes sense, or that the store refuses."""
    known = all_notes(store)
    scope = Scope((SHOP, EVERYWHERE)[other % 2], "")
    try:
        if verb == "learn":
            fields: dict[str, Any] = {"source": ("user", "agent")[one % 2], "scope": scope}
            noted(store, TEXTS[one % 5], kind="task" if other == 7 else "lesson", **fields)
        elif not known:
            return
        elif verb == "edit":
            edit_fields(app_of(store), known[one % len(known)], {"text": TEXTS[other % 5]})
        elif verb == "move":
            move_note(app_of(store), known[one % len(known)], scope)
        elif verb == "tally":
            store.increment_counter("recalls", [known[one % len(known)].id])
        else:
            act: dict[str, Callable[[App, Note], object]] = {
                "retire": retire_note,
                "restore": restore_note,
                "pin": pin_note,
                "forget": lambda app, note: app.store.forget(note),
            }
            act[verb](app_of(store), known[one % len(known)])
    except (AssertionError, NoteError, NotFoundError, StoreError):
        return  # forgotten on request, or said already: a refusal is an answer


class Devices:
    """Two stores that began as one, and went on apart."""

    def __init__(self, folder: Path, stack: ExitStack, *doings: list[Action]) -> None:
        at = NOW
        self.one, self.other = (
            stack.enter_context(opened(folder / name, clock=Clock(at + offset)))
            for name, offset in (("one", 0), ("other", -60 * SECOND))
        )
        together, apart, elsewhere = doings
        for action in together:
            do(self.one, *action)
        imported(self.other, exported(self.one), trust=True)
        for action in apart:
            do(self.one, *action)
        for action in elsewhere:
            do(self.other, *action)

    def exchange(self) -> None:
        """Let each import what the other was before."""
        mine, theirs = exported(self.one), exported(self.other)
        imported(self.one, theirs, trust=True)
        imported(self.other, mine, trust=True)


class TestAnyTwoStores:
    @settings(max_examples=40)
    @given(actions)
    def test_export_and_import_is_always_the_identity(self, doings: list[Action]) -> None:
        with TemporaryDirectory() as folder, ExitStack() as stack:
            one = stack.enter_context(opened(Path(folder) / "one"))
            other = stack.enter_context(opened(Path(folder) / "other", clock=Clock(NOW + DAY)))
            for action in doings:
                do(one, *action)

            imported(other, exported(one))

            assert exported(other) == exported(one)
            assert all_notes(other) == all_notes(one)

    @requirement("U193", "A18")
    @settings(max_examples=60)
    @example([("learn", 0, 0), ("move", 0, 1)], [("learn", 1, 0)], [("forget", 0, 0)])
    @example([("learn", 0, 0), ("forget", 0, 0)], [], [("learn", 0, 0)])
    @example([("learn", 0, 0)], [("move", 0, 1)], [("learn", 0, 1), ("move", 1, 0)])
    @example([("learn", 7, 7)], [("learn", 7, 7), ("forget", 0, 0)], [("forget", 0, 0)])
    @example([("learn", 1, 6), ("forget", 0, 8)], [], [("learn", 5, 3)])
    @example([("learn", 4, 6), ("learn", 1, 6), ("forget", 1, 0)], [], [("edit", 0, 0)])
    @example(
        [("learn", 1, 6), ("move", 6, 6), ("learn", 4, 8), ("forget", 2, 8), ("pin", 4, 4)],
        [("edit", 3, 1), ("retire", 3, 6)],
        [("tally", 5, 8), ("restore", 3, 1), ("learn", 5, 3)],
    )
    @example([("learn", 1, 6)], [("forget", 0, 0), ("learn", 0, 6)], [])
    @example(
        [("learn", 1, 6), ("learn", 4, 6)],
        [("forget", 0, 0), ("learn", 0, 6), ("forget", 0, 0)],
        [],
    )
    @example([], [("learn", 1, 6), ("forget", 0, 0)], [("learn", 1, 3)])
    @example([("learn", 1, 6)], [("learn", 1, 3)], [("forget", 0, 0)])
    @given(actions, actions, actions)
    def test_two_devices_always_come_to_the_same_notes_whoever_imports_first(
        self, together: list[Action], apart: list[Action], elsewhere: list[Action]
    ) -> None:
        with TemporaryDirectory() as folder, ExitStack() as stack:
            devices = Devices(Path(folder), stack, together, apart, elsewhere)

            devices.exchange()
            both = [note for note in all_notes(devices.one) if note in all_notes(devices.other)]
            if "forget" in [verb for verb, *_ in apart + elsewhere]:
                devices.exchange()  # what one took out as forgotten words, the other takes out now

            notes = all_notes(devices.one)
            assert notes == both
            assert all_notes(devices.other) == notes
            devices.exchange()
            devices.exchange()
            assert all_notes(devices.one) == all_notes(devices.other) == notes
            assert (
                settle.list_drifted_notes(devices.one._db)
                == settle.list_drifted_notes(devices.other._db)
                == []
            )


class TestLearnedAgain:
    """Words that are learned again by who knows that they were forgotten."""

    @requirement("U193")
    @pytest.mark.parametrize("skew", [-120 * SECOND, 0, 60 * SECOND, DAY])
    @pytest.mark.parametrize("scope", [HERE, Scope(EVERYWHERE, "")])
    def test_what_a_person_learns_again_is_kept_on_every_device(
        self, a_device: Opened, skew: int, scope: Scope
    ) -> None:
        laptop, desktop = a_device("laptop"), a_device("desktop", at=NOW + skew)
        server = a_device("server", at=NOW + 2 * skew)
        note, spare = noted(laptop), noted(laptop, LAYER)
        for other in (desktop, server):
            imported(other, exported(laptop))

        laptop.forget(note)
        imported(desktop, exported(laptop))
        again = noted(desktop, scope=scope, source="user")
        laptop.forget(spare)
        for to, source in ((server, desktop), (laptop, server), (desktop, laptop)) * 2:
            imported(to, exported(source))

        for store in (laptop, desktop, server):
            assert [(each.id, each.text) for each in all_notes(store)] == [(again.id, FETCH)]

    def test_words_that_another_device_learns_before_it_hears_of_it_are_forgotten_there_too(
        self, a_device: Opened
    ) -> None:
        laptop, desktop = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(laptop)
        imported(desktop, exported(laptop))
        laptop.forget(note)
        noted(desktop, scope=Scope(EVERYWHERE, ""))

        for to, source in ((desktop, laptop), (laptop, desktop)):
            imported(to, exported(source))

        assert all_notes(laptop) == all_notes(desktop) == []


class TestTwins:
    """The same words under two ids, learned on two devices."""

    @requirement("U104")
    def test_two_notes_that_say_the_same_become_the_older_one_with_added_sightings(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        older = noted(store, sightings=2)
        younger = noted(other, FETCH.upper(), sightings=3)
        noted(other, FETCH.upper())

        report = imported(other, exported(store))

        kept, gone = now_of(other, older), now_of(other, younger)
        assert (kept.sightings, kept.status, kept.superseded_by) == (6, "active", "")
        assert (gone.status, gone.superseded_by) == ("retired", older.id)
        assert report.merged == ((younger.id, older.id),)
        assert kept.days == 2

    def test_both_devices_count_the_same_however_often_they_exchange(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        older, _ = noted(store), noted(other)
        mine, theirs = exported(store), exported(other)
        imported(store, theirs)
        imported(other, mine)
        noted(store)

        for _ in range(3):
            mine, theirs = exported(store), exported(other)
            imported(store, theirs)
            imported(other, mine)

        assert now_of(store, older).sightings == now_of(other, older).sightings == 3
        assert all_notes(store) == all_notes(other)

    def test_sightings_of_the_younger_that_arrive_later_count_for_the_older(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        older, younger = noted(store), noted(other)
        imported(store, exported(other))
        noted(other)
        assert now_of(other, younger).sightings == 2

        imported(store, exported(other))

        assert now_of(store, older).sightings == 3

    def test_three_devices_agree_in_whatever_order_they_meet(self, a_device: Opened) -> None:
        names = ("laptop", "desktop", "server")
        stores = [a_device(name, at=NOW + day * DAY) for day, name in enumerate(names)]
        oldest, *_ = [noted(store, sightings=2**day) for day, store in enumerate(stores)]

        for to, source in ((1, 2), (0, 1), (2, 0), (1, 0), (0, 2), (2, 1)):
            imported(stores[to], exported(stores[source]))

        assert [now_of(store, oldest).sightings for store in stores] == [7, 7, 7]
        assert all_notes(stores[0]) == all_notes(stores[1]) == all_notes(stores[2])

    def test_nothing_is_shown_less_because_its_older_twin_was_retired(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        older = noted(store)
        retire_note(app_of(store), older)
        pin_note(app_of(other), noted(other))

        imported(other, exported(store))

        kept = now_of(other, older)
        assert (kept.status, kept.pinned) == ("active", True)

    def test_notes_that_exchanged_their_words_elsewhere_are_both_kept(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        one, two = noted(store, FETCH), noted(store, LAYER)
        imported(other, exported(store))
        for note, text in ((one, "Aside."), (two, FETCH), (one, LAYER)):
            edit_fields(app_of(store), now_of(store, note), {"text": text})

        imported(other, exported(store))

        assert [now_of(other, note).text for note in (one, two)] == [LAYER, FETCH]

    def test_tasks_may_say_the_same(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        tasks = [noted(device, "Write tests.", kind="task") for device in (store, other)]

        imported(other, exported(store))

        assert [now_of(other, task).status for task in tasks] == ["active", "active"]

    def test_notes_that_superseded_each_other_on_two_devices_do_not_both_vanish(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        one, two = noted(store), noted(store, LAYER)
        imported(other, exported(store))
        for device, old, new in ((store, one, two), (other, two, one)):
            with device.change():
                gone = {"superseded_by": new.id, "status": "retired"}
                device.record_entry("supersede", old.id, gone, before={"superseded_by": ""})
        mine, theirs = exported(store), exported(other)

        imported(store, theirs)
        imported(other, mine)

        assert now_of(store, one).status == "active"
        assert all_notes(store) == all_notes(other)


class TestForgetting:
    def test_a_note_forgotten_here_does_not_come_back_through_an_old_bundle(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store, "The wiki holds the staging login.")
        old = exported(store)
        imported(other, old)
        other.forget(now_of(other, note))
        edit_fields(app_of(store), note, {"why": "the login is staging"})

        imported(other, exported(store))
        imported(other, old)

        other.close()
        assert not any(b"staging" in kept for kept in bytes_under(tmp_path / "desktop").values())

    def test_what_was_counted_about_a_forgotten_note_does_not_come_back_either(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        busy(store)
        imported(other, exported(store))
        for note in all_notes(other):
            other.forget(note)

        imported(other, exported(store))

        lines = exported(other)
        assert records(lines, "tally") == records(lines, "exposure") == []
        assert all_notes(other) == []

    def test_forgetting_travels_and_erases_the_text_here(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store, "The wiki holds the staging login.")
        imported(other, exported(store))
        edited = edit_fields(app_of(other), now_of(other, note), {"text": "Staging: see wiki."})
        migrate.back_up(other.path, 1, now=NOW)
        store.forget(note)

        report = imported(other, exported(store))

        assert report.forgotten == (note.id,)
        assert other.note(note.id) is None
        assert other.is_forgotten(HERE, note.fingerprint)
        assert other.is_forgotten(HERE, edited.fingerprint)
        other.close()
        assert not any(b"staging" in kept for kept in bytes_under(tmp_path / "desktop").values())

    def test_words_forgotten_on_one_device_are_forgotten_under_any_id(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        duplicate = noted(other)
        store.forget(noted(store, learned_at=NOW))
        mine, theirs = exported(store), exported(other)

        here, there = imported(store, theirs), imported(other, mine)

        assert here.refused == {duplicate.id: "it was forgotten here"}
        assert there.forgotten == (duplicate.id,)
        assert all_notes(store) == all_notes(other) == []

    def test_what_its_user_wrote_again_after_forgetting_it_stays(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW - 60 * SECOND)
        store.forget(noted(store))
        imported(other, exported(store))
        again = noted(other)

        imported(store, exported(other))
        imported(other, exported(store))

        assert all_notes(store) == all_notes(other) == [again]

    def test_a_note_that_was_given_forgotten_words_on_purpose_stays(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        store.forget(noted(store))
        imported(other, exported(store))
        note = noted(other, LAYER, source="agent")
        edited = edit_fields(app_of(other), note, {"text": FETCH})

        imported(store, exported(other))
        imported(other, exported(store))

        assert all_notes(store) == all_notes(other) == [edited]

    def test_forgetting_one_of_two_equal_tasks_leaves_the_other(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        mine = noted(other, "Write tests.", kind="task")
        store.forget(noted(store, "Write tests.", kind="task"))

        imported(other, exported(store))

        assert all_notes(other) == [mine]

    def test_a_note_without_history_does_not_bring_forgotten_words_back(
        self, a_device: Opened
    ) -> None:
        store = a_device("laptop")
        note = noted(store)
        lines = light(store)
        store.forget(note)

        report = imported(store, lines)

        assert report.refused == {note.id: "it was forgotten here"}
        assert all_notes(store) == []

    def test_the_undo_of_an_import_does_not_fail_because_something_was_forgotten(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        noted(store)
        store.forget(noted(store, LAYER))
        noted(other, LAYER, source="agent")
        assert len(imported(other, exported(store)).forgotten) == 1

        undo_batch(app_of(other))

        assert [note.status for note in all_notes(other)] == ["retired"]


class TestRules:
    RULE = "Never push with force to main."

    def test_a_rule_from_elsewhere_waits_for_approval(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        rule = noted(store, self.RULE, kind="rule")

        report = imported(other, exported(store))

        waiting = now_of(other, rule)
        assert report.waiting == (rule.id,)
        assert waiting.status == "quarantined"
        assert waiting.reason.endswith(f"approve with: twiceshy restore {rule.handle}")

    def test_trust_lets_it_in_at_once(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        rule = noted(store, self.RULE, kind="rule")

        report = imported(other, exported(store), trust=True)

        assert report.waiting == ()
        assert now_of(other, rule).status == "active"

    def test_waiting_here_changes_nothing_where_the_rule_came_from(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        rule = noted(store, self.RULE, kind="rule")
        imported(other, exported(store))

        report = imported(store, exported(other))

        assert (report.waiting, report.changed) == ((), ())
        assert now_of(store, rule) == rule

    @pytest.mark.usefixtures("person")
    def test_a_rule_that_was_approved_stays_so_until_someone_changes_it(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        rule = noted(store, self.RULE, kind="rule")
        imported(other, exported(store))
        restore_note(app_of(other), now_of(other, rule))
        noted(store, self.RULE, kind="rule")
        assert imported(other, exported(store)).waiting == ()
        wait(store, other, milliseconds=2 * DAY)
        edit_fields(app_of(store), now_of(store, rule), {"text": "Always push with force."})

        report = imported(other, exported(store))

        assert report.waiting == (rule.id,)
        assert now_of(other, rule).status == "quarantined"

    def test_a_rule_that_is_followed_here_already_goes_on(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        older = noted(store, self.RULE, kind="rule")
        noted(other, self.RULE, kind="rule")

        report = imported(other, exported(store))

        assert report.waiting == ()
        assert now_of(other, older).status == "active"

    def test_undoing_the_import_does_not_let_a_waiting_rule_be_learned_back(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        rule = noted(store, self.RULE, kind="rule")
        imported(other, exported(store))

        undo_batch(app_of(other))

        undone = now_of(other, rule)
        assert (undone.status, undone.reason) == ("quarantined", "import undone")

    @pytest.mark.parametrize(("trust", "status"), [(False, "quarantined"), (True, "active")])
    def test_a_rule_without_history_waits_as_well(
        self, a_device: Opened, trust: bool, status: str
    ) -> None:
        store = a_device("laptop")
        lines = handmade({"note": {"kind": "rule", "text": self.RULE}})

        report = imported(store, lines, trust=trust)

        assert len(report.waiting) == (not trust)
        assert [note.status for note in all_notes(store)] == [status]

    def test_a_restored_backup_still_waits_for_what_was_not_approved(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        copy = a_device("copy", at=NOW + 2 * DAY)
        rule = noted(store, self.RULE, kind="rule")
        imported(other, exported(store))

        imported(copy, exported(other), trust=True)

        assert now_of(copy, rule).status == "quarantined"
        assert exported(copy) == exported(other)


class TestUndo:
    @requirement("U109")
    def test_undo_takes_a_whole_import_back_and_redo_brings_it_again(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        busy(store)
        own = noted(other, "Mine stays.")
        imported(other, exported(store))
        arrived = [note for note in all_notes(other) if note != own]

        undo_batch(app_of(other))

        assert {note.status for note in all_notes(other) if note.id != own.id} == {"retired"}
        assert now_of(other, own) == own
        undo_batch(app_of(other), redo=True)
        assert all_notes(other) == sorted([*arrived, own], key=lambda note: note.id)

    def test_undo_brings_back_what_an_import_changed(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        imported(other, exported(store))
        before = now_of(other, note)
        wait(store, other, milliseconds=2 * DAY)
        edit_fields(app_of(store), note, {"text": LAYER, "why": "caching"})
        imported(other, exported(store))
        assert now_of(other, note).text == LAYER

        undo_batch(app_of(other))

        assert now_of(other, note).but(revision=1) == before

    @pytest.mark.parametrize("older_is_here", [True, False])
    def test_undo_takes_twins_apart_again(self, a_device: Opened, older_is_here: bool) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        wait(store if older_is_here else other, milliseconds=DAY)
        noted(store, sightings=2)
        mine = noted(other, sightings=3)
        wait(other, milliseconds=2 * DAY)
        imported(other, exported(store))

        undo_batch(app_of(other))

        assert now_of(other, mine) == mine
        assert sum(note.status == "active" for note in all_notes(other)) == 1

    def test_undo_gives_words_back_that_another_note_arrived_with(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        imported(other, exported(store))
        wait(store, other, milliseconds=2 * DAY)
        edit_fields(app_of(store), note, {"text": LAYER})
        arrived = noted(store)
        imported(other, exported(store))

        undo_batch(app_of(other))

        assert now_of(other, note).text == now_of(other, arrived).text == FETCH
        assert (now_of(other, note).status, now_of(other, arrived).status) == ("active", "retired")

    def test_undoing_an_import_retires_nothing_where_the_notes_came_from(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        imported(other, exported(store))
        undo_batch(app_of(other))

        report = imported(store, exported(other))

        assert report.changed == ()
        assert now_of(store, note) == note

    def test_an_import_that_was_undone_is_still_undone_in_a_copy(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        copy = a_device("copy", at=NOW + 2 * DAY)
        noted(store)
        imported(other, exported(store))
        undo_batch(app_of(other))

        imported(copy, exported(other))

        assert all_notes(copy) == all_notes(other)
        assert exported(copy) == exported(other)

    def test_notes_without_history_can_be_undone(self, a_device: Opened) -> None:
        store = a_device("laptop")
        imported(store, handmade({"note": {"text": FETCH}}, {"note": {"text": LAYER}}))

        undo_batch(app_of(store))

        assert {note.status for note in all_notes(store)} == {"retired"}


class TestPlan:
    def test_a_plan_tells_the_truth_and_writes_nothing(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store = a_device("laptop")
        busy(store)
        with opened(tmp_path / "desktop", clock=Clock(NOW + DAY)) as other:
            noted(other, FETCH + " Always.")
            noted(other, "Never push with force.", kind="rule")
        before = bytes_under(tmp_path / "desktop")

        with opened(tmp_path / "desktop", clock=Clock(NOW + DAY)) as other:
            planned = imported(other, exported(store), plan=True)

        assert bytes_under(tmp_path / "desktop") == before
        with opened(tmp_path / "desktop", clock=Clock(NOW + DAY)) as other:
            assert imported(other, exported(store)) == planned
        assert (len(planned.new), len(planned.merged)) == (3, 1)

    def test_a_plan_on_a_store_that_was_never_used_leaves_it_without_a_name(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        noted(store)

        imported(other, exported(store), plan=True)

        assert other.device == ""
        noted(other)
        assert other.history(all_notes(other)[0].id)[0].device == other.device != ""


class TestSecrets:
    @requirement("U161")
    def test_a_secret_that_got_into_the_database_does_not_leave_it(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store = a_device("laptop")
        busy(store)
        with raw(tmp_path / "laptop" / "twiceshy.db") as db:
            for planted in (
                f"UPDATE payloads SET body = json_set(body, '$.text', 'use {KEY}')",
                f"UPDATE notes SET text = 'use {KEY}', why = '{KEY}', files = '[\"{KEY}\"]'",
                f"UPDATE signals SET excerpt = 'saw {KEY}', target = '{KEY}'",
                f"UPDATE projects SET root = '/home/u/{KEY}', name = '{KEY}'",
                f"UPDATE aliases SET alias = 'path:/home/{KEY}'",
            ):
                assert db.execute(planted).rowcount

        lines = exported(store) + light(store)

        assert KEY.encode() not in lines
        assert lines.count(b"[REDACTED:") > 5

    def test_a_secret_in_a_bundle_does_not_get_in_and_is_reported(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store, "Use PLACEHOLDER for the release.")
        full = exported(store).replace(b"PLACEHOLDER", KEY.encode())
        bare = light(store).replace(b"PLACEHOLDER", KEY.encode())

        for lines in (full, bare):
            report = imported(other, resealed(lines.splitlines(keepends=True)[:-1]))

            assert report.secrets == (note.id,)
        assert "[REDACTED:" in now_of(other, note).text
        other.close()
        assert not any(KEY.encode() in kept for kept in bytes_under(tmp_path).values())


class TestClocks:
    def test_an_entry_from_the_future_counts_from_when_it_was_received(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        wait(store, milliseconds=400 * DAY)
        edit_fields(app_of(store), note, {"text": LAYER})
        imported(other, exported(store))

        edited = edit_fields(app_of(other), now_of(other, note), {"text": "Edited later."})

        assert edited.text == "Edited later."
        assert [entry.op for entry in other.history(note.id)].count(REBASE) == 1
        imported(other, exported(store))
        assert [entry.op for entry in other.history(note.id)].count(REBASE) == 1
        third = a_device("third", at=NOW + 2 * DAY)
        imported(third, exported(other))
        assert exported(third) == exported(other)

    def test_the_clock_moves_past_what_was_imported(self, a_device: Opened) -> None:
        store, other = a_device("laptop", at=NOW + 60 * SECOND), a_device("desktop")
        note = noted(store)

        imported(other, exported(store))

        assert other.history(limit=1)[0].device == other.device
        assert other.history(limit=1)[0].clock > store.history(note.id)[0].clock

    def test_a_bundle_cannot_take_the_place_of_entries_to_come(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop")
        noted(store)
        noted(other, LAYER)
        lines = forged(exported(store), device=other.device, clock=first_clock_of(NOW + DAY))

        report = imported(other, lines)

        assert list(report.refused.values()) == [
            "entry has this device's id and a timestamp in the future"
        ]
        assert [note.text for note in all_notes(other)] == [LAYER]


class TestTallies:
    def test_each_device_counts_for_itself_and_only_up(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        store.increment_counter("recalls", [note.id])
        old = exported(store)
        imported(other, old)
        store.increment_counter("recalls", [note.id, note.id])
        other.increment_counter("recalls", [note.id])

        imported(other, exported(store))
        imported(other, old)

        assert now_of(other, note).recalls == 4


class TestWithoutHistory:
    def test_a_new_store_gets_the_notes_as_they_are(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        busy(store)

        imported(other, light(store))

        as_written = {"days": 1, "revision": 1, "recalls": 0}
        assert all_notes(other) == [note.but(**as_written) for note in all_notes(store)]
        assert light(other) == light(store)

    @pytest.mark.parametrize("kind", ["lesson", "task", "page"])
    def test_importing_twice_changes_nothing(self, a_device: Opened, kind: str) -> None:
        store = a_device("laptop")
        lines = handmade({"note": {"text": FETCH, "kind": kind, "tag": "git"}})
        imported(store, lines)
        entries = store.summarise_store().entries

        report = imported(store, lines)

        assert (report.new, report.known) == ((), 1)
        assert store.summarise_store().entries == entries

    def test_a_note_that_is_known_stays_as_it_is(self, a_device: Opened) -> None:
        store = a_device("laptop")
        note = noted(store)
        lines = light(store)
        edited = edit_fields(app_of(store), note, {"text": LAYER})

        report = imported(store, lines)

        assert report.known == 1
        assert all_notes(store) == [edited]

    def test_a_line_by_hand_needs_nothing_but_a_text(self, a_device: Opened) -> None:
        store = a_device("laptop")

        imported(store, handmade({"note": {"text": FETCH}}))

        (note,) = all_notes(store)
        assert (note.kind, note.subtype, note.status) == ("lesson", "gotcha", "active")
        assert (note.source, note.trust, note.scope) == ("import", 0.5, Scope())
        assert note.written_at == note.learned_at > NOW

    def test_the_example_in_the_documentation_can_be_imported(self, a_device: Opened) -> None:
        store = a_device("laptop")
        page = Path(__file__).parents[2] / "docs" / "bundle.md"
        (example,) = re.findall(r"```jsonl by hand\n(.*?)```", page.read_text("utf-8"), re.DOTALL)

        report = imported(store, example.encode())

        assert len(report.new) == len(example.splitlines()) - 1
        assert report.refused == {}

    def test_history_that_arrives_later_has_the_last_word(self, a_device: Opened) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        imported(other, light(store))
        edited = edit_fields(app_of(store), note, {"text": LAYER})

        imported(other, exported(store))

        assert now_of(other, note).text == edited.text

    def test_a_copy_without_history_counts_nothing_where_the_note_came_from(
        self, a_device: Opened
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note = noted(store)
        imported(other, light(store))

        report = imported(store, exported(other))

        assert report.changed == ()
        assert now_of(store, note) == note

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"text": "a\u202eb"}, "invisible"),
            ({"text": " "}, "empty"),
            ({"text": "x" * 9_000}, "characters"),
            ({"text": "x", "kind": "poem"}, "poem"),
            ({"text": "x", "project": "../etc"}, "project"),
            ({"text": "x", "project": "demo"}, "project"),
            ({"text": "x", "skill": "../../bin"}, "skill"),
            ({"text": "x", "skill": "r\u0435lease"}, "skill"),
            ({"text": "x", "status": "immortal"}, "immortal"),
            ({"text": "x", "source": "oracle"}, "oracle"),
            ({"text": "x", "kind": "task", "subtype": "gotcha"}, "gotcha"),
            ({"text": "x", "kind": "page"}, "name"),
        ],
    )
    def test_an_unfit_note_is_left_out_with_a_reason_and_the_rest_comes_in(
        self, a_device: Opened, fields: dict[str, Any], why: str
    ) -> None:
        store = a_device("laptop")

        report = imported(store, handmade({"note": fields}, {"note": {"text": FETCH}}))

        (reason,) = report.refused.values()
        assert why in reason
        assert [note.text for note in all_notes(store)] == [FETCH]


class TestHostileBundles:
    @pytest.fixture
    def sound(self, a_device: Opened) -> bytes:
        store = a_device("laptop")
        busy(store)
        return exported(store)

    @pytest.mark.parametrize(
        ("broken", "complaint"),
        [
            (lambda b: b"", "empty"),
            (lambda b: b"\n", "not a bundle"),
            (lambda b: b"# Notes\n\n- a note\n", "not a bundle"),
            (lambda b: b"[1]\n" + b, "not a bundle"),
            (lambda b: b'{"twiceshy-bundle":true}\n', "not a bundle"),
            (lambda b: b'{"twiceshy-bundle":"1"}\n', "not a bundle"),
            (lambda b: b'{"twiceshy-bundle":0}\n', "not a bundle"),
            (lambda b: b.split(b"\n", 1)[1], "not a bundle"),
            (lambda b: b'{"twiceshy-bundle":2}\n', "form 2"),
            (lambda b: b[: len(b) // 2], "line"),
            (lambda b: b[: b.rindex(b"\n", 0, -1) + 1], "cut off after line"),
            (lambda b: b"\n".join(b.split(b"\n")[:3]) + b"\n", "cut off after line 3"),
            (lambda b: b.replace(b"Always", b"Seldom"), "changed"),
            (lambda b: b.replace(b"\n", b"\r\n"), "changed"),
            (lambda b: b + b, "after the end"),
            (lambda b: b + b"\n", "after the end"),
            (lambda b: b.replace(b"Always", b"Al\xffays"), "not valid UTF-8"),
            (lambda b: b.replace(b"Always", b"Al\0ays"), "not JSON"),
            (lambda b: b.replace(b"Always", b'Al"ays'), "not JSON"),
            (lambda b: handmade() + b"[" * 100_000 + b"\n", "line 2 is not JSON"),
            (lambda b: handmade() + b'{"note":' + b'{"a":' * 50_000 + b"\n", "line 2 is not JSON"),
            (lambda b: handmade() + b'{"note":{"trust":NaN,"text":"x"}}\n', "not JSON"),
            (lambda b: handmade() + b'{"note":{"sightings":' + b"9" * 9_999 + b"}}", "not JSON"),
            (lambda b: handmade() + b'{"note":{"text":"' + b"x" * 4_000_000 + b'"}}', "longer"),
            (lambda b: handmade("text"), "line 2 is not a record"),
            (lambda b: handmade({}), "line 2 is not one record"),
            (lambda b: handmade({"note": {"text": "x"}, "entry": {}}), "not one record"),
            (lambda b: handmade({"note": ["x"]}), "line 2"),
            (lambda b: handmade({"note": {}}), "no text"),
            (lambda b: handmade({"note": {"text": 5}}), "'text' cannot be"),
            (lambda b: handmade({"note": {"text": None}}), "'text' cannot be"),
            (lambda b: handmade({"note": {"text": "a\0b"}}), "'text' cannot be"),
            (lambda b: handmade({"note": {"text": "a\ud800b"}}), "'text' cannot be"),
            (lambda b: handmade({"note": {"text": "x", "files": "a"}}), "'files' cannot be"),
            (lambda b: handmade({"note": {"text": "x", "files": [["a"]]}}), "'files' cannot be"),
            (lambda b: handmade({"note": {"text": "x", "pinned": 1}}), "'pinned' cannot be"),
            (lambda b: handmade({"note": {"text": "x", "trust": 2}}), "'trust' cannot be"),
            (lambda b: handmade({"note": {"text": "x", "learned_at": -1}}), "'learned_at'"),
            (lambda b: handmade({"note": {"text": "x", "learned_at": 1.5}}), "'learned_at'"),
            (lambda b: handmade({"note": {"text": "x", "sightings": 10**12}}), "'sightings'"),
            (lambda b: handmade({"note": {"text": "x", "id": "../x"}}), "cannot be a note"),
            (lambda b: handmade({"note": {"text": "x", "colour": "red"}}), "no field 'colour'"),
            (lambda b: forged(b, clock="1"), "'clock' cannot be"),
            (lambda b: forged(b, clock=2**63), "'clock' cannot be"),
            (lambda b: forged(b, clock=True), "'clock' cannot be"),
            (lambda b: forged(b, clock=...), "lacks 'clock'"),
            (lambda b: forged(b, at=2**50), "'at' cannot be"),
            (lambda b: forged(b, object="x1"), "cannot be a object"),
            (lambda b: forged(b, object="n/../x"), "cannot be a object"),
            (lambda b: forged(b, device="a b"), "cannot be a device"),
            (lambda b: forged(b, batch="{"), "cannot be a batch"),
            (lambda b: forged(b, op="{}"), "cannot be a op"),
            (lambda b: forged(b, refers="x"), "cannot be a refers"),
            (lambda b: forged(b, after=[]), "'after' cannot be"),
            (lambda b: forged(b, after={"text": "x"}), "is not what writes"),
            (lambda b: forged(b, op="edit"), "is not what writes"),
            (lambda b: forged(b, after={"seq": 1}), "'seq' cannot be"),
            (lambda b: forged(b, after={"seq": "1"}), "no field 'seq'"),
            (lambda b: forged(b, object="e1"), "no field"),
            (lambda b: forged(b, "tally", name="DROP TABLE"), "cannot be a tally"),
            (lambda b: forged(b, "tally", count=10**18), "'count' cannot be"),
            (lambda b: forged(b, "tombstone", fingerprint="x"), "cannot be a fingerprint"),
            (lambda b: forged(b, "exposure", note="x1"), "cannot be a object"),
            (lambda b: forged(b, "signal", excerpt=["x"]), "'excerpt' cannot be"),
        ],
    )
    def test_a_bundle_that_no_store_wrote_is_refused_and_nothing_is_changed(
        self,
        a_device: Opened,
        tmp_path: Path,
        sound: bytes,
        broken: Callable[[bytes], bytes],
        complaint: str,
    ) -> None:
        with opened(tmp_path / "desktop") as other:
            noted(other)
        before = bytes_under(tmp_path / "desktop")

        with opened(tmp_path / "desktop") as other, pytest.raises(BundleError) as refusal:
            imported(other, broken(sound))

        assert complaint in str(refusal.value)
        assert refusal.value.hint
        assert bytes_under(tmp_path / "desktop") == before

    @given(st.data())
    def test_damage_to_a_bundle_is_always_noticed(self, sound: bytes, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(sound) - 1))
        damage = data.draw(st.binary(max_size=3))

        try:
            found = bundle.read_bundle(bundle.read_lines(io.BytesIO(sound[:at] + damage)))
        except BundleError:
            found = None
        try:
            other = bundle.read_bundle(
                bundle.read_lines(io.BytesIO(sound[:at] + damage + sound[at + 1 :]))
            )
        except BundleError:
            other = None

        whole = list(bundle.read_bundle(bundle.read_lines(io.BytesIO(sound))).iterate_records())
        assert found is None or list(found.iterate_records()) == whole
        assert other is None or list(other.iterate_records()) == whole

    @given(st.binary(max_size=200), st.lists(st.text(max_size=30), max_size=4))
    def test_whatever_the_file_holds_it_is_read_or_refused(
        self, noise: bytes, words: list[str]
    ) -> None:
        for lines in (noise, handmade() + noise, handmade(*({word: words} for word in words))):
            with contextlib.suppress(BundleError):
                bundle.read_bundle(bundle.read_lines(io.BytesIO(lines)))

    def test_a_history_that_does_not_add_up_is_refused_as_a_whole(self, a_device: Opened) -> None:
        store = a_device("laptop")
        beginning = {"clock": 1, "device": "d", "batch": "b", "op": "edit", "at": 1}
        lines = handmade(
            {"note": {"text": FETCH}},
            {"entry": beginning | {"object": "e1", "after": {"title": "No beginning"}}},
        )

        with pytest.raises(BundleError, match="does not add up"):
            imported(store, lines)

        assert all_notes(store) == []

    def test_changes_to_a_note_that_nobody_wrote_make_no_note(self, a_device: Opened) -> None:
        store = a_device("laptop")
        change = {"clock": 1, "device": "d", "batch": "b", "op": "edit", "at": 1, "object": "n1"}

        imported(store, handmade({"entry": change | {"after": {"text": "Boo."}}}))

        assert all_notes(store) == []

    def test_kinds_of_records_to_come_are_skipped_and_counted(self, a_device: Opened) -> None:
        store = a_device("laptop")
        unknown = {"dream": {"about": "sheep"}}

        report = imported(store, handmade(unknown, {"note": {"text": FETCH}}, unknown))

        assert report.skipped == {"dream": 2}
        assert [note.text for note in all_notes(store)] == [FETCH]

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"project": "/etc/passwd"}, "cannot be a project"),
            ({"skill": "a/b"}, "skill"),
            ({"skill": " release"}, "canonical"),
            ({"text": "zero\u200bwidth"}, "invisible"),
            ({"status": "undead"}, "undead"),
            ({"kind": "spell"}, "spell"),
            ({"why": "y" * 17_000}, "17,000 characters"),
        ],
    )
    def test_a_note_with_an_unfit_entry_is_left_out_with_all_its_entries(
        self, a_device: Opened, fields: dict[str, str], why: str
    ) -> None:
        store, other = a_device("laptop"), a_device("desktop", at=NOW + DAY)
        note, fine = noted(store), noted(store, LAYER)
        with store.change():
            store.record_entry("edit", note.id, fields)

        report = imported(other, exported(store))

        assert why in report.refused[note.id]
        assert other.history(note.id) == []
        assert [note.id for note in all_notes(other)] == [fine.id]

    def test_an_observation_that_is_unfit_is_left_out_by_its_line(self, a_device: Opened) -> None:
        store = a_device("laptop")
        store.capture(a_signal("s1", project=SHOP), a_signal("s2", project="somewhere"))
        other = a_device("desktop")

        report = imported(other, exported(store))

        assert report.refused == {"line 3": "'somewhere' cannot be a project"}
        assert report.signals == 1


class TestTheStore:
    """What a store must do for all this; the rest is built on it."""

    def test_it_gives_only_what_was_asked_for(self, a_device: Opened) -> None:
        store = a_device("laptop")
        busy(store)

        graves = list(store.export_records(only=(Tombstone,)))

        assert [type(grave) for grave in graves] == [Tombstone]

    def test_what_is_written_meanwhile_is_not_seen(self, a_device: Opened, tmp_path: Path) -> None:
        store = a_device("laptop")
        noted(store)
        reading_it = store.export_records(only=(JournalEntry, Signal))
        first = next(reading_it)
        with opened(tmp_path / "laptop") as sibling:
            noted(sibling, LAYER)
            sibling.capture(a_signal(project=SHOP))

        rest = list(reading_it)

        assert isinstance(first, JournalEntry)
        assert rest == []

    def test_a_tombstone_names_the_notes_that_say_what_it_forbids(self, a_device: Opened) -> None:
        store = a_device("laptop")
        note = noted(store)
        graves = [Tombstone(SHOP, "release", note.fingerprint, at) for at in (5, 9, 7)]

        concerned = store.import_records(graves)

        assert concerned == [note.id]
        assert list(store.export_records(only=(Tombstone,))) == [graves[1]]
