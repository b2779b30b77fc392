"""Views are brought up to date after a session, and never fail aloud."""

from pathlib import Path

import pytest

from twiceshy.app import open_app
from twiceshy.cli import run_command_line
from twiceshy.core.filter import NoteFilter
from twiceshy.hooks.background import write_views


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run_command_line(["note", "Lock before tagging", "--skill", "release"]) == 0
    return folder


@pytest.fixture
def knowledge(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a layout that was switched on."""
    monkeypatch.setenv("TWICESHY_VIEWS_LAYOUTS", "fireworks,memory-engine")
    return home / "views" / "shop" / "skills" / "release" / "KNOWLEDGE.md"


def session_over() -> None:
    with open_app() as app:
        write_views(app)


def test_nothing_is_written_by_itself_once_that_is_switched_off(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_VIEWS_AUTO", "false")

    session_over()

    assert not (home / "vault").exists()
    assert not (home / "views").exists()


def test_views_are_written_and_edits_are_read_after_a_session(knowledge: Path) -> None:
    session_over()
    knowledge.write_text(knowledge.read_text() + "- Ask Ana first\n")
    session_over()

    assert "Lock before tagging" in knowledge.read_text()
    with open_app() as app:
        kept = {note.text for note in app.store.notes(NoteFilter(kinds=("lesson",)))}
    assert kept == {"Lock before tagging", "Ask Ana first"}


def test_what_is_wrong_with_one_view_is_logged_and_keeps_no_other_from_being_written(
    home: Path, knowledge: Path
) -> None:
    knowledge.parent.mkdir(parents=True)
    knowledge.symlink_to(home / "elsewhere")

    session_over()

    assert (home / "views" / "shop" / "memory" / "MEMORY.md").exists()
    assert "is a link" in (home / "run.log").read_text()


def test_a_secret_that_is_taken_out_is_logged(home: Path, knowledge: Path) -> None:
    session_over()
    knowledge.write_text(knowledge.read_text() + f"\nghp_{'a1B2c3D4e5' * 4}\n")

    session_over()

    assert "ghp_" not in knowledge.read_text()
    assert "KNOWLEDGE.md: a secret was taken out" in (home / "run.log").read_text()
