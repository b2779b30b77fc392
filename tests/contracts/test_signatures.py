"""Approvals belong to one device: kept, replaced, taken back, and never sent along."""

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, a_signal, learn

from twiceshy.core.store import Store
from twiceshy.safety.signing import Signature


def sign(store: Store, note: str, act: str, mac: str) -> None:
    store.save_records(Signature(note, act, mac, store.now()))


def test_the_last_approval_counts(store: Store, clock: Clock) -> None:
    sign(store, "n1", "tell", "aa")
    sign(store, "n2", "ask", "bb")
    sign(store, "n1", "deny", "cc")

    found = store.list_signatures()

    assert {one: (found[one].act, found[one].mac) for one in found} == {
        "n1": ("deny", "cc"),
        "n2": ("ask", "bb"),
    }
    assert isinstance(found["n1"], Signature)
    assert found["n2"].at < found["n1"].at <= clock.at


def test_an_approval_can_be_taken_back(store: Store) -> None:
    sign(store, "n1", "tell", "aa")

    store.drop_records(Signature, "n1")
    store.drop_records(Signature, "n2")

    assert store.list_signatures() == {}


def test_an_approval_is_part_of_the_change_that_it_is_made_in(store: Store) -> None:
    def interrupted() -> None:
        with store.change():
            sign(store, "n1", "tell", "aa")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert store.list_signatures() == {}


def test_a_rule_that_is_forgotten_leaves_no_approval(store: Store) -> None:
    rule, other = learn(store, "Never.", kind="rule"), learn(store, "Ever.", kind="rule")
    for note in (rule, other):
        sign(store, note.id, "tell", "aa")

    store.forget(rule)

    assert set(store.list_signatures()) == {other.id}


def test_approvals_stay_on_their_device(store: Store) -> None:
    sign(store, learn(store, "Never.", kind="rule").id, "tell", "aa")

    exported = [type(record).__name__ for record in store.export_records()]
    assert exported
    assert Signature.__name__ not in exported


def test_what_was_observed_is_found_by_session_and_by_mistake(store: Store) -> None:
    store.capture(
        a_signal("k1", session="s1", mistake="m1", at=NOW),
        a_signal("k2", session="s2", mistake="m1", at=NOW + 1),
        a_signal("k3", session="s2", mistake="", at=NOW + 2),
        a_signal("k4", session="s3", mistake="m2", at=NOW + 3),
    )

    def keys(**asked: object) -> list[str]:
        return [one.key for one in store.list_signals(**asked)]  # type: ignore[arg-type]  # as asked

    assert keys(sessions=["s2"]) == ["k3", "k2"]
    assert keys(mistakes=["m1"]) == ["k2", "k1"]
    assert keys(sessions=["s3"], mistakes=["m1"]) == ["k4", "k2", "k1"]
    assert keys(sessions=["s1", "s2"], limit=2) == ["k3", "k2"]
    assert keys(mistakes=[""]) == keys() == []
