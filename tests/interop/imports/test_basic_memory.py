"""What basic-memory keeps in Markdown comes in: observations as notes, what says more as pages."""

import json
import os
from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes, put
from tests.store.support import app_of

from twiceshy.core.draft import MAX_PAGE
from twiceshy.core.moment import format_stamp
from twiceshy.interop.imports import ImportContext, basic_memory
from twiceshy.notes.undo import undo_batch
from twiceshy.store.command_store import WholeStore

RELEASE = """---
title: Release steps
type: note
permalink: shop/notes/release-steps
tags:
- release
- ci
created: 2026-10-02 09:30:00
---

# Release steps

## Observations

- [gotcha] Lock before tagging #uv (seen in CI)
- [decision] SQLite over files
- [ ] Sign the archive
- [00:11](not an observation)

## Relations

- relates_to [[Storage]]
- part_of [[Release steps]] (itself)
"""
STORAGE = """---
title: Storage
tags: [store, "sqlite"]
---

# Storage

One file is easier to back up. See [[Release steps]].

- [technique] Copy it while nobody writes
"""


def filled(user: Path, folder: Path, name: str = "shop") -> None:
    """Write a project of basic-memory, and the settings that list it."""
    put(folder / "notes" / "Release steps.md", RELEASE)
    put(folder / "Storage.md", STORAGE)
    put(folder / ".obsidian" / "hidden.md", "- [fact] Not ours.")
    listed = {name: {"path": str(folder), "mode": "local"}, "old": str(folder / "gone")}
    put(user / ".basic-memory" / "config.json", json.dumps({"projects": listed}))


def test_observations_become_notes_of_the_project_that_is_called_so(
    imported: Imported, store: WholeStore, user: Path, tmp_path: Path, around: ImportContext
) -> None:
    filled(user, tmp_path / "kb")

    imported(basic_memory)

    by_text = {note.text: note for note in all_notes(store)}
    lock = by_text["Lock before tagging #uv"]
    assert (lock.kind, lock.subtype, lock.why) == ("lesson", "gotcha", "seen in CI")
    assert lock.concepts == ("uv", "gotcha", "release", "ci")
    assert format_stamp(lock.learned_at) == "2026-10-02T09:30:00.000Z"
    assert by_text["SQLite over files"].kind == "decision"
    assert by_text["Sign the archive"].state == "open"
    assert {note.scope.project for note in by_text.values()} == {around.here.id}
    assert lock.origin_session == "basic-memory: notes/Release steps.md:15"


def test_a_file_that_says_more_is_a_page_as_well(
    imported: Imported, store: WholeStore, user: Path, tmp_path: Path
) -> None:
    filled(user, tmp_path / "kb")

    report = imported(basic_memory)

    pages = {note.tag: note for note in all_notes(store) if note.kind == "page"}
    assert set(pages) == {"Storage", "notes Release steps"}
    assert pages["Storage"].text.startswith("# Storage\n\nOne file")
    assert "See [[Release steps]]." in pages["Storage"].text
    assert (report.offered, len(report.imported), report.refused) == (6, 6, {})


def test_a_second_import_and_an_undo_leave_what_was_there(
    imported: Imported, store: WholeStore, user: Path, tmp_path: Path
) -> None:
    filled(user, tmp_path / "kb")
    first = imported(basic_memory)
    before = all_notes(store)

    again = imported(basic_memory)

    assert (len(again.imported), again.known) == (0, 6)
    assert all_notes(store) == before
    undo_batch(app_of(store), first.batch)
    assert {note.status for note in all_notes(store)} == {"retired"}


def test_another_name_is_another_project_and_a_folder_inside_is_ours(
    user: Path, tmp_path: Path, project: Path, around: ImportContext
) -> None:
    filled(user, tmp_path / "kb", name="research")
    (research,) = basic_memory.find_places(around)
    filled(user, project / "docs" / "kb", name="research")

    (inside,) = basic_memory.find_places(around)

    assert research.identity
    assert research.identity.name == "research"
    assert inside.identity == around.here


def test_variables_move_its_settings_and_its_first_folder(
    around: ImportContext, user: Path, tmp_path: Path
) -> None:
    filled(user, tmp_path / "kb")
    os.rename(user / ".basic-memory", tmp_path / "settings")
    moved = around.but(environ={"BASIC_MEMORY_CONFIG_DIR": str(tmp_path / "settings")})
    first = around.but(environ={"BASIC_MEMORY_HOME": str(tmp_path / "kb")})

    found = [
        [place.path for place in basic_memory.find_places(each)] for each in (moved, first, around)
    ]

    assert found == [[str(tmp_path / "kb")], [str(tmp_path / "kb")], []]


def test_what_is_wrong_stays_out_and_the_rest_comes_in(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    folder = tmp_path / "kb"
    put(folder / "endless.md", "word " * MAX_PAGE)
    put(folder / "hidden\u200b.md", "- [fact] Nobody sees its name.")
    put(folder / "front.md", "---\ntitle: [\ntags: {a: [b}\n- x\n---\n- [fact] Odd front matter\n")
    put(folder / "unsafe.md", "- [fact] Turns\u202e around\n- [" + "x" * 70 + "] long category\n")
    (folder / "bytes.md").write_bytes(b"\xff\xff")
    put(tmp_path / "outside.md", "- [fact] Stolen")
    os.symlink(tmp_path / "outside.md", folder / "link.md")
    os.symlink(folder, folder / "loop")

    report = imported(basic_memory, folder)

    texts = [note.text for note in all_notes(store) if note.kind != "page"]
    assert texts == ["Odd front matter"]
    assert set(report.refused) == {"bytes.md", "endless.md", "link.md", "unsafe.md", "unsafe.md:1"}


def test_settings_that_are_wrong_offer_nothing(around: ImportContext, user: Path) -> None:
    for written in ("", "[]", '{"projects": 3}', '{"projects": {"a": 1, "b": {"path": 2}}}'):
        put(user / ".basic-memory" / "config.json", written)

        assert basic_memory.find_places(around) == []


def test_no_more_files_are_read_than_the_most_and_that_is_told(
    imported: Imported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ash", "elm", "oak"):
        put(tmp_path / f"kb/{name}.md", f"- [tip] About {name} trees.\n")
    monkeypatch.setattr(basic_memory, "MOST_FILES", 2)

    report = imported(basic_memory, tmp_path / "kb")

    assert len(report.imported) == 2
    assert report.refused == {"oak.md": "more than 2 files; the rest stays out"}
