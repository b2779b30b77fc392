"""The vault after a session: the job that a hook starts brings it up to date, and takes edits in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hooks.sessions import Session, learning, state
from tests.hooks.test_episodes import asks
from tests.requirements import requirement

from twiceshy.app import open_app
from twiceshy.cli import run_command_line
from twiceshy.core.filter import NoteFilter
from twiceshy.hooks.background import write_views


@pytest.fixture
def shop(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    state(home, folder)
    monkeypatch.chdir(folder)
    return folder


def work(project: Path, name: str, said: str) -> None:
    """Let a session with real hook processes say something and end, with its background job."""
    session = Session(project, name)
    session.how = {"cwd": project}
    session.start()
    asks(session, said, answer="It is done.")
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


def all_files(vault: Path) -> dict[Path, tuple[bytes, int]]:
    found = (path for path in vault.rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_ino) for path in found}


@requirement("T341", "T340")
def test_the_end_of_the_first_session_makes_the_vault(home: Path, shop: Path) -> None:
    work(shop, "session-1", "Fix the parser of dates")

    [file] = (home / "vault" / "shop" / "sessions").iterdir()
    assert file.name.endswith("Fix the parser of dates.md")
    assert "\n# Fix the parser of dates\n" in file.read_text()
    assert f"/{file.name}>)" in (home / "vault" / "shop" / "MEMORY.md").read_text()
    assert "(shop/MEMORY.md)" in (home / "vault" / "MEMORY.md").read_text()
    assert not (home / "views").exists()
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert oct((home / "vault").stat().st_mode & 0o777) == "0o700"


@requirement("T341", "T342")
def test_the_end_of_a_session_reads_edits_and_replaces_only_files_that_changed(
    home: Path, shop: Path
) -> None:
    assert run_command_line(["todo", "add", "write the docs"]) == 0
    assert run_command_line(["memory-set", "deploy", "Ship it."]) == 0
    work(shop, "session-1", "Fix the parser of dates")
    vault = home / "vault" / "shop"
    before = all_files(vault)
    tasks = vault / "Tasks.md"
    tasks.write_text(tasks.read_text().replace("write the docs", "write all docs"))

    work(shop, "session-2", "Speed up the tests")

    after = all_files(vault)
    with open_app() as app:
        [task] = app.store.notes(NoteFilter(kinds=("task",)))
    assert task.text == "write all docs"
    assert "write all docs" in tasks.read_text()
    changed = {path for path in before if after[path] != before[path]} - {tasks}
    assert {path.name for path in changed} <= {"MEMORY.md"}
    assert len(after) == len(before) + 1


@requirement("T341")
def test_files_of_other_projects_are_left_alone(home: Path, shop: Path, tmp_path: Path) -> None:
    work(shop, "session-1", "Fix the parser of dates")
    before = all_files(home / "vault" / "shop")
    site = tmp_path / "site"
    site.mkdir()

    work(site, "session-2", "Speed up the site")

    assert all_files(home / "vault" / "shop") == before
    assert "(site/MEMORY.md)" in (home / "vault" / "MEMORY.md").read_text()


@requirement("T343")
def test_a_vault_that_was_deleted_is_made_anew_after_the_next_session(
    home: Path, shop: Path
) -> None:
    assert run_command_line(["todo", "add", "write the docs"]) == 0
    work(shop, "session-1", "Fix the parser of dates")
    shutil.rmtree(home / "vault")

    work(shop, "session-2", "Speed up the tests")

    assert "write the docs" in (home / "vault" / "shop" / "Tasks.md").read_text()
    assert len(list((home / "vault" / "shop" / "sessions").iterdir())) == 2
    with open_app() as app:
        assert app.store.count_notes(NoteFilter(kinds=("task",), statuses=("active",))) == 1


FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from twiceshy.app import open_app
from twiceshy.hooks.background import write_views
from twiceshy.interop.views import files, refresh
with open_app() as app:
    write = files.write_over
    def write_without_room(*given):
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))
        try:
            return write(*given)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    refresh.write_over = write_without_room
    write_views(app)
"""


@requirement("T341")
def test_a_full_disk_leaves_every_file_whole_and_the_next_session_catches_up(
    home: Path, shop: Path
) -> None:
    assert run_command_line(["todo", "add", "write the docs"]) == 0
    with open_app() as app:
        write_views(app)
    before = all_files(home / "vault")
    assert run_command_line(["todo", "add", "ship it"]) == 0
    assert run_command_line(["note", "Look twice"]) == 0

    full = subprocess.run([sys.executable, "-c", FULL_DISK], check=False, capture_output=True)

    assert (full.returncode, full.stderr) == (0, b"")
    assert all_files(home / "vault") == before
    assert "Tasks.md: " in (home / "run.log").read_text()
    with open_app() as app:
        write_views(app)
    assert "ship it" in (home / "vault" / "shop" / "Tasks.md").read_text()
    assert "Look twice" in (home / "vault" / "shop" / "Lessons.md").read_text()
    assert [name for name in os.listdir(home / "vault" / "shop") if "~" in name] == []
