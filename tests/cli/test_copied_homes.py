"""A memory home that is copied becomes a device of its own, and nothing of either copy is lost."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.person import run_by_person
from tests.requirements import requirement
from tests.sync.support import bare

from twiceshy.store import device

SHARED = "Fetch the tags before tagging."


class CopiedHome:
    """A memory home in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: str) -> str:
        env = {"TWICESHY_HOME": str(self.folder)}
        done = run_by_person(*words, cwd=self.folder.parent, env=env)
        assert done.code == 0, done.err
        return done.out

    def note(self, text: str) -> str:
        """Write a note; return the device that wrote it."""
        self.run("note", text)
        return self.device()

    def device(self) -> str:
        with closing(sqlite3.connect(self.folder / "twiceshy.db")) as db:
            [(found,)] = db.execute("SELECT device FROM journal ORDER BY clock DESC LIMIT 1")
        return str(found)

    def texts(self) -> set[str]:
        return {note["text"] for note in json.loads(self.run("list", "--json"))}

    def copy(self, target: Path) -> "CopiedHome":
        return CopiedHome(shutil.copytree(self.folder, target))

    def examine(self) -> str:
        [found] = [
            one for one in json.loads(self.run("doctor", "--json")) if one["what"] == "device"
        ]
        return str(found["message"])


@pytest.fixture
def first(tmp_path: Path) -> CopiedHome:
    """A memory home with a note."""
    home = CopiedHome(tmp_path / "first")
    home.folder.mkdir(mode=0o700)
    home.note(SHARED)
    return home


@requirement("T242")
def test_a_copied_home_writes_with_an_id_of_its_own_and_the_doctor_says_so(
    first: CopiedHome, tmp_path: Path
) -> None:
    before = first.device()
    copy = first.copy(tmp_path / "copy")

    assert len(before) == 32
    assert copy.note("Written in the copy.") != before
    assert first.note("Written in the first.") == before
    assert "copied or moved" in copy.examine()
    assert "copied or moved" not in first.examine()


@requirement("T242")
def test_the_same_folder_on_another_machine_is_another_device(
    first: CopiedHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices: list[str] = []
    for machine in "abab":
        (tmp_path / machine).write_text(f"{machine}\n")
        monkeypatch.setattr(device, "_MACHINE_FILES", (str(tmp_path / machine),))
        devices.append(first.note(f"Note {len(devices)} of {machine}."))

    assert len(set(devices)) == 2
    assert devices[:2] == devices[2:]


def test_reading_a_copied_home_changes_nothing(first: CopiedHome, tmp_path: Path) -> None:
    copy = first.copy(tmp_path / "copy")
    before = copy.device()

    copy.run("list")
    copy.run("doctor")

    assert "copied" not in copy.examine()
    assert copy.device() == before


@requirement("T242")
def test_copies_that_share_a_remote_end_with_the_notes_of_both(
    first: CopiedHome, tmp_path: Path
) -> None:
    remote = bare(tmp_path / "remote")
    first.run("sync", "--remote", remote)
    copy, moved = first.copy(tmp_path / "copy"), first.copy(tmp_path / "other")
    for home in (first, copy, moved):
        home.note(f"Written in {home.folder.name}.")

    for home in (copy, first, moved, copy, first):
        home.run("sync", "--remote", remote)

    written = {SHARED, "Written in first.", "Written in copy.", "Written in other."}
    assert first.texts() == copy.texts() == moved.texts() == written
