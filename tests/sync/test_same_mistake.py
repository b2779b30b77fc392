"""The same mistake on two devices is one note, seen twice; what came of it travels, too."""

import json
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.person import run_by_person
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import Clock, app_of, opened
from tests.sync.support import Copy, Shelf, meet
from tests.sync.test_bundle import HERE, SHOP, all_notes, exported, imported, noted

from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.outcome import Outcome
from twiceshy.effect.measure import NoteEffect, report_effect
from twiceshy.notes.write import change_note
from twiceshy.store.command_store import WholeStore

KEY = "mistake:bash/gh pr diff/unknown flag --stat"
NAMES = ("laptop", "desktop", "server")
Known = tuple[Note, list[tuple[str, str, int]], list[Outcome], NoteEffect]
TRIGGER = "Bash/usage gh pr diff --stat"


def learn_mistake(store: WholeStore, name: str, *, sessions: int = 1, key: str = KEY) -> Note:
    """Make the mistake in some sessions of a device, and put it into words of its own."""
    notes = []
    for number in range(sessions):
        session = f"{name}-{number}"
        note = noted(
            store,
            f"`gh pr diff`: use `--name-only`, says the {name}.",
            tag=key,
            trigger=TRIGGER,
            source="detector",
            origin_session=session,
        )
        store.record_evidence(note.id, f"call:{session}", session, at=NOW + number)
        store.count_call([note.id], "api", failed=True)
        notes.append(note)
    return notes[-1]


def meet_again(store: WholeStore, note: Note, name: str, *, sessions: int) -> None:
    """Let later sessions meet the note: every third goes without, and fails."""
    for number in range(sessions):
        session, held = f"{name}-later-{number}", number % 3 == 0
        at, key = NOW + number, f"{session}//0/start/{note.id}"
        exposure = Exposure(key, note.id, session, "start", at, withheld=held, lot=300)
        store.capture(exposure)
        known = exposure.fields() | {"project": SHOP, "opportunity": True, "failed": held}
        store.save_records(Outcome.of(known))
        store.count_call([note.id], "", failed=held)


def count_calls(store: WholeStore) -> tuple[int, int]:
    """Return how many calls failed and worked on all devices, as a device knows it."""
    [match] = store.match_triggers((SHOP,))
    return match.failed_calls, match.succeeded_calls


def standing(store: WholeStore) -> list[Note]:
    return [each for each in all_notes(store) if not each.superseded_by]


def known_of(store: WholeStore) -> Known:
    """Return all that a device knows about the mistake, without what it has merged away."""
    [note] = standing(store)
    effect = report_effect(app_of(store)).by_note[note.id]
    return note, store.list_evidence(note.id), store.list_outcomes(note=note.id), effect


