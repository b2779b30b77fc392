"""What every store knows of the names of projects, and what becomes of those that were linked."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.contracts.test_sessions import a_session
from tests.core.builders import NOW
from tests.store.support import app_of, learn

from twiceshy.core.history import JournalEntry
from twiceshy.core.project_link import GONE, link_id, replay_link
from twiceshy.core.scope import Scope
from twiceshy.core.store import Alias, ProjectCounts, Store
from twiceshy.notes.undo import undo_batch
from twiceshy.project.identity import link_name

Another = Callable[[], AbstractContextManager[Store]]
NAME = link_id("dir:old")


def test_a_linked_name_means_the_same_project(store: Store) -> None:
    link_name(store, "dir:old", "dir:new")

    assert set(store.list_project_ids("dir:new")) == {"dir:new", "dir:old"}
    assert store.list_project_ids("dir:old")[0] == "dir:old"


def test_linking_again_says_nothing_new(store: Store) -> None:
    link_name(store, "dir:old", "dir:new")
    link_name(store, "dir:old", "dir:new")

    assert len(store.history(NAME)) == 1


def test_a_link_is_undone_and_redone(store: Store) -> None:
    learn(store)
    link_name(store, "dir:old", "dir:new")

    undone = undo_batch(app_of(store))

    assert undone.ops == ("link",)
    assert store.list_project_ids("dir:new") == ("dir:new",)
    undo_batch(app_of(store), redo=True)
    assert len(store.list_project_ids("dir:new")) == 2


def test_undo_brings_back_what_a_name_meant_before(store: Store) -> None:
    link_name(store, "dir:old", "dir:one")
    link_name(store, "dir:old", "dir:two")

    undo_batch(app_of(store))

    assert "dir:old" in store.list_project_ids("dir:one")
    assert "dir:old" not in store.list_project_ids("dir:two")


def test_a_link_travels_and_so_does_taking_it_back(store: Store, another: Another) -> None:
    link_name(store, "dir:old", "dir:new")
    with another() as desk:
        desk.settle_objects(desk.import_records(store.export_records()))
        assert "dir:old" in desk.list_project_ids("dir:new")

        undo_batch(app_of(store))
        desk.settle_objects(desk.import_records(store.export_records()))

        assert desk.list_project_ids("dir:new") == ("dir:new",)


def test_a_device_that_has_not_heard_of_it_does_not_bring_a_name_back(store: Store) -> None:
    link_name(store, "dir:old", "dir:new")
    undo_batch(app_of(store))

    store.settle_objects(
        store.import_records([Alias("dir:old", "dir:new"), Alias("dir:other", "dir:new")])
    )

    assert set(store.list_project_ids("dir:new")) == {"dir:new", "dir:other"}


def test_making_everything_anew_keeps_links(store: Store) -> None:
    link_name(store, "dir:old", "dir:new")
    link_name(store, "dir:older", "dir:new")
    undo_batch(app_of(store))

    assert NAME in list(store.rebuild_derived())
    assert set(store.list_project_ids("dir:new")) == {"dir:new", "dir:old"}
    known = replay_link(store.history(link_id("dir:older")))
    assert known is not None
    assert known.status == GONE


def test_a_name_is_redacted_before_it_is_kept(store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4

    link_name(store, f"path:/home/u/{secret}", "dir:new")

    entries = list(store.export_records(only=(JournalEntry, Alias)))
    assert len(entries) == 2
    assert secret not in str(entries)


def test_what_stands_under_each_id_is_counted(store: Store) -> None:
    learn(store, scope=Scope("demo"), learned_at=NOW)
    store.save_records(a_session(project="shop", seen_at=NOW + 5))
    store.record_project("empty", name="empty", root="/home/u/empty")

    found = {one.project: one for one in store.list_project_counts()}

    assert found["demo"] == ProjectCounts("demo", notes=1, sessions=0, episodes=0, seen_at=NOW)
    assert found["shop"] == ProjectCounts("shop", notes=0, sessions=1, episodes=0, seen_at=NOW + 5)
    assert found["empty"].notes == 0
