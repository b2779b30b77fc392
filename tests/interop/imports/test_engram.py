"""What engram holds comes in: from the chunks in a project, from its database, or from an export."""

import gzip
import json
import os
from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes, put
from tests.interop.imports.tables import a_table, episodes_of

from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.imports import ImportContext, engram
from twiceshy.store.command_store import WholeStore

CREATED = "2026-10-02 09:30:00"


def observed(
    sync_id: str, kind: str, title: str, content: str, **more: object
) -> dict[str, object]:
    """Return an observation as engram writes it."""
    row: dict[str, object] = {"id": 1, "sync_id": sync_id, "session_id": "s1", "type": kind}
    row |= {"title": title, "content": content, "project": "shop", "scope": "project"}
    return row | {"created_at": CREATED, "updated_at": CREATED, "duplicate_count": 1} | more


def chunk(folder: Path, name: str, content: object) -> Path:
    """Write a chunk into a folder of engram."""
    path = folder / "chunks" / f"{name}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


def filled(folder: Path) -> Path:
    """Make two chunks, the second of which changes what the first one says."""
    session = {"id": "s1", "project": "shop", "directory": "/home/someone/shop"}
    session |= {"started_at": CREATED, "summary": "Released 2.0"}
    rows = [
        observed("o1", "bugfix", "Lock first", "Or the tag is wrong.", duplicate_count=3),
        observed("o2", "decision", "Storage", "SQLite.", topic_key="architecture/store"),
        observed("o3", "learning", "Gone", "Was deleted later."),
        observed("o4", "preference", "Tabs", "The user wants tabs.", scope="personal"),
        observed("o5", "manual", "Elsewhere", "Pallets are stacked.", project="warehouse"),
    ]
    chunk(folder, "bbbb", {"sessions": [session], "observations": rows, "prompts": [{"id": 1}]})
    changed = observed("o2", "decision", "Storage", "SQLite, in one file.")
    changes = [
        {
            "entity": "observation",
            "entity_key": "o2",
            "op": "upsert",
            "payload": json.dumps(changed),
        },
        {"entity": "observation", "entity_key": "o3", "op": "delete", "payload": "{}"},
        {"entity": "relation", "entity_key": "r1", "op": "upsert", "payload": "{}"},
    ]
    chunk(
        folder, "aaaa", {"sessions": [], "observations": [], "prompts": [], "mutations": changes}
    )
    listed = [{"id": "bbbb"}, {"id": "aaaa"}]
    put(folder / "manifest.json", json.dumps({"version": 1, "chunks": listed}))
    return folder


def test_the_last_word_of_the_chunks_counts(
    imported: Imported, store: WholeStore, project: Path, around: ImportContext
) -> None:
    filled(project / ".engram")

    report = imported(engram)

    pallets, lock, storage, tabs = all_notes(store)
    assert (report.offered, len(report.imported), report.episodes, report.refused) == (5, 4, 1, {})
    assert storage.text == "Storage: SQLite, in one file."
    assert (lock.kind, lock.subtype, lock.sightings) == ("lesson", "fix", 3)
    assert (lock.scope.project, storage.scope.project) == (around.here.id, around.here.id)
    assert (tabs.kind, tabs.scope.project) == ("preference", EVERYWHERE)
    assert pallets.scope.project not in (EVERYWHERE, around.here.id)
    assert set(episodes_of(store, around.here.id)) == {"Released 2.0"}
    assert lock.origin_session == "engram: observations:o1"


def test_a_second_import_brings_only_what_is_new(
    imported: Imported, store: WholeStore, project: Path
) -> None:
    folder = filled(project / ".engram")
    imported(engram)
    chunk(folder, "cccc", {"observations": [observed("o9", "pattern", "New", "One more.")]})

    again = imported(engram)

    assert (len(again.imported), again.known) == (1, 5)
    assert [note.text for note in all_notes(store) if note.kind == "pattern"] == ["New: One more."]


