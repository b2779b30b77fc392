"""Two projects become one without losing or doubling anything, and undo parts them again."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, Clock, a_store, app_of, learn

from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import Store
from twiceshy.notes.edit import pin_note, retire_note
from twiceshy.notes.undo import undo_batch
from twiceshy.project.identity import add_aliases, link_name, merge_project_ids, move_notes

OLD, NEW = Scope("old"), Scope("new")


def shown(store: Store, project: str) -> list[str]:
    found = store.notes(NoteFilter(projects=(project,)))
    return sorted(note.text for note in found)


def state(store: Store) -> list[Note]:
    """Return every note, without how often it was revised, which only grows."""
    notes = store.notes(EVERY_STATUS, limit=1_000)
    return sorted((note.but(revision=0) for note in notes), key=lambda note: note.id)


def test_all_that_one_project_knew_is_known_in_the_other(store: Store) -> None:
    learn(store, "Only the old one knows this.", scope=OLD)
    gone = retire_note(
        app_of(store), learn(store, "Nobody needs this any more.", scope=OLD.but(skill="x"))
    )
    learn(store, "The new one knows that.", scope=NEW)

    done = merge_project_ids(app_of(store), "old", "new")

    assert len(done.moved) == 2
    assert shown(store, "new") == ["Only the old one knows this.", "The new one knows that."]
    assert shown(store, "old") == []
    retired = store.note(gone.id)
    assert retired is not None
    assert (retired.status, retired.scope) == ("retired", Scope("new", "x"))
    assert "old" in store.list_project_ids("new")


@requirement("U104")
@pytest.mark.parametrize(("first", "second"), [(OLD, NEW), (NEW, OLD)])
def test_equal_notes_become_the_older_one_with_all_that_was_counted(
    store: Store, clock: Clock, first: Scope, second: Scope
) -> None:
    older = learn(store, "Fetch the tags first.", scope=first)
    clock.wait(3 * DAY)
    newer = learn(store, "fetch the tags  first", scope=second)
    newer = learn(store, "Fetch the tags first.", scope=second)

    done = merge_project_ids(app_of(store), "old", "new")

    assert done.merged == ((newer.id, older.id),)
    [note] = store.notes(NoteFilter(projects=("new",)))
    assert (note.id, note.sightings, note.days) == (older.id, 3, 2)
    assert (note.written_at, note.learned_at) == (older.written_at, newer.learned_at)
    before = state(store)
    merge_project_ids(app_of(store), "old", "new")
    assert state(store) == before


def test_of_two_that_say_the_same_what_is_shown_and_pinned_stays_so(store: Store) -> None:
    older = retire_note(app_of(store), learn(store, "Fetch the tags first.", scope=OLD))
    pin_note(app_of(store), learn(store, "Fetch the tags first.", scope=NEW))

    merge_project_ids(app_of(store), "old", "new")

    [note] = store.notes(NoteFilter(projects=("new",)))
    assert (note.id, note.status, note.pinned) == (older.id, "active", True)


def test_tasks_may_say_the_same_twice(store: Store) -> None:
    for scope in (OLD, NEW):
        learn(store, "Write the docs", kind="task", scope=scope)

    merge_project_ids(app_of(store), "old", "new")

    assert shown(store, "new") == ["Write the docs"] * 2


def test_a_page_whose_name_is_taken_gets_another_and_both_stay_whole(store: Store) -> None:
    for number, scope in enumerate((OLD, NEW, OLD.but(skill="x"))):
        learn(store, f"Page {number}", kind="page", tag="architecture", scope=scope)
    learn(store, "Said before", kind="page", tag="architecture from shop", scope=NEW)

    done = merge_project_ids(app_of(store), "old", "new", source_name="shop")

    pages = store.notes(NoteFilter(projects=("new",), skill="", kinds=("page",)))
    assert {page.tag: page.text for page in pages} == {
        "architecture": "Page 1",
        "architecture from shop": "Said before",
        "architecture from shop 2": "Page 0",
    }
    assert len(done.renamed) == 1


def test_pages_that_say_the_same_become_one(store: Store) -> None:
    for scope in (OLD, NEW):
        learn(store, "# Layers\nThree.", kind="page", tag="architecture", scope=scope)

    done = merge_project_ids(app_of(store), "old", "new")

    assert (len(done.merged), done.renamed) == (1, ())
    [page] = store.notes(NoteFilter(projects=("new",), kinds=("page",)))
    assert page.tag == "architecture"


def test_a_rule_that_is_followed_stays_before_an_older_one_that_is_not(store: Store) -> None:
    retire_note(app_of(store), learn(store, "Never force a push.", kind="rule", scope=OLD))
    followed = learn(store, "Never force a push.", kind="rule", scope=NEW)

    merge_project_ids(app_of(store), "old", "new")

    [note] = store.notes(NoteFilter(projects=("new",)))
    assert note.id == followed.id


def test_one_undo_parts_two_projects_and_a_redo_makes_them_one_again(store: Store) -> None:
    learn(store, "Only the old one knows this.", scope=OLD)
    learn(store, "Both know this.", scope=OLD)
    learn(store, "Both know this.", scope=NEW)
    learn(store, "A page", kind="page", tag="project", scope=OLD)
    learn(store, "Another page", kind="page", tag="project", scope=NEW)
    before = state(store)

    merge_project_ids(app_of(store), "old", "new")
    after = state(store)
    undo_batch(app_of(store))

    assert state(store) == before
    assert store.list_project_ids("new") == ("new",)
    undo_batch(app_of(store), redo=True)
    assert state(store) == after
    assert "old" in store.list_project_ids("new")


def test_projects_that_are_one_by_their_names_are_one_by_their_notes_too(store: Store) -> None:
    link_name(store, "old", "new")
    for scope in (OLD, NEW):
        learn(store, "Both know this.", scope=scope)

    merge_project_ids(app_of(store), "old", "new")

    assert shown(store, "new") == ["Both know this."]
    assert shown(store, "old") == []


@pytest.mark.parametrize(
    ("source", "into"), [(EVERYWHERE, "new"), ("old", EVERYWHERE), ("old", "old")]
)
def test_what_is_no_two_projects_is_refused(store: Store, source: str, into: str) -> None:
    with pytest.raises(NoteError):
        merge_project_ids(app_of(store), source, into)


def test_no_project_goes_by_the_name_of_all(store: Store) -> None:
    with pytest.raises(NoteError):
        add_aliases(app_of(store), "new", ["dir:old", EVERYWHERE])

    assert store.list_project_ids("new") == ("new",)


def test_an_alias_that_is_known_is_not_new(store: Store) -> None:
    assert add_aliases(app_of(store), "new", ["dir:a", "dir:b", "dir:a"]) == ["dir:a", "dir:b"]
    assert add_aliases(app_of(store), "new", ["dir:b", "new"]) == []


def test_notes_come_home_without_the_projects_becoming_one(store: Store) -> None:
    stray = learn(store, "Learned in the wrong folder.", scope=OLD)
    learn(store, "It belongs where it is.", scope=OLD)

    move_notes(app_of(store), [stray], "new", source_name="old")

    assert shown(store, "new") == ["Learned in the wrong folder."]
    assert store.list_project_ids("new") == ("new",)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["old", "new", "third"]),
        st.sampled_from(["Fetch tags.", "Lock first.", "Never push twice."]),
        st.sampled_from(["lesson", "task", "decision"]),
    ),
    max_size=8,
)


@settings(max_examples=15)
@given(ACTS)
def test_merging_loses_no_sighting_and_undo_restores_everything(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, str, str]]
) -> None:
    store = a_store(Path(tmp_path_factory.mktemp("merging")))
    for project, text, kind in acts:
        learn(store, text, kind=kind, scope=Scope(project))
    before = state(store)
    merge_project_ids(app_of(store), "old", "new")
    merge_project_ids(app_of(store), "third", "new")

    notes = store.notes(NoteFilter(projects=("new",)), limit=1_000)

    assert sum(note.sightings for note in notes) == len(acts)
    facts = [(note.kind, note.fingerprint) for note in notes if note.kind != "task"]
    assert len(facts) == len(set(facts))
    undo_batch(app_of(store))
    undo_batch(app_of(store))
    assert state(store) == before
    store.close()
