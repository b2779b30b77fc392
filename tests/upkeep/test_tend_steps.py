"""Maintenance makes a store smaller and better, and loses nothing that anybody would miss."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, several
from tests.effect.outcomes import sessions
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, Clock, a_store, app_of, learn, now_of

from twiceshy.core.history import fields_to_write
from twiceshy.core.moment import DAY
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.core.store import Store
from twiceshy.language.similar import THRESHOLD
from twiceshy.notes.edit import edit_fields, pin_note, restore_note
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import NoteLimits
from twiceshy.store.command_store import WholeStore
from twiceshy.upkeep import tend_steps as tend
from twiceshy.upkeep.tend_steps import covers_text

FIRST = "Run git fetch --tags before tagging a release, or the tag lands on an old commit."
AGAIN = "First run git fetch --tags before tagging a release; the tag lands on an old commit."
THIRD = "Run git fetch --tags before tagging a release or the tag lands on an old wrong commit."
BOUNDS = NoteLimits(skill_max=6, global_max=4, expiry_days={"lesson": 300, "issue": 100})


def kept(store: Store, text: str = FIRST, number: int = 1, **fields: Any) -> Note:
    """Keep a note as it is, whatever else is there: as sync does, and older versions did."""
    usual = {"id": an_id(number), "source": "agent", "trust": 0.5, "scope": Scope("demo", "")}
    note = a_note(text, **usual | fields)
    with store.change():
        written = store.record_entry("write", note.id, fields_to_write(note))
    assert written is not None
    return written


def merged(store: Store) -> None:
    pairs = tend.find_near_pairs(store, threshold=THRESHOLD)
    tend.merge_duplicates(app_of(store), pairs, threshold=THRESHOLD)


def statuses(store: Store, *notes: Note) -> list[str]:
    return [now_of(store, note).status for note in notes]


def entries(store: Store) -> int:
    return len(store.history())


@requirement("U117")
def test_two_notes_that_say_the_same_become_one_and_are_two_again_after_one_undo(
    store: WholeStore,
) -> None:
    one = kept(store, FIRST, 1, sightings=3, files=("a.py",))
    other = kept(store, AGAIN, 2, concepts=("git",), why="tags are not fetched by default")

    merged(store)
    stays, gone = now_of(store, one), now_of(store, other)
    undo_batch(app_of(store))

    assert (gone.status, gone.superseded_by) == ("retired", one.id)
    assert stays.sightings == 4
    assert (stays.files, stays.concepts, stays.why) == (("a.py",), ("git",), other.why)
    assert now_of(store, one) == one.but(revision=now_of(store, one).revision)
    assert statuses(store, one, other) == ["active", "active"]
    assert now_of(store, other).superseded_by == ""


def test_what_somebody_took_apart_is_not_merged_again(store: WholeStore) -> None:
    one, other = kept(store, FIRST, 1), kept(store, AGAIN, 2)
    merged(store)
    undo_batch(app_of(store))

    merged(store)

    assert statuses(store, one, other) == ["active", "active"]


def test_what_somebody_restored_is_not_merged_again(store: WholeStore) -> None:
    one, other = kept(store, FIRST, 1), kept(store, AGAIN, 2)
    merged(store)
    restore_note(app_of(store), now_of(store, other))

    merged(store)

    assert statuses(store, one, other) == ["active", "active"]


@pytest.mark.parametrize(
    "difference",
    [
        {"scope": Scope("shop", "")},
        {"scope": Scope("demo", "release")},
        {"kind": "decision", "subtype": "other"},
        {"subtype": "principle"},
        {"state": "stale"},
        {"trigger": "Bash/usage tag git"},
        {"source": "user", "trust": 1.0, "pinned": True},
        {"status": "quarantined"},
        {"status": "pending removal"},
        {"trust": 0.8, "source": "detector", "status": "candidate"},
        {"tag": "ci"},
        {"why": "the server refuses it"},
        {"text": FIRST.replace("before", "after")},
        {"text": FIRST.replace("--tags", "--all")},
    ],
)
def test_notes_that_differ_in_something_that_counts_stay_two(
    store: WholeStore, difference: dict[str, Any]
) -> None:
    one = kept(store, FIRST, 1, pinned=difference.get("pinned", False), tag="git", why="old tags")
    other = kept(store, number=2, **{"text": AGAIN, "tag": "git"} | difference)
    before = statuses(store, one, other)

    merged(store)

    assert statuses(store, one, other) == before


def test_a_rule_a_preference_a_page_and_a_task_are_never_merged(store: WholeStore) -> None:
    for number, kind in enumerate(("rule", "preference", "task"), start=1):
        kept(store, FIRST, 2 * number, kind=kind)
        kept(store, AGAIN, 2 * number + 1, kind=kind)
    before = entries(store)

    merged(store)

    assert entries(store) == before


def test_what_a_person_wrote_or_pinned_stays_and_the_other_gives_way(store: WholeStore) -> None:
    agents = kept(store, FIRST, 1, sightings=9)
    persons = kept(store, AGAIN, 2, source="user", trust=1.0)
    pinned = kept(store, FIRST, 3, scope=GLOBAL, pinned=True)
    plain = kept(store, AGAIN, 4, scope=GLOBAL, sightings=9)

    merged(store)

    assert statuses(store, agents, persons, pinned, plain) == [
        "retired",
        "active",
        "active",
        "retired",
    ]


def test_what_is_trusted_less_adds_nothing_to_what_is_trusted_more(store: WholeStore) -> None:
    trusted = kept(store, FIRST, 1, trust=0.8, source="detector")
    other = kept(store, AGAIN, 2, files=("evil.py",))

    merged(store)

    assert now_of(store, trusted).files == ()
    assert statuses(store, trusted, other) == ["active", "active"]


@pytest.mark.parametrize(
    "standing",
    [
        ({"source": "user", "trust": 1.0}, {"source": "user", "trust": 1.0}),
        ({"pinned": True}, {"pinned": True}),
        ({"pinned": True, "status": "candidate"}, {"status": "active"}),
    ],
)
def test_two_of_which_neither_may_give_way_stay_two(
    store: WholeStore, standing: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    one = kept(store, FIRST, 1, **standing[0])
    other = kept(store, AGAIN, 2, **standing[1])
    before = statuses(store, one, other)

    merged(store)

    assert statuses(store, one, other) == before


def test_what_is_said_does_not_drift_from_note_to_note(store: WholeStore) -> None:
    shared = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    middle = kept(store, shared, 1, sightings=3)
    one = kept(store, f"{shared} quartz granite basalt marble", 2)
    other = kept(store, f"{shared} copper silver nickel cobalt", 3, sightings=9)

    merged(store)
    first = statuses(store, middle, one, other)
    merged(store)

    # the third says what the first says, but not what the second one said
    assert first == ["active", "retired", "active"]
    assert now_of(store, one).superseded_by == middle.id
    assert statuses(store, middle, one, other) == first


@requirement("U117")
def test_what_two_sessions_taught_is_believed_once_it_has_become_one(store: WholeStore) -> None:
    lone = kept(store, "Freeze the clock in tests of the scheduler.", 3, status="candidate")
    first = kept(store, FIRST, 1, status="candidate", source="detector", origin_session="s1")
    second = kept(store, AGAIN, 2, status="candidate", source="detector", origin_session="s2")
    merged(store)

    tend.promote_notes(app_of(store))
    believed = statuses(store, first, second, lone)
    undo_batch(app_of(store))
    tend.promote_notes(app_of(store))

    assert believed == ["active", "retired", "candidate"]
    assert statuses(store, first) == ["candidate"]  # somebody put it back


@pytest.mark.parametrize("standing", [{"kind": "rule"}, {"trust": 0.2}, {"reason": "doubted: x"}])
def test_a_rule_and_what_is_doubted_or_untrusted_is_not_believed_by_itself(
    store: WholeStore, standing: dict[str, Any]
) -> None:
    note = kept(store, status="candidate", origin_session="s1", **standing)
    store.record_evidence(note.id, "signal", "s2", at=NOW)

    tend.promote_notes(app_of(store))

    assert statuses(store, note) == ["candidate"]


@requirement("U117")
def test_what_proved_harmful_is_retired_and_what_proved_itself_is_believed(
    store: WholeStore, clock: Clock
) -> None:
    bad = kept(store, FIRST, 1, source="detector")
    good = kept(store, "Freeze the clock in tests.", 2, source="detector", status="candidate")
    store.save_records(*sessions(5, "followed", "harmed", note=bad.id))
    store.save_records(*sessions(9, "followed", "helped", note=good.id))

    tend.promote_notes(app_of(store))
    believed = statuses(store, bad, good)
    clock.wait(20 * DAY)
    undo_batch(app_of(store))
    tend.retire_notes(app_of(store), BOUNDS)
    judged = statuses(store, bad, good)
    tend.promote_notes(app_of(store))

    assert believed == ["active", "active"]
    assert judged == ["retired", "candidate"]
    assert statuses(store, bad, good) == ["retired", "candidate"]  # somebody put it back


def test_the_fireworks_score_can_decide_who_is_beyond_the_cap(store: WholeStore) -> None:
    cap = NoteLimits(skill_max=1, eviction="fireworks")
    release = Scope("demo", "release")
    old = kept(
        store, "One long learned.", 1, scope=release, sightings=9, learned_at=NOW - 700 * DAY
    )
    new = kept(store, "Two.", 2, scope=release, sightings=2, learned_at=NOW)

    tend.retire_notes(app_of(store), cap)

    assert statuses(store, old, new) == ["retired", "active"]  # 9 less ten points for 20 months


def test_a_cap_retires_the_least_valuable_of_a_skill_and_none_of_a_project(
    store: WholeStore,
) -> None:
    skills = [
        kept(store, f"Lesson number{n} about thing{n}.", n, scope=Scope("demo", "release"))
        for n in range(1, 9)
    ]
    projects = [kept(store, f"Fact number{n} on thing{n}.", n) for n in range(20, 30)]

    tend.retire_notes(app_of(store), BOUNDS)

    assert statuses(store, *skills).count("retired") == 2
    assert statuses(store, *projects).count("retired") == 0


@requirement("U122")
def test_a_kind_with_a_lifetime_expires_and_without_that_setting_none_does(
    store: WholeStore, clock: Clock
) -> None:
    issue = learn(store, "The build is red on Windows.", kind="issue")
    lesson = learn(store, FIRST)
    pinned = pin_note(app_of(store), learn(store, "The build is slow on Windows.", kind="issue"))
    clock.wait(31 * DAY)

    tend.expire_notes(app_of(store), {})
    unset = statuses(store, issue, lesson, pinned)
    tend.expire_notes(app_of(store), {"issue": 31 + 1})
    early = statuses(store, issue, lesson, pinned)
    tend.expire_notes(app_of(store), {"issue": 30})

    assert unset == early == ["active", "active", "active"]
    assert statuses(store, issue, lesson, pinned) == ["retired", "active", "active"]
    assert now_of(store, issue).reason == "expired"


def test_what_was_brought_back_or_learned_again_has_its_time_anew(
    store: WholeStore, clock: Clock
) -> None:
    days = NoteLimits(expiry_days={"lesson": 10})
    note = learn(store, FIRST, bounds=days)
    clock.wait(11 * DAY)
    tend.expire_notes(app_of(store), days.expiry_days)
    retired = statuses(store, note)
    undo_batch(app_of(store))

    tend.expire_notes(app_of(store), days.expiry_days)
    back = now_of(store, note)
    clock.wait(11 * DAY)
    tend.expire_notes(app_of(store), days.expiry_days)

    assert retired == ["retired"]
    assert (back.status, back.expires_at > clock()) == ("active", False)
    assert back.expires_at > note.expires_at
    assert statuses(store, note) == ["retired"]


def test_a_date_that_a_note_carries_counts_without_the_setting(
    store: WholeStore, clock: Clock
) -> None:
    note = learn(store, FIRST, bounds=NoteLimits(expiry_days={"lesson": 10}))
    rule = kept(store, "Never push to main.", 7, kind="rule", expires_at=NOW + DAY)
    clock.wait(11 * DAY)

    tend.expire_notes(app_of(store), {})

    assert statuses(store, note, rule) == ["retired", "active"]


def test_a_rule_expires_only_if_its_kind_was_given_a_lifetime(
    store: WholeStore, clock: Clock
) -> None:
    rule = learn(store, "Never push to main.", kind="rule")
    clock.wait(31 * DAY)

    tend.expire_notes(app_of(store), {"rule": 30})

    assert statuses(store, rule) == ["retired"]


@contextmanager
def a_full_store(given_notes: list[Note], clock: Clock) -> Iterator[WholeStore]:
    """A store that holds these notes; those that say exactly the same as another are left out."""
    with TemporaryDirectory() as folder, closing(a_store(Path(folder), clock=clock)) as store:
        known = set()
        with store.change():
            for note in given_notes:
                key = (note.scope, note.fingerprint)
                if key not in known:
                    known.add(key)
                    store.record_entry("write", note.id, fields_to_write(note))
        yield store


def tended(store: WholeStore) -> list[str]:
    """Take all steps; return the changes that were made, the last first."""
    before = {entry.batch for entry in store.history()}
    merged(store)
    tend.promote_notes(app_of(store))
    tend.retire_notes(app_of(store), BOUNDS)
    tend.expire_notes(app_of(store), BOUNDS.expiry_days)
    found = dict.fromkeys(entry.batch for entry in store.history(limit=10_000))
    return [batch for batch in found if batch not in before]


SENTENCES = st.sampled_from(
    [
        FIRST,
        AGAIN,
        THIRD,
        FIRST + " Ask first.",
        FIRST.replace("before", "after"),
        "Freeze the clock in tests of the scheduler.",
        "Freeze the clock in all tests of the scheduler.",
        "先拉取标签再打新标签",
        "先拉取标签，然后再打新标签",
    ]
)
# Most of them in one place, or hardly any two could be compared.
TOGETHER = {"scope": Scope("demo", ""), "kind": "lesson", "subtype": "gotcha", "state": "current"}
CROWDS = several(
    notes(text=SENTENCES, **TOGETHER, trigger="", why="") | notes(text=SENTENCES), most=14
)


@settings(max_examples=30)
@given(crowd=CROWDS)
def test_tending_never_loses_a_pinned_note_a_rule_or_the_only_one_that_says_something(
    crowd: list[Note],
) -> None:
    with a_full_store(crowd, Clock(NOW + DAY)) as store:
        before = store.notes(EVERY_STATUS)

        tended(store)

        for note in before:
            now = now_of(store, note)
            if note.pinned or note.kind in ("rule", "task", "page", "preference"):
                expires = not note.pinned and note.kind != "rule" and note.expires_at > 0
                assert now.status == note.status or expires
            if now.superseded_by and not note.superseded_by:
                stands = store.note(now.superseded_by)
                assert stands is not None
                assert covers_text(stands, note, THRESHOLD)
                assert not note.pinned or stands.pinned
                assert stands.trust >= note.trust
                assert set(note.files) <= set(stands.files)
                assert set(note.concepts) <= set(stands.concepts)
            assert now.text == note.text


@settings(max_examples=30)
@given(crowd=CROWDS)
def test_tending_twice_is_tending_once(crowd: list[Note]) -> None:
    with a_full_store(crowd, Clock(NOW + DAY)) as store:
        tended(store)

        again = tended(store)

        assert again == []


@settings(max_examples=30)
@given(crowd=CROWDS)
def test_all_that_tending_does_can_be_undone(crowd: list[Note]) -> None:
    with a_full_store(crowd, Clock(NOW + DAY)) as store:
        before = {note.id: note.but(revision=0) for note in store.notes(EVERY_STATUS)}

        for batch in tended(store):
            undo_batch(app_of(store), batch)

        after = {note.id: note.but(revision=0) for note in store.notes(EVERY_STATUS)}
        assert after == before


def test_what_was_edited_apart_since_stays_two(store: WholeStore) -> None:
    kept(store, FIRST, 1)
    other = kept(store, AGAIN, 2)
    edit_fields(app_of(store), other, {"text": "Freeze the clock."})

    merged(store)

    assert {note.status for note in store.notes(EVERY_STATUS)} <= set(SHOWN)