@requirement("T45")
@settings(max_examples=sized(8, 200), deadline=None)
@given(
    counts=st.lists(st.tuples(st.integers(1, 3), st.integers(1, 6)), min_size=2, max_size=3),
    meetings=st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=6),
)
def test_in_whatever_order_devices_meet_they_have_one_note_and_all_that_is_known_of_it(
    counts: list[tuple[int, int]], meetings: list[tuple[int, bool]]
) -> None:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        names, shelf = NAMES[: len(counts)], Shelf()
        stores = {
            name: stack.enter_context(opened(Path(folder) / name, clock=Clock(NOW + at * DAY)))
            for at, name in enumerate(names)
        }
        copies = {name: Copy(shelf) for name in names}
        for (sessions, later), (name, store) in zip(counts, stores.items(), strict=True):
            meet_again(store, learn_mistake(store, name, sessions=sessions), name, sessions=later)
        for at, by_bundle in meetings:
            name, other = names[at % len(names)], names[(at + 1) % len(names)]
            if by_bundle:
                imported(stores[other], exported(stores[name]))
            else:
                meet(stores[name], copies[name])
        for store in stores.values():  # everybody makes the mistake once more
            [note] = standing(store)
            store.count_call([note.id], "api", failed=True)
        for name in (*names, *names, *names):
            meet(stores[name], copies[name])
        for name in (*names, *names):  # once more by bundle changes nothing
            imported(stores[name], exported(stores[names[0]]))

        first, *others = [known_of(store) for store in stores.values()]

        note, evidence, outcomes, _ = first
        assert others == [first] * len(others)
        assert note.status == "active"
        assert note.sightings == sum(sessions for sessions, _ in counts)
        worked = sum(later - (later + 2) // 3 for _, later in counts)
        failed = sum(sessions + (later + 2) // 3 + 1 for sessions, later in counts)
        assert [count_calls(store) for store in stores.values()] == [(failed, worked)] * len(
            stores
        )
        assert len(evidence) == sum(sessions for sessions, _ in counts)
        assert len(outcomes) == sum(later for _, later in counts)


@requirement("T45")
@pytest.mark.parametrize(("again", "status"), [("desktop", "active"), ("laptop", "candidate")])
def test_only_another_session_ends_the_probation(tmp_path: Path, again: str, status: str) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "two", clock=Clock(NOW + 1)) as two:
        learn_mistake(one, "laptop")
        learn_mistake(two, again)

        for here, there in ((one, two), (two, one), (one, two)):
            imported(here, exported(there))

        assert [each.status for store in (one, two) for each in standing(store)] == [status] * 2


@requirement("T45")
def test_what_a_person_rejected_is_not_revived_by_another_device(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "two", clock=Clock(NOW + 1)) as two:
        note = learn_mistake(one, "laptop")
        change_note(app_of(one), "reject", note, status="retired", reason="rejected in review")
        learn_mistake(two, "desktop")

        imported(one, exported(two))

        assert [each.status for each in standing(one)] == ["retired"]


@requirement("T45")
def test_another_key_or_another_scope_is_another_mistake(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "two", clock=Clock(NOW + 1)) as two:
        learn_mistake(one, "laptop")
        learn_mistake(two, "desktop", key=KEY + "x")
        noted(two, "In all projects.", tag=KEY, scope=HERE.but(skill=""))

        imported(one, exported(two))

        assert len(standing(one)) == 3


@requirement("T44")
def test_outcomes_travel_in_a_bundle_from_command_to_command(tmp_path: Path) -> None:
    homes = {name: tmp_path / name for name in ("here", "there")}
    with opened(homes["here"]) as store:
        meet_again(store, learn_mistake(store, "laptop"), "laptop", sessions=30)

    def run(name: str, *words: str) -> str:
        done = run_by_person(*words, cwd=tmp_path, env={"TWICESHY_HOME": str(homes[name])})
        assert done.code == 0, done.err
        return done.out

    run("here", "export", str(tmp_path / "b.jsonl"))
    run("there", "import", str(tmp_path / "b.jsonl"), "--trust")
    run("there", "import", str(tmp_path / "b.jsonl"), "--trust")  # once more changes nothing

    ours, theirs = (json.loads(run(name, "effect", "--json")) for name in homes)
    assert ours == theirs
    assert ours["overall"]["untold"] == {"sessions": 10, "failed": 10, "lost": 0}
    assert "They prevent that in about 100 of 100" in ours["overall"]["sentence"]


@requirement("T44")
def test_a_bundle_from_before_outcomes_travelled_is_still_read(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        meet_again(one, learn_mistake(one, "laptop"), "laptop", sessions=3)
        lines = exported(one).splitlines(keepends=True)
        older = [
            line.replace(b',"lot":300', b"").replace(b'"lot":300,', b"")
            for line in lines
            if not line.startswith((b'{"outcome"', b'{"evidence"', b'{"counts"'))
        ]
        older[0] = b'{"twiceshy-bundle":1}\n'

        report = imported(two, b"".join(older))

        assert len(report.new) == 1
        assert not report.refused
        assert two.list_outcomes() == []
        assert {each.lot for each in two.list_exposures()} == {0}


def test_forgetting_a_mistake_takes_along_what_came_of_it_everywhere(tmp_path: Path) -> None:
    shelf = Shelf()
    one_copy, two_copy = Copy(shelf), Copy(shelf)
    with opened(tmp_path / "one") as one, opened(tmp_path / "two", clock=Clock(NOW + 1)) as two:
        meet_again(one, learn_mistake(one, "laptop"), "laptop", sessions=3)
        meet(one, one_copy)
        meet(two, two_copy)
        assert two.list_outcomes()

        one.forget(all_notes(one)[0])
        meet(one, one_copy)
        meet(two, two_copy)

        assert one.list_outcomes() == two.list_outcomes() == []
        assert not any(b'"outcome"' in shelf.blobs[blob] for blob in _newest(shelf))


def _newest(shelf: Shelf) -> list[str]:
    return [blob for path, blob in shelf.commits[shelf.head][1].items() if "journal/" in path]
