"""What mem0 holds comes in: from an export that somebody saved, or from the history of its library."""

import json
from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes, put
from tests.interop.imports.tables import a_table

from twiceshy.core.moment import parse_stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.imports import ImportContext, mem0
from twiceshy.store.command_store import WholeStore

AT = "2026-10-02T09:30:00.844116+00:00"
HISTORY = """id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT"""


def remembered(name: str, words: object, **more: object) -> dict[str, object]:
    """Return a memory as ``get_all`` does."""
    row = {"id": name, "memory": words, "hash": "0", "metadata": None, "created_at": AT}
    return row | {"updated_at": None, "user_id": "dev"} | more


MEMORIES = [
    remembered("m1", "Always lock before tagging.", metadata={"project": "shop"}),
    remembered("m2", "Books are kept in the warehouse.", app_id="warehouse"),
    remembered("m3", "Commits are small.", metadata={"type": "convention"}),
    remembered("m4", "Dev prefers tabs.", categories=["user_preference", "style"]),
]


@pytest.mark.parametrize(
    "written",
    [
        json.dumps({"results": MEMORIES}),
        json.dumps({"count": 4, "memories": MEMORIES}),
        json.dumps(MEMORIES),
        "\n".join(map(json.dumps, MEMORIES)),
    ],
    ids=["results", "memories", "list", "lines"],
)
def test_an_export_comes_in_whatever_it_is_wrapped_in(
    imported: Imported, store: WholeStore, tmp_path: Path, around: ImportContext, written: str
) -> None:
    path = put(tmp_path / "export.json", written)

    report = imported(mem0, path)

    lock, books, commits, tabs = all_notes(store)
    assert (report.offered, len(report.imported), report.refused) == (4, 4, {})
    assert (lock.scope.project, lock.learned_at) == (around.here.id, parse_stamp(AT))
    assert books.scope.project not in (EVERYWHERE, around.here.id)
    assert (commits.kind, commits.subtype, commits.scope.project) == (
        "pattern",
        "convention",
        EVERYWHERE,
    )
    assert (tabs.kind, tabs.concepts) == ("preference", ("user_preference", "style"))


def test_the_history_tells_what_is_still_a_memory(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    changes = [
        ("1", "m1", "Lock.", "ADD"),
        ("2", "m2", "Gone.", "ADD"),
        ("3", "m1", "Lock before tagging.", "UPDATE"),
        ("4", "m2", None, "DELETE"),
        ("5", "m3", None, "ADD"),
    ]
    rows = [
        dict(zip(("id", "memory_id", "new_memory", "event"), change, strict=True))
        for change in changes
    ]
    a_table(user / ".mem0" / "history.db", "history", HISTORY, rows)

    report = imported(mem0)

    assert [note.text for note in all_notes(store)] == ["Lock before tagging."]
    assert (report.offered, report.refused) == (2, {"history:m3": "it has no memory"})


def test_a_variable_moves_its_folder(around: ImportContext, tmp_path: Path) -> None:
    path = a_table(tmp_path / "history.db", "history", HISTORY, [])

    found = mem0.find_places(around.but(environ={"MEM0_DIR": str(tmp_path)}))

    assert [place.path for place in found] == [str(path)]
    assert mem0.find_places(around) == []


def test_an_export_in_another_order_brings_only_what_is_new(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    path = put(tmp_path / "export.json", json.dumps(MEMORIES))
    imported(mem0, path)
    put(path, json.dumps([*reversed(MEMORIES), remembered("m5", "Every test is a sentence.")]))

    again = imported(mem0, path)

    assert (len(again.imported), again.known, len(all_notes(store))) == (1, 4, 5)


def test_what_is_wrong_stays_out_alone(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    rows = [
        remembered("m1", 7),
        remembered("m2", ""),
        [1],
        remembered("m4", "x", categories="{}"),
        "Just words.",
        remembered("m6", "A good one.", metadata=[[[]]], created_at={"a": 1}, app_id=3),
    ]
    path = put(tmp_path / "export.json", json.dumps(rows))

    report = imported(mem0, path)

    assert [note.text for note in all_notes(store)] == ["A good one.", "Just words."]
    assert report.refused == {
        "memories:1": "its memory is no text",
        "memories:2": "it has no memory",
        "memories:3": "it is no object",
        "memories:4": "its categories is no list of texts",
    }


@pytest.mark.parametrize("written", ["7", '"text"', "{", "[" * 100_000, "\ufeff", ""])
def test_a_file_that_is_no_export_brings_nothing(
    imported: Imported, store: WholeStore, tmp_path: Path, written: str
) -> None:
    path = put(tmp_path / "export.json", written)

    imported(mem0, path)

    assert all_notes(store) == []
