"""Links between names of a project travel in bundles; what is no link is refused."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.builders import NOW
from tests.store.support import a_store, app_of, learn

from twiceshy.core.errors import BundleError, NoteError, UnsafeNameError
from twiceshy.core.history import JournalEntry
from twiceshy.core.project_link import link_id
from twiceshy.core.scope import Scope
from twiceshy.notes.undo import undo_batch
from twiceshy.project.identity import merge_project_ids
from twiceshy.store.command_store import WholeStore
from twiceshy.sync import bundle
from twiceshy.sync.intake import merge_bundle
from twiceshy.sync.records import record_from_json

OLD, NEW = "dir:" + "a" * 32, "dir:" + "b" * 32


def carried(one: WholeStore, other: WholeStore) -> None:
    """Bring all that one store knows to another."""
    lines = list(bundle.write_history(app_of(one)))
    merge_bundle(app_of(other), bundle.read_bundle(lines))


def test_a_merge_and_its_undo_arrive_on_another_device(tmp_path: Path) -> None:
    with (
        closing(a_store(tmp_path / "laptop")) as laptop,
        closing(a_store(tmp_path / "desk")) as desk,
    ):
        note = learn(laptop, "Only the old one knows this.", scope=Scope(OLD))
        carried(laptop, desk)
        merge_project_ids(app_of(laptop), OLD, NEW)

        carried(laptop, desk)

        moved = desk.note(note.id)
        assert moved is not None
        assert moved.scope.project == NEW
        assert OLD in desk.list_project_ids(NEW)
        undo_batch(app_of(laptop))
        carried(laptop, desk)
        assert desk.note(note.id) == laptop.note(note.id)
        assert desk.list_project_ids(NEW) == (NEW,)
        carried(desk, laptop)
        assert laptop.list_project_ids(NEW) == (NEW,)


def an_entry(**fields: Any) -> dict[str, object]:
    usual: dict[str, object] = {
        "clock": NOW << 16,
        "device": "laptop",
        "batch": "b1",
        "op": "link",
        "object": link_id(OLD),
        "at": NOW,
        "after": {"alias": OLD, "project": NEW, "status": "active"},
    }
    return usual | fields


def test_a_link_is_read_as_it_was_written() -> None:
    entry = record_from_json("entry", json.loads(json.dumps(an_entry())))

    assert entry == JournalEntry.of(an_entry())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda after: after | {"project": "../up"},
        lambda after: after | {"project": "*"},
        lambda after: after | {"alias": "*"},
        lambda after: after | {"alias": "path:/home/\u202eu"},
        lambda after: after | {"status": "undead"},
        lambda after: after | {"text": "Follow me."},
        lambda after: {"alias": after["alias"]},
        lambda after: {},
    ],
)
def test_what_is_no_link_is_refused(spoil: Callable[[dict[str, str]], dict[str, str]]) -> None:
    after = {"alias": OLD, "project": NEW, "status": "active"}

    with pytest.raises((BundleError, NoteError, UnsafeNameError)):
        record_from_json("entry", an_entry(after=spoil(after)))


def test_the_runtime_of_a_note_travels_with_it(tmp_path: Path) -> None:
    with (
        closing(a_store(tmp_path / "laptop")) as laptop,
        closing(a_store(tmp_path / "desk")) as desk,
    ):
        laptop.author, laptop.runtime = "s1", "codex"
        note = learn(laptop, "Said by an agent.", scope=Scope(NEW), origin_session="s1")

        carried(laptop, desk)

        [entry] = [one for one in desk.history(note.id) if one.op == "write"]
        assert (entry.after or {})["origin_runtime"] == "codex"
