"""How a repository stands, asked of real repositories by real processes, without a network."""

import subprocess
from pathlib import Path

import pytest

from twiceshy.places.git import Checkout, read_git_state


def git(where: Path, *arguments: str) -> None:
    settings = ["user.name=A", "user.email=a@example.org", "init.defaultBranch=main"]
    settings += ["protocol.file.allow=always", "commit.gpgSign=false"]
    flags = [flag for setting in settings for flag in ("-c", setting)]
    subprocess.run(["git", *flags, "-C", str(where), *arguments], check=True, capture_output=True)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A clone with two commits, and a remote that is known to have both."""
    remote, app = tmp_path / "remote.git", tmp_path / "app"
    remote.mkdir()
    git(remote, "init", "-q", "--bare")
    app.mkdir()
    git(app, "init", "-q")
    git(app, "remote", "add", "origin", str(remote))
    for name in ("a", "b"):
        (app / name).write_text("x\n")
        git(app, "add", "-A")
        git(app, "commit", "-q", "-m", name)
    git(app, "push", "-q", "-u", "origin", "main")
    return app


def test_a_repository_where_all_is_committed_is_clean(app: Path) -> None:
    assert read_git_state(str(app)) == Checkout(str(app), changed=0)


def test_changed_and_new_files_are_counted_from_any_folder(app: Path) -> None:
    (app / "a").write_text("y\n")
    (app / "new").mkdir()
    (app / "new" / "file\nname").write_text("z")

    found = read_git_state(str(app / "new"))

    assert found == Checkout(str(app), changed=2)


def test_commits_here_and_there_are_counted_by_the_last_fetch(app: Path) -> None:
    git(app, "reset", "-q", "--hard", "HEAD~1")
    (app / "c").write_text("x\n")
    git(app, "add", "-A")
    git(app, "commit", "-q", "-m", "c")

    assert read_git_state(str(app)) == Checkout(str(app), changed=0, ahead=1, behind=1)


def test_a_remote_that_cannot_be_reached_is_not_asked(app: Path) -> None:
    git(app, "remote", "set-url", "origin", "ssh://nowhere.invalid/app")

    assert read_git_state(str(app)) == Checkout(str(app), changed=0)


def test_the_index_stays_as_it_was(app: Path) -> None:
    (app / "a").write_text("x\n")  # the same again: git would like to note that
    before = (app / ".git" / "index").read_bytes()

    read_git_state(str(app))

    assert (app / ".git" / "index").read_bytes() == before


def test_a_program_that_watches_files_is_not_started(app: Path, tmp_path: Path) -> None:
    program = tmp_path / "watch"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o700)
    git(app, "config", "core.fsmonitor", str(program))

    read_git_state(str(app))

    assert not (tmp_path / "started").exists()


def test_a_folder_without_repository_and_a_bare_one_have_no_state(tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")

    assert read_git_state(str(tmp_path)) is None
    assert read_git_state(str(bare)) is None


def test_git_that_takes_too_long_has_nothing_to_say(app: Path) -> None:
    assert read_git_state(str(app), patience=0.0) is None


def test_a_repository_without_remote_is_not_behind(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    git(alone, "init", "-q")

    assert read_git_state(str(alone)) == Checkout(str(alone), changed=0)
