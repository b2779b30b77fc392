"""How every store stays small without changing what can be asked; only the port is used."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.test_learning import a_reading
from tests.contracts.test_sessions import a_session, a_use
from tests.core.builders import NOW
from tests.effect.outcomes import an_outcome
from tests.requirements import requirement
from tests.store.support import Clock, a_signal, app_of, learn, live_on

from twiceshy.core.errors import StoreError
from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import JournalEntry
from twiceshy.core.model_ledger import ModelCall
from twiceshy.core.moment import DAY
from twiceshy.core.retention import MOST_OF_NOTE, SAVED, Retention
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.session import Intent
from twiceshy.core.store import NoteCounter, Store, Tombstone
from twiceshy.core.store_learning import find_progress
from twiceshy.effect.measure import measure_effect
from twiceshy.notes.undo import undo_batch
from twiceshy.project.episodes.archive import build_archive
from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.work_segment import WorkSegment
from twiceshy.safety.signing import Signature
from twiceshy.upkeep.compress import CompressReport, compress_store, keep_archive

Another = Callable[[], AbstractContextManager[Store]]

RULES = Retention()
YEARS_AGO = NOW - 800 * DAY


def an_end(number: int = 1, *, days: float = 0, project: str = "demo") -> Episode:
    """Return the end of a session so many days ago."""
    at = int(NOW - days * DAY)
    stretch = WorkSegment(messages=2, title=f"Part {number}", files=("a.py",), ended_at=at)
    return build_session_episode(stretch, EpisodeContext(f"s{number}", project, "shop", "fixing"))


def gone(_: str) -> bool:
    return False


def there(_: str) -> bool:
    return True


def an_exposure(number: int, *, note: str, at: int, channel: str = "skill") -> Exposure:
    return Exposure(f"x{number}/{note}", note, f"s{number}", channel, at)


class TestFolding:
    def test_an_archive_takes_the_place_of_episodes_and_of_their_history(
        self, store: Store
    ) -> None:
        ends = [an_end(number) for number in (1, 2)]
        store.capture(*ends)
        archive = build_archive(None, ends, project="demo", device=store.device)

        keep_archive(store, archive, [one.id for one in ends])

        assert store.list_episodes(kinds=(*SAVED, "archive"), limit=None) == [archive]
        assert [store.history(one.id) for one in ends] == [[], []]

    def test_an_archive_that_grows_keeps_one_entry(self, store: Store) -> None:
        ends = [an_end(number) for number in range(5)]
        archive = None
        for one in ends:
            store.capture(one)
            archive = build_archive(archive, [one], project="demo", device=store.device)
            keep_archive(store, archive, [one.id])

        assert archive is not None
        assert [entry.op for entry in store.history(archive.id)] == ["write"]
        assert store.list_episodes(kinds=("archive",), limit=None) == [archive]

    def test_what_was_folded_does_not_come_back_when_all_is_made_anew(self, store: Store) -> None:
        note = learn(store)
        store.capture(*(an_end(number, days=number) for number in range(60)))
        compress_store(store, RULES, there=gone)
        before = store.list_episodes(kinds=(*SAVED, "archive"), limit=None)

        made = list(store.rebuild_derived())

        assert store.list_episodes(kinds=(*SAVED, "archive"), limit=None) == before
        assert sorted(made) == sorted([note.id, *(one.id for one in before)])
        assert all(finding.verdict != "broken" for finding in store.check_health())

    def test_a_change_that_wrote_a_note_and_an_episode_can_still_be_undone(
        self, store: Store
    ) -> None:
        with store.change() as batch:
            note = learn(store)
            store.capture(an_end(1, days=90), an_end(2))
        compress_store(store, RULES, there=gone)

        undo_batch(app_of(store), batch)

        found = store.note(note.id)
        assert found is not None
        assert (found.status, found.reason) == ("retired", "undone")

    def test_folding_twice_changes_nothing(self, store: Store) -> None:
        store.capture(*(an_end(number, days=number) for number in range(60)))

        first = compress_store(store, RULES, there=gone)
        archives = store.list_episodes(kinds=("archive",), limit=None)

        assert (first.folded, first.archives) == (30, len(archives))
        assert compress_store(store, RULES, there=gone).is_empty
        assert store.list_episodes(kinds=("archive",), limit=None) == archives

    def test_an_episode_that_comes_from_elsewhere_again_is_told_once(
        self, store: Store, another: Another
    ) -> None:
        store.capture(an_end(1, days=90), an_end(2))
        with another() as other:
            with other.change():
                other.settle_objects(other.import_records(store.export_records()))
            compress_store(store, RULES, there=gone)
            [before] = store.list_episodes(kinds=("archive",), limit=None)
            with store.change():
                store.settle_objects(store.import_records(other.export_records()))

        compress_store(store, RULES, there=gone)

        assert store.list_episodes(kinds=("archive",), limit=None) == [before]

    def test_whatever_goes_wrong_nothing_is_half_done(self, store: Store) -> None:
        store.capture(*(an_end(number, days=number) for number in range(60)))
        store.save_records(a_session())
        before = list(store.export_records())

        def breaks(_: str) -> bool:
            raise OSError("the disk is gone")

        with pytest.raises(OSError, match="the disk is gone"):
            compress_store(store, RULES, there=breaks)

        assert list(store.export_records()) == before
        assert len(store.list_episodes(kinds=SAVED, limit=None)) == 60

    def test_archives_go_after_so_many_months(self, store: Store) -> None:
        store.capture(an_end(1, days=900), an_end(2, days=300), an_end(3))

        done = compress_store(store, RULES, there=gone)

        assert done.but(pruned={}) == CompressReport(2, 2, 1, {})
        assert len(store.list_episodes(kinds=("archive",), limit=None)) == 1


class TestCounting:
    @requirement("U186")
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["release", "review"]),
                st.integers(0, 6),
                st.sampled_from(["", "a1"]),
                st.sampled_from(["active", "read"]),
                st.integers(0, 400),
            ),
            max_size=30,
        ),
        st.integers(1, 3),
    )
    def test_how_often_a_skill_was_used_is_the_same_before_and_after(
        self,
        another: Another,
        told: list[tuple[str, int, str, str, int]],
        times: int,
    ) -> None:
        with another() as store:
            for skill, session, agent, how, days in told:
                at = NOW - days * DAY
                store.save_records(
                    a_use(session=f"s{session}", agent=agent, skill=skill, how=how, at=at)
                )
            before = store.count_skill_usage()
            began = [
                len(store.list_session_starts(Scope("demo", skill)))
                for skill in ("release", "review")
            ]

            for _ in range(times):
                store.prune(RULES, transcript_exists=gone)

            assert store.count_skill_usage() == before
            assert began == [
                len(store.list_session_starts(Scope("demo", skill)))
                for skill in ("release", "review")
            ]

    def test_uses_of_half_a_year_ago_leave_their_days(self, store: Store) -> None:
        for number in range(4):
            store.save_records(a_use(session=f"s{number}", at=NOW - 200 * DAY + number))
        before = store.count_skill_usage()

        assert store.prune(RULES, transcript_exists=gone) == {"skill_uses": 4}
        assert store.count_skill_usage() == before
        assert store.list_skill_uses("s1", "") == []

    def test_decay_counts_the_sessions_whose_rows_are_gone(self, store: Store) -> None:
        days = (100, 100, 50, 5, 1)
        for number, ago in enumerate(days):
            project = "other" if number == 2 else "demo"
            at = NOW - ago * DAY
            store.save_records(
                a_session(id=f"s{number}", project=project, started_at=at, seen_at=at)
            )

        assert store.prune(RULES, transcript_exists=gone) == {"sessions": 4}
        assert store.list_session_starts(Scope("demo")) == [
            NOW - ago * DAY for ago in (100, 100, 5, 1)
        ]
        assert len(store.list_session_starts(Scope(EVERYWHERE))) == 5
        assert store.count_skill_usage() == []

    def test_days_of_years_ago_become_months(self, store: Store) -> None:
        for number in range(40):
            store.save_records(a_use(session=f"s{number}", at=YEARS_AGO + number * DAY))
        store.prune(RULES, transcript_exists=gone)

        [used] = store.count_skill_usage()

        assert used.sessions == 40
        assert len(used.daily) <= 3
        assert used.last_at == YEARS_AGO + 39 * DAY


class TestSessions:
    @requirement("U111")
    def test_a_session_that_is_idle_for_three_days_loses_its_state(self, store: Store) -> None:
        for number, ago in ((1, 4), (2, 2)):
            at = NOW - ago * DAY
            store.save_records(a_session(id=f"s{number}", seen_at=at, started_at=at))
            store.save_records(a_use(session=f"s{number}", at=at, told="0/abc"))

        store.prune(RULES, transcript_exists=gone)

        assert (store.session("s1"), bool(store.session("s2"))) == (None, True)
        uses = [
            use
            for session in ("s1", "s2")
            for use in store.list_skill_uses(session, "", "release")
        ]
        assert [used.told for used in uses] == ["", "0/abc"]

    def test_intents_are_not_kept_longer_than_sessions(self, store: Store, clock: Clock) -> None:
        store.save_records(Intent("s1", "cut a release"))
        clock.wait(4 * DAY)

        assert store.prune(RULES, transcript_exists=gone) == {"intents": 1}
        assert store.find_intent("s1") == ""

    @pytest.mark.parametrize("read", [False, True])
    def test_a_session_stays_while_something_can_be_learned_from_it(
        self, store: Store, *, read: bool
    ) -> None:
        old = NOW - 400 * DAY
        store.save_records(a_session(transcript="/t/s1.jsonl", seen_at=old))
        if read:
            store.save_records(a_reading(at=old))

        assert store.prune(RULES, transcript_exists=there) == {}
        assert store.session("s1")
        store.save_records(a_reading(closed=True, at=old))
        assert store.prune(RULES, transcript_exists=there) == {"sessions": 1}
        assert find_progress(store, "/t/s1.jsonl")
        assert store.prune(RULES, transcript_exists=gone) == {"transcript_progress": 1}

    def test_a_session_that_was_compacted_is_known_for_as_long_as_it_can_go_on(
        self, store: Store, clock: Clock
    ) -> None:
        store.save_records(a_session(compactions=2, seen_at=NOW - 20 * DAY))

        assert store.prune(RULES, transcript_exists=gone) == {}
        clock.wait(20 * DAY)
        assert store.prune(RULES, transcript_exists=gone) == {"sessions": 1}

    def test_who_changed_what_is_known_while_the_session_lasts(
        self, store: Store, clock: Clock
    ) -> None:
        store.save_records(a_session(id="s2", compactions=1, seen_at=NOW))
        for session in ("s1", "s2"):
            store.author = session
            learn(store, f"Said by {session}.")
        store.author = ""
        clock.wait(5 * DAY)

        assert store.prune(RULES, transcript_exists=gone) == {"authors": 1}

    def test_calls_and_costs_have_their_time(self, store: Store, clock: Clock) -> None:
        store.register_calls(["c1"], "s1", project="demo")
        spent = ("claude-cli", "haiku", "m1", 1, 1, 1)
        store.save_records(ModelCall(NOW, "distil", "demo", "s1", *spent))

        live_on(store, clock, 100 * DAY)
        assert store.prune(RULES, transcript_exists=gone) == {"seen_calls": 1}
        live_on(store, clock, 310 * DAY)
        assert store.prune(RULES, transcript_exists=gone) == {"model_calls": 1}


class TestEvidence:
    def test_the_newest_that_is_known_of_a_note_stays_however_old_it_is(
        self, store: Store
    ) -> None:
        note = learn(store)
        many = range(MOST_OF_NOTE + 20)
        for number in many:
            store.record_evidence(note.id, f"k{number}", f"s{number}", at=YEARS_AGO + number)
            store.capture(
                a_signal(f"k{number}", at=YEARS_AGO + number),
                an_exposure(number, note=note.id, at=YEARS_AGO + number),
            )
        told = [
            an_outcome(number, "followed", note=note.id).but(at=YEARS_AGO + number)
            for number in many
        ]
        held = [
            one.but(key=f"w{one.key}", session=f"w{one.session}", withheld=True) for one in told
        ]
        store.save_records(*told, *held)

        pruned = store.prune(RULES, transcript_exists=gone)

        assert pruned == {
            "exposures": len(many) - MOST_OF_NOTE,
            "outcomes": 2 * len(many),  # they are summed
            "evidence": 20,
            "signals": 20,
        }
        effect = measure_effect(store.list_outcomes(note=note.id))
        assert (effect.shown, effect.withheld) == (len(many), len(many))
        assert store.list_evidence(note.id)[0][0] == f"k{many[-1]}"
        assert (
            len(store.list_signals(keys=[f"k{number}" for number in many], limit=99))
            == MOST_OF_NOTE
        )
        assert store.list_exposures(note=note.id, limit=5)[0].session == f"s{many[-1]}"

    def test_all_of_the_last_half_year_stays_and_showings_of_the_last_quarter(
        self, store: Store
    ) -> None:
        note = learn(store)
        for number in range(MOST_OF_NOTE + 20):
            at, shown = NOW - 170 * DAY + number, NOW - 80 * DAY + number
            store.record_evidence(note.id, f"k{number}", f"s{number}", at=at)
            store.capture(a_signal(f"k{number}", at=at))
            store.capture(an_exposure(number, note=note.id, at=shown))
            store.save_records(an_outcome(number, note=note.id).but(at=shown))

        assert store.prune(RULES, transcript_exists=gone) == {}

    def test_what_is_known_of_notes_that_are_gone_goes(self, store: Store) -> None:
        store.capture(an_exposure(1, note="n-gone", at=YEARS_AGO))
        store.count_call(["n-gone"], "src", failed=True)

        assert store.prune(RULES, transcript_exists=gone) == {"exposures": 1, "trigger_counts": 1}

    def test_a_handoff_that_was_shown_is_not_shown_again(self, store: Store) -> None:
        handoff = an_end(1, days=700).but(kind="handoff")
        shown = [
            an_exposure(n, note=note, at=YEARS_AGO, channel="handoff")
            for n, note in enumerate((handoff.id, "e-gone"))
        ]
        store.capture(handoff, *shown)

        assert store.prune(RULES, transcript_exists=gone) == {"exposures": 1}
        assert store.list_exposures(key=shown[0].key)

    def test_checkpoints_of_skills_are_never_lost_nor_are_the_last_workflows(
        self, store: Store
    ) -> None:
        kinds = ("checkpoint", "workflow", "error")
        store.capture(*(a_signal(kind, kind=kind, at=YEARS_AGO) for kind in kinds))

        assert store.prune(RULES, transcript_exists=gone) == {"signals": 1}
        assert store.list_signals(keys=["error"]) == []


class TestRehearsing:
    def test_a_plan_says_what_is_done_and_does_nothing(self, store: Store) -> None:
        store.capture(*(an_end(number, days=number) for number in range(60)))
        store.save_records(a_session())
        before = list(store.export_records())

        planned = compress_store(store, RULES, there=gone, plan=True)

        assert list(store.export_records()) == before
        assert store.session("s1")
        assert compress_store(store, RULES, there=gone).but(freed=0) == planned

    def test_a_change_that_is_going_on_cannot_be_rehearsed(self, store: Store) -> None:
        refused = pytest.raises(StoreError, match="cannot be rehearsed")
        with store.change(), refused, store.change(rehearsal=True):
            pass

    def test_a_rehearsal_is_taken_back_whatever_happens_in_it(self, store: Store) -> None:
        kept = learn(store)
        with store.change(rehearsal=True):
            learn(store, "Tried out.")
            assert store.count_notes(NoteFilter()) == 2
        with pytest.raises(ZeroDivisionError), store.change(rehearsal=True):
            learn(store, f"{1 / 0}")

        assert store.notes(NoteFilter()) == [kept]


def lasting(store: Store, *objects: str) -> Iterable[object]:
    """Return all that must never be touched: entries of notes, tallies, tombstones, approvals."""
    for record in store.export_records(only=[JournalEntry, NoteCounter, Tombstone]):
        if not isinstance(record, JournalEntry) or record.object in objects:
            yield record
    yield store.list_signatures()


def test_notes_and_their_history_are_never_touched(store: Store, clock: Clock) -> None:
    notes = [learn(store, f"Lesson number {number}.") for number in range(3)]
    store.forget(learn(store, "Something private that goes."))
    store.increment_counter("recalls", [notes[0].id])
    store.save_records(Signature(notes[1].id, "warn", "mac", store.now()))
    undo_batch(app_of(store))
    store.capture(*(an_end(number, days=number) for number in range(60)))
    ids = [note.id for note in notes]
    before = list(lasting(store, *ids))

    clock.wait(3_000 * DAY)
    compress_store(store, RULES, there=gone)

    assert list(lasting(store, *ids)) == before
    assert [store.note(one) is not None for one in ids] == [True] * 3
