"""A push is judged by the commits it would send: real repositories, real processes."""

import os
import subprocess
from pathlib import Path

import pytest

from twiceshy.places import git_push
from twiceshy.places.git_push import GitPatience, find_sensitive_changes, read_push_settings
from twiceshy.safety.guard.commits import SensitiveChanges
from twiceshy.safety.guard.names import ProtectedNames
from twiceshy.safety.guard.push import GitPush, list_pushes

NAMES = ProtectedNames([".env", "*.pem"], [])
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
PATIENCE = 20.0


def git(where: Path, *arguments: str) -> str:
    settings = ["user.name=A", "user.email=a@example.org", "init.defaultBranch=main"]
    settings += ["protocol.file.allow=always", "commit.gpgSign=false"]
    flags = [flag for setting in settings for flag in ("-c", setting)]
    command = ["git", *flags, "-C", str(where), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(where: Path, name: str, text: str = "x\n") -> None:
    (where / name).parent.mkdir(exist_ok=True)
    (where / name).write_text(text)
    git(where, "add", "-A")
    git(where, "commit", "-q", "-m", name)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A repository with a remote that has all of it."""
    remote, app = tmp_path / "remote.git", tmp_path / "app"
    remote.mkdir()
    git(remote, "init", "-q", "--bare")
    app.mkdir()
    git(app, "init", "-q")
    git(app, "remote", "add", "origin", str(remote))
    commit(app, "README.md")
    git(app, "push", "-q", "-u", "origin", "main")
    return app


def sent(line: str, here: Path) -> SensitiveChanges:
    """Return what is sensitive in what the one push of a command line sends."""
    [push] = list_pushes(
        line, read_push_settings(str(here), patience=GitPatience(PATIENCE)).aliases
    )
    return find_sensitive_changes(push, str(here), NAMES, patience=GitPatience(PATIENCE))


def test_m15_a_sensitive_file_that_was_committed_is_found_before_it_goes_out(app: Path) -> None:
    commit(app, "conf/.env")
    commit(app, "b.py")

    assert sent("git push", app).files == ("conf/.env",)


def test_m15_what_is_only_staged_goes_nowhere(app: Path) -> None:
    (app / ".env").write_text("A=1\n")
    git(app, "add", "-A")

    assert not sent("git push", app)


def test_what_the_remote_has_already_does_not_go_out_again(app: Path) -> None:
    commit(app, ".env")
    git(app, "push", "-q")
    commit(app, "a.py")

    assert not sent("git push --force", app)


def test_a_file_that_a_later_commit_deletes_still_goes_out(app: Path) -> None:
    commit(app, "key.pem")
    git(app, "rm", "-q", "key.pem")
    git(app, "commit", "-q", "-m", "gone")

    assert sent("git push", app).files == ("key.pem",)


def test_a_secret_in_an_added_line_is_found_and_not_repeated(app: Path) -> None:
    commit(app, "grüße ü.py", f"token = '{TOKEN}'\n")

    found = sent("git push", app)

    assert [path for path, _ in found.secrets] == ["grüße ü.py"]
    assert TOKEN not in str(found)


@pytest.mark.parametrize(
    "line",
    [
        "git push -u origin topic",
        "git push origin topic:other",
        "git push origin HEAD",
        "git push --all",
        "git push origin 'refs/heads/*:refs/heads/*'",
        "git push --mirror",
        "git -C . push origin +topic",
        "git --git-dir=.git push origin topic",
        "git --git-dir .git --work-tree . push origin topic",
        "git ship",
    ],
)
def test_a_new_branch_is_looked_at_however_it_is_sent(line: str, app: Path) -> None:
    git(app, "switch", "-q", "-c", "topic")
    git(app, "config", "alias.ship", "push -u origin topic")
    commit(app, ".env")

    assert sent(line, app).files == (".env",)


def test_only_the_branch_that_is_named_goes_out(app: Path) -> None:
    git(app, "switch", "-q", "-c", "topic")
    commit(app, ".env")

    assert not sent("git push origin main", app)
    assert not sent("git push origin --delete topic", app)


def test_a_tag_takes_its_commits_along(app: Path) -> None:
    commit(app, ".env")
    git(app, "tag", "v1")
    git(app, "reset", "-q", "--hard", "HEAD~1")

    assert not sent("git push", app)
    assert sent("git push --tags", app).files == (".env",)
    assert sent("git push origin tag v1", app).files == (".env",)


def test_what_one_remote_has_is_new_to_another(app: Path, tmp_path: Path) -> None:
    commit(app, ".env")
    git(app, "push", "-q")
    git(app, "remote", "add", "public", str(tmp_path / "public.git"))

    assert sent("git push public main", app).files == (".env",)
    assert not sent("git push origin main", app)


def test_a_push_goes_where_the_branch_is_set_to_go(app: Path, tmp_path: Path) -> None:
    commit(app, ".env")
    git(app, "push", "-q")
    git(app, "remote", "add", "public", str(tmp_path / "public.git"))
    git(app, "config", "branch.main.pushRemote", "public")

    assert sent("git push", app).files == (".env",)


def test_a_push_in_another_repository_is_judged_by_that_one(app: Path, tmp_path: Path) -> None:
    commit(app, ".env")
    (app / "web").mkdir()

    assert sent("git -C app push", tmp_path).files == (".env",)
    assert sent("cd app/web && git push", tmp_path).files == (".env",)
    assert sent(f"git -C {app} push", Path("/")).files == (".env",)


def test_nothing_is_said_where_there_is_no_repository(app: Path, tmp_path: Path) -> None:
    commit(app, ".env")

    assert not find_sensitive_changes(
        GitPush(), str(tmp_path), NAMES, patience=GitPatience(PATIENCE)
    )
    assert not find_sensitive_changes(
        GitPush(directory="/no/where"), str(app), NAMES, patience=GitPatience(PATIENCE)
    )
    assert read_push_settings(str(tmp_path), patience=GitPatience(PATIENCE)).aliases == {}


def sent_by(app: Path, **fields: object) -> SensitiveChanges:
    push = GitPush().but(**fields)
    return find_sensitive_changes(push, str(app), NAMES, patience=GitPatience(PATIENCE))


def test_what_git_cannot_tell_is_not_taken_for_harmless(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (app / ".git" / "HEAD").write_text("ref: refs/heads/gone\n")
    assert sent_by(app).unsure == "git could not tell"
    assert sent_by(app, directory="$OTHER").unsure == "its folder is not known before the call"
    monkeypatch.setenv("PATH", "/nowhere")
    assert sent_by(app).unsure == "git could not be started"


def test_a_branch_that_is_not_there_is_made_of_what_is_checked_out(app: Path) -> None:
    assert not sent_by(app, refs=("no-such-branch",))

    commit(app, ".env")

    assert sent_by(app, refs=("no-such-branch",)).files == (".env",)


def test_a_commit_on_the_same_line_sends_what_is_not_committed_yet(app: Path) -> None:
    (app / ".env").write_text("A=1\n")
    (app / "README.md").write_text(f"token {TOKEN}\n")
    (app / ".gitignore").write_text("ignored.pem\n")
    (app / "ignored.pem").write_text("x\n")

    found = sent_by(app, after_commit=True)

    assert found.files == (".env",)
    assert [path for path, _ in found.secrets] == ["README.md"]
    assert not sent_by(app)


def test_a_file_that_a_merge_adds_is_found(app: Path) -> None:
    git(app, "checkout", "-q", "-b", "side")
    commit(app, "side.txt")
    git(app, "checkout", "-q", "main")
    commit(app, "main.txt")
    git(app, "merge", "-q", "--no-commit", "side")
    (app / ".env").write_text("A=1\n")
    git(app, "add", "-f", ".env")
    git(app, "commit", "-q", "-m", "merge")

    assert sent_by(app).files == (".env",)


def test_a_remote_that_is_sent_more_branches_is_searched_for_all_of_them(app: Path) -> None:
    git(app, "checkout", "-q", "-b", "other")
    commit(app, ".env")
    git(app, "checkout", "-q", "main")
    assert not sent_by(app)

    git(app, "config", "remote.origin.push", "refs/heads/*")

    assert sent_by(app).files == (".env",)


def test_more_commits_than_can_be_searched_are_not_taken_for_harmless(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_push, "_MOST_COMMITS", 2)
    for number in range(2):
        commit(app, f"{number}.txt")
    assert not sent_by(app)

    commit(app, "3.txt")

    assert sent_by(app).unsure == "it sends more than 2 commits"


def test_a_push_that_there_is_no_time_to_search_is_not_taken_for_harmless(app: Path) -> None:
    commit(app, ".env")

    found = find_sensitive_changes(GitPush(), str(app), NAMES, patience=GitPatience(0.000001))

    assert found
    assert found.unsure == "git did not answer in time"


def test_no_program_that_a_repository_names_is_run(app: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> '{trace}'\ncat \"$1\"\n")
    program.chmod(0o700)
    commit(app, ".gitattributes", "*.py diff=odd\n")
    commit(app, "a.py", f"token = '{TOKEN}'\n")
    for setting in ("diff.odd.textconv", "diff.odd.command", "diff.external", "gpg.program"):
        git(app, "config", setting, str(program))
    git(app, "config", "core.fsmonitor", str(program))
    git(app, "config", "core.pager", str(program))
    git(app, "config", "log.showSignature", "true")

    found = sent("git push", app)

    assert [path for path, _ in found.secrets] == ["a.py"]
    assert not trace.exists()


def test_nor_is_one_run_for_what_is_not_committed_yet(app: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> '{trace}'\ncat\n")
    program.chmod(0o700)
    commit(app, ".gitattributes", "*.py diff=odd filter=odd\n")
    commit(app, "a.py", "token = ''\n")
    for setting in ("diff.odd.textconv", "diff.external", "core.fsmonitor", "filter.odd.clean"):
        git(app, "config", setting, str(program))
    git(app, "config", "filter.odd.required", "true")
    (app / "a.py").write_text(f"token = '{TOKEN}'\n")
    trace.unlink(missing_ok=True)  # setting up may have run it

    found = sent_by(app, after_commit=True)

    assert [path for path, _ in found.secrets] == ["a.py"]
    assert not trace.exists()


def test_settings_that_change_how_git_writes_change_nothing(app: Path) -> None:
    for name, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "color.ui": "always",
        "core.quotePath": "true",
        "log.diffMerges": "off",
        "diff.renames": "copies",
        "format.pretty": "fuller",
    }.items():
        git(app, "config", name, value)
    commit(app, ".env", f"T={TOKEN}\n")

    found = sent("git push", app)

    assert found.files == (".env",)
    assert [path for path, _ in found.secrets] == [".env"]


def test_the_environment_of_another_repository_does_not_mislead(
    app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(app, ".env")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "remote.git"))
    monkeypatch.setenv("GIT_WORK_TREE", os.fspath(tmp_path))

    found = find_sensitive_changes(GitPush(), str(app), NAMES, patience=GitPatience(PATIENCE))

    assert found.files == (".env",)
