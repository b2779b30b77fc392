"""What the user edited is asked of git: real repositories, and nothing in them is run."""

import subprocess
from pathlib import Path

import pytest

from twiceshy.core.errors import NotFoundError
from twiceshy.places.git import diff_since
from twiceshy.project.notebook.diffs import read_diff


def git(where: Path, *arguments: str) -> str:
    settings = ["user.name=A", "user.email=a@example.org", "commit.gpgSign=false"]
    flags = [flag for setting in settings for flag in ("-c", setting)]
    command = ["git", *flags, "-C", str(where), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.md").write_text("We utilize it.\n")
    (folder / "logo.bin").write_bytes(b"\0\1\2")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def test_the_working_tree_is_compared_with_the_last_commit(repository: Path) -> None:
    (repository / "a.md").write_text("We use it.\n")
    (repository / "docs").mkdir()

    [edited] = read_diff(diff_since(str(repository / "docs"))).edited

    assert (edited.file, edited.before, edited.after) == ("a.md", "We utilize it.", "We use it.")
    assert edited.base


def test_an_older_commit_can_be_compared_with(repository: Path) -> None:
    (repository / "a.md").write_text("We use it.\n")
    git(repository, "commit", "-qam", "second")

    assert diff_since(str(repository)) == ""
    assert "utilize" in diff_since(str(repository), "HEAD~1")


def test_files_are_shown_whole_and_binary_ones_are_named(repository: Path) -> None:
    (repository / "a.md").write_text("<private>\n" + "x\n" * 50 + "We use it.\n</private>\n")
    (repository / "logo.bin").write_bytes(b"\0\3")

    diff = read_diff(diff_since(str(repository)))

    assert diff.skipped == ("logo.bin",)
    assert "<private>" in diff.edited[0].after


@pytest.mark.parametrize("revision", ["nothing", "--output=stolen", "-p", "", "a\0b"])
def test_a_revision_that_git_does_not_know_is_refused(repository: Path, revision: str) -> None:
    with pytest.raises(NotFoundError) as refused:
        diff_since(str(repository), revision)

    assert refused.value.hint
    assert not (repository / "stolen").exists()


def test_without_a_repository_or_a_commit_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no git repository"):
        diff_since(str(tmp_path))
    git(tmp_path, "init", "-q")
    with pytest.raises(NotFoundError, match="knows no commit"):
        diff_since(str(tmp_path))


def test_no_program_of_the_repository_is_run(repository: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    programs = ("diff.external", "core.fsmonitor", "diff.x.textconv", "filter.x.clean")
    for name in (*programs, "filter.y.process"):
        git(repository, "config", name, str(program))
    git(repository, "config", "filter.x.required", "true")
    attributes = "*.md diff=x filter=x\n*.bin filter=y\n"
    (repository / ".gitattributes").write_text(attributes)
    (repository / "logo.bin").write_bytes(b"\0\3")
    (repository / "a.md").write_text("We use it.\n")

    assert "We use it." in diff_since(str(repository))
    assert not (tmp_path / "ran").exists()
