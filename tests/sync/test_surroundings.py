"""The user's git may be set up in any way, and may even have called us: the repository says the same."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, bytes_under, modes_under, opened
from tests.sync.support import all_notes, bare, cloned, in_remote, meet
from tests.sync.test_bundle import noted

from twiceshy.sync.rules import SyncError

SETTINGS = """
[user]
    useConfigOnly = true
[commit]
    gpgSign = true
[tag]
    gpgSign = true
[gpg]
    program = {hooks}/post-checkout
[push]
    gpgSign = if-asked
    pushOption = ci.skip
    followTags = true
    default = nothing
[core]
    autocrlf = true
    hooksPath = {hooks}
    safecrlf = true
    attributesFile = {hooks}/attributes
    pager = {hooks}/post-checkout
[init]
    templateDir = {hooks}/..
    defaultBranch = trunk
    defaultObjectFormat = sha256
[color]
    ui = always
[fetch]
    prune = true
    writeCommitGraph = true
[gc]
    auto = 1
[url "{remotes}/"]
    insteadOf = mine:
"""
HOOKS = ("pre-push", "reference-transaction", "post-checkout", "pre-auto-gc", "post-rewrite")
CALLED = """#!/bin/sh
touch {called}
cat
"""


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What appears when a program is run that only the user's settings know."""
    called, hooks = tmp_path / "called", tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    for name in HOOKS:
        (hooks / name).write_text(CALLED.format(called=called))
        (hooks / name).chmod(0o755)
    (hooks / "attributes").write_text("* text eol=crlf filter=x\n")
    settings = tmp_path / "gitconfig"
    settings.write_text(SETTINGS.format(hooks=hooks, remotes=tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    return called


def test_the_settings_of_the_user_change_nothing_but_where_the_remote_is(
    tmp_path: Path, called: Path
) -> None:
    remote = str(tmp_path / "notes.git")
    words = ["--bare", "--quiet", "--template=", "--object-format=sha1", "-b", "main", remote]
    subprocess.run(["git", "init", *words], check=True)
    in_remote(remote, "config", "core.hooksPath", os.devnull)  # what is run over there is theirs
    called.unlink(missing_ok=True)

    for name in ("here", "there"):
        with opened(tmp_path / name, clock=Clock(NOW)) as store:
            if name == "here":
                noted(store, "One line.\nAnd another.")
            meet(store, cloned(tmp_path / name, "mine:notes.git"))
            assert len(all_notes(store)) == 1

    told = in_remote(remote, "cat-file", "blob", "main:format")
    assert told.startswith(b"twiceshy-sync 1\npurges 0\nrepository ")
    assert not called.exists()


def test_a_hook_of_git_may_call_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    subprocess.run(["git", "init", "--quiet", str(work)], check=True)
    before = bytes_under(work)
    remote = bare(tmp_path / "notes.git")
    for name, value in {
        "GIT_DIR": str(work / ".git"),
        "GIT_WORK_TREE": str(work),
        "GIT_INDEX_FILE": str(work / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(work / ".git" / "objects"),
        "GIT_QUARANTINE_PATH": str(work / ".git" / "objects" / "incoming"),
        "GIT_PREFIX": "x/",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='false'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": str(work),
        "GIT_NAMESPACE": "other",
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_AUTHOR_DATE": "nonsense",
    }.items():
        monkeypatch.setenv(name, value)

    with opened(tmp_path / "here", clock=Clock(NOW)) as store:
        noted(store)
        done = meet(store, cloned(tmp_path / "here", remote))

    for name in list(os.environ):
        if name.startswith("GIT_") and not name.startswith("GIT_CONFIG_"):
            monkeypatch.delenv(name)
    monkeypatch.delenv("GIT_CONFIG_PARAMETERS")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    assert done.pushed
    assert bytes_under(work) == before
    assert in_remote(remote, "for-each-ref", "--format=%(refname)") == b"refs/heads/main\n"
    assert not (tmp_path / "trace").exists()


def test_without_a_home_or_settings_it_works_and_nobody_else_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = bare(tmp_path / "notes.git")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME", "USER", "LOGNAME", "EMAIL"):
        monkeypatch.delenv(name, raising=False)

    with opened(tmp_path / "here", clock=Clock(NOW)) as store:
        noted(store)
        done = meet(store, cloned(tmp_path / "here", remote))

    assert done.pushed
    modes = modes_under(tmp_path / "here" / "sync").values()
    assert all(mode.endswith("00") for mode in modes)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to somebody else")
def test_a_repository_that_somebody_else_owns_is_no_access(tmp_path: Path) -> None:
    remote = bare(tmp_path / "notes.git")
    for path in (tmp_path / "notes.git", *(tmp_path / "notes.git").rglob("*")):
        shutil.chown(path, 12345, 12345)

    with (
        opened(tmp_path / "here", clock=Clock(NOW)) as store,
        pytest.raises(SyncError, match="you have no access to") as refused,
    ):
        meet(store, cloned(tmp_path / "here", remote))

    assert "git ls-remote" in refused.value.hint
