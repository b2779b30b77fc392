"""What every store remembers of what came of notes; only the port is used."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.test_sessions import a_session, a_use
from tests.contracts.test_store import Another
from tests.effect.outcomes import an_outcome, sessions
from tests.requirements import requirement
from tests.store.support import learn, now_of

from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import NoteCounter, Store

_TALLIED = ("opportunity", "followed", "violated", "helped", "harmed", "false_alarm")


def tallies(store: Store) -> dict[str, int]:
    return {each.name: each.count for each in store.export_records(only=[NoteCounter])}  # type: ignore[union-attr]  # only those


def test_outcomes_are_kept_and_found_by_note_and_time(store: Store) -> None:
    one, other = learn(store, "Tag last."), learn(store, "Sign the tag.")
    first, third = sessions(3, "followed", "helped", note=one.id)[::2]
    second = an_outcome(2, "violated", "failed", note=other.id, withheld=True, calls_lost=3)

    store.save_records(third, first, second)

    assert store.list_outcomes() == [first, second, third]
    assert store.list_outcomes(note=one.id) == [first, third]
    assert store.list_outcomes(since=second.at) == [second, third]
    assert store.list_outcomes(note=one.id, since=second.at) == [third]


@requirement("L10")
def test_what_came_of_a_note_is_counted_once_however_often_it_is_judged(store: Store) -> None:
    note = learn(store)
    nothing, followed, helped = (
        an_outcome(1, *came, note=note.id) for came in ((), ("followed",), ("followed", "helped"))
    )

    for outcome in (nothing, followed, followed, helped, helped):
        store.save_records(outcome, outcome)

    assert tallies(store) == {"opportunity": 1, "followed": 1, "helped": 1}
    assert store.list_outcomes() == [helped]
    assert (now_of(store, note).helped, now_of(store, note).harmed) == (1, 0)


def test_what_was_counted_is_never_taken_back(store: Store) -> None:
    note = learn(store)
    store.save_records(an_outcome(1, "followed", "helped", note=note.id))

    store.save_records(an_outcome(1, "violated", "failed", note=note.id, calls_lost=2))

    (kept,) = store.list_outcomes()
    assert {flag for flag in FLAGS if getattr(kept, flag)} == {
        *("opportunity", "followed", "helped", "violated", "failed")
    }
    assert kept.calls_lost == 2


def test_a_withheld_note_is_compared_but_counts_for_nothing(store: Store) -> None:
    note = learn(store)

    store.save_records(*sessions(4, "violated", "failed", note=note.id, withheld=True))

    assert len(store.list_outcomes()) == 4
    assert tallies(store) == {}


def test_nothing_is_kept_for_a_note_that_was_forgotten(store: Store) -> None:
    note = learn(store)
    store.save_records(an_outcome(1, "followed", note=note.id))

    store.forget(note)
    store.save_records(an_outcome(2, "followed", note=note.id))

    assert store.list_outcomes() == []
    assert tallies(store) == {}


@settings(max_examples=25)  # each opens a store
@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.frozensets(st.sampled_from(FLAGS)),
            st.booleans(),
        ),
        max_size=8,
    )
)
@requirement("L10")
def test_tallies_are_the_number_of_exposures_of_which_something_ever_came(
    another: Another, judged: list[tuple[int, frozenset[str], bool]]
) -> None:
    with another() as store:
        note = learn(store)
        held = {number: withheld for number, _, withheld in reversed(judged)}
        ever: dict[str, set[int]] = {}
        for number, came, _ in judged:
            store.save_records(_judged(number, came, note.id, withheld=held[number]))
            for flag in came.intersection(_TALLIED) if not held[number] else ():
                ever.setdefault(flag.removesuffix("_alarm"), set()).add(number)

        assert tallies(store) == {name: len(numbers) for name, numbers in ever.items()}


def _judged(number: int, came: frozenset[str], note: str, *, withheld: bool) -> Outcome:
    flags: dict[str, Any] = {flag: flag in came for flag in FLAGS}
    return an_outcome(number, note=note, withheld=withheld, **flags)


class TestSessionsOfAScope:
    @pytest.mark.parametrize(
        ("scope", "began"),
        [
            (Scope("demo", ""), [10, 30]),
            (Scope("old-name", ""), [10, 30]),
            (Scope("shop", ""), [20]),
            (Scope(EVERYWHERE, ""), [10, 20, 30]),
            (Scope("demo", "release"), [11]),
            (Scope(EVERYWHERE, "release"), [11, 21]),
            (Scope("demo", "unused"), []),
        ],
    )
    def test_they_are_those_of_its_project_or_those_that_used_its_skill(
        self, store: Store, scope: Scope, began: list[int]
    ) -> None:
        store.record_project("demo", name="demo", root="/home/u/demo", aliases=["old-name"])
        for number, project in enumerate(("demo", "shop", "demo"), start=1):
            store.save_records(a_session(id=f"s{number}", project=project, started_at=10 * number))
        for session, project, at in (("s1", "demo", 11), ("s1", "demo", 15), ("s2", "shop", 21)):
            agent = "" if at != 15 else "a1"
            store.save_records(a_use(session=session, project=project, at=at, agent=agent))

        assert store.list_session_starts(scope) == began