def test_its_database_tells_the_folder_of_a_project(
    imported: Imported, store: WholeStore, user: Path, tmp_path: Path, around: ImportContext
) -> None:
    folder = tmp_path / "farm"
    folder.mkdir()
    path = user / ".engram" / "engram.db"
    session = {"id": "s1", "project": "barn", "directory": str(folder)}
    a_table(path, "sessions", "id TEXT, project TEXT, directory TEXT, summary TEXT", [session])
    rows = [
        {"sync_id": "o1", "session_id": "s1", "type": "discovery", "title": "A", "content": "B."},
        {"sync_id": "o2", "session_id": "s1", "type": "discovery", "title": "C", "content": "D.",
         "deleted_at": CREATED},
    ]  # fmt: skip
    columns = "id INTEGER PRIMARY KEY, sync_id, session_id, type, title, content, deleted_at"
    a_table(path, "observations", columns, rows)

    report = imported(engram)

    (note,) = all_notes(store)
    assert report.offered == 1
    assert note.scope.project == around.identify(str(folder)).id


def test_a_path_from_another_machine_says_nothing_about_ours(
    imported: Imported, store: WholeStore, project: Path, tmp_path: Path, around: ImportContext
) -> None:
    (tmp_path / "theirs").mkdir()
    session = {"id": "s1", "project": "shop", "directory": str(tmp_path / "theirs")}
    rows = [observed("o1", "pattern", "Small", "commits.")]
    chunk(project / ".engram", "aaaa", {"sessions": [session], "observations": rows})

    imported(engram)

    assert [note.scope.project for note in all_notes(store)] == [around.here.id]


def test_an_export_comes_in(imported: Imported, store: WholeStore, tmp_path: Path) -> None:
    export = {"version": "0.1.0", "observations": [observed("o1", "pattern", "Small", "commits.")]}
    path = put(tmp_path / "export.json", json.dumps(export))

    imported(engram, path)

    assert [note.text for note in all_notes(store)] == ["Small: commits."]


def test_what_is_wrong_stays_out_and_the_rest_comes_in(
    imported: Imported, store: WholeStore, project: Path, tmp_path: Path
) -> None:
    folder = project / ".engram"
    rows = [observed("o1", "pattern", "Good", "one."), 7, {"title": "no id"}]
    rows += [observed("o2", "pattern", "Bad", "one.") | {"content": ["x"]}]
    chunk(
        folder, "a", {"observations": rows, "sessions": "none", "mutations": [3, {"entity": []}]}
    )
    (folder / "chunks" / "b.jsonl.gz").write_bytes(b"not packed")
    (folder / "chunks" / "c.jsonl.gz").write_bytes(gzip.compress(b"[" * 100_000))
    (folder / "chunks" / "d.jsonl.gz").write_bytes(gzip.compress(b"[]"))
    (folder / "chunks" / "e.jsonl.gz").write_bytes(gzip.compress(b" " * 40_000_000))
    outside = chunk(tmp_path / "outside", "x", {"observations": [observed("o7", "x", "y", "z")]})
    os.symlink(outside, folder / "chunks" / "f.jsonl.gz")
    put(folder / "manifest.json", "{")

    report = imported(engram)

    assert [note.text for note in all_notes(store)] == ["Good: one."]
    refused = dict(report.refused)
    assert refused.pop("chunks/f.jsonl.gz").startswith("it cannot be read")
    assert refused == {
        "chunks/a.jsonl.gz:observations:2": "it is no object",
        "chunks/a.jsonl.gz:observations:3": "it has no sync_id",
        "chunks/b.jsonl.gz": "it is no gzip file, or a damaged one",
        "chunks/c.jsonl.gz": "it is no JSON, or nests too deep",
        "chunks/d.jsonl.gz": "it is no chunk of engram",
        "chunks/e.jsonl.gz": "it is cut off, or larger than 32 MiB",
        "observations:o2": "its content is no text",
    }


def test_a_folder_of_chunks_that_is_a_link_is_none(
    around: ImportContext, project: Path, tmp_path: Path
) -> None:
    filled(tmp_path / "outside")
    (project / ".engram").mkdir()
    os.symlink(tmp_path / "outside" / "chunks", project / ".engram" / "chunks")

    found = engram.find_places(around)

    assert found == []


@pytest.mark.parametrize("name", ["engram.db", "x.json"])
def test_a_path_where_nothing_is_says_so(imported: Imported, tmp_path: Path, name: str) -> None:
    report = imported(engram, tmp_path / name)

    assert len(report.refused) == 1
