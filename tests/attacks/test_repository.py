"""A repository full of programs: nothing of it runs, whatever looks at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import EVENTS, fire, payload, remember
from tests.requirements import requirement

from twiceshy.files import list_program_folders

if TYPE_CHECKING:
    from tests.attacks.tally import Tally

FAMILY = "programs that a repository brings"
HOOKS = """applypatch-msg fsmonitor-watchman post-checkout post-commit post-index-change post-merge pre-auto-gc
    pre-commit pre-push pre-rebase prepare-commit-msg reference-transaction update post-update pre-receive""".split()
PROGRAMS = """git ssh ssh-keygen gpg ps sh env python python3 node claude codex gemini gh less cat editor
    uname which git-status git-remote-ext""".split()
CONFIG = """\
[core]
	fsmonitor = {trap} fsmonitor
	hooksPath = {hooks}
	pager = {trap} pager
	sshCommand = {trap} sshCommand
	askPass = {trap} askPass
	editor = {trap} editor
	gitProxy = {trap} gitProxy
	alternateRefsCommand = {trap} alternateRefs
[diff]
	external = {trap} diff.external
[diff "evil"]
	textconv = {trap} textconv
	command = {trap} diff.command
[filter "evil"]
	clean = {trap} clean
	smudge = {trap} smudge
	required = true
[filter "e=v.il"]
	clean = {trap} clean-with-equals
	required = true
[merge "evil"]
	driver = {trap} merge
[alias]
	push = !{trap} alias
	st = !{trap} alias-st
[remote "origin"]
	url = ext::{trap} ext
	uploadpack = {trap} uploadpack
	receivepack = {trap} receivepack
	promisor = true
	partialclonefilter = blob:none
[credential]
	helper = !{trap} credential
[gpg]
	program = {trap} gpg
[gpg "ssh"]
	program = {trap} gpg.ssh
	defaultKeyCommand = {trap} defaultKey
[log]
	showSignature = true
[sequence]
	editor = {trap} sequence
[include]
	path = ../more.gitconfig
"""
COMMANDS: list[tuple[str, ...]] = [
    ("status",),
    ("doctor",),
    ("check",),
    ("full-check",),
    ("memory-health",),
    ("note", "The tag is signed."),
    ("recall", "tag"),
    ("search", "tag"),
    ("analyze",),
    ("sync",),
    ("export", "-"),
    ("views", "write"),
    ("views", "diff"),
    ("replay",),
    ("distill", "--plan"),
    ("install", "--plan"),
    ("uninstall", "--plan"),
    ("handoff", "topic", "--done", "x"),
    ("diary",),
    ("reload",),
    ("tend",),
    ("project",),
    ("reflect",),
    ("effect",),
    ("review",),
    ("import", "--plan"),
]
CALLS = (
    "git push",
    "git push origin main",
    "git commit -am x && git push",
    "git add . && git commit -m x && git push --force",
    "make release",
)


class Trapped:
    """A repository in which each program that could run leaves its name in a folder."""

    def __init__(self, place: Path, home: Path) -> None:
        self.root, self.marks, self.home = place / "clone", place / "marks", home
        self.trap = place / "trap"
        self.marks.mkdir(parents=True)
        self.trap.write_text(f'#!/bin/sh\n: > "{self.marks}/$1"\nexit 0\n')
        self.trap.chmod(0o755)
        self.git("init", "-q", "-b", "main", str(self.root), cwd=place)
        (self.root / "code.txt").write_text("one\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        (self.root / ".gitattributes").write_text(
            "*.txt filter=evil diff=evil merge=evil\n*.cfg filter=e=v.il\n"
        )
        self.plant_programs()
        hooks = self.root / ".git" / "hooks"
        config = CONFIG.format(trap=self.trap, hooks=hooks)
        (self.root / ".git" / "config").write_text(
            (self.root / ".git" / "config").read_text() + config
        )
        (self.root / "more.gitconfig").write_text(
            f'[filter "other"]\n\tclean = {self.trap} included\n'
        )
        (self.root / "code.txt").write_text("two\n")
        os.utime(self.root / "code.txt", (1, 1))
        (self.root / "b.cfg").write_text("x\n")

    def git(self, *words: str, cwd: Path | None = None) -> None:
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        author = ("-c", "user.name=u", "-c", "user.email=u@x")
        subprocess.run(
            ["git", *author, *words], cwd=cwd or self.root, check=True, env=os.environ | quiet
        )

    def ask(self, *words: str) -> None:
        """Ask git as anybody would; what never ends is ended."""
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["git", *words], cwd=self.root, capture_output=True, check=False, timeout=5,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip

    def plant_programs(self) -> None:
        """Put programs and modules into the folder in which everything runs, and hooks."""
        for name in (*PROGRAMS, ".husky/pre-commit"):
            self.plant(self.root / name, f"program {Path(name).name}")
        for name in HOOKS:
            self.plant(self.root / ".git" / "hooks" / name, f"hook {name}")
        (self.root / "twiceshy").mkdir()
        mark = f"open({str(self.marks / 'module')!r}, 'w')\n"
        for name in (
            "twiceshy/__init__",
            "sqlite3",
            "json",
            "re",
            "click",
            "sitecustomize",
            "usercustomize",
            "tomllib",
        ):
            (self.root / f"{name}.py").write_text(mark)
        (self.root / "evil.pth").write_text(f"import os; {mark}")
        (self.root / "pyvenv.cfg").write_text("home = .\n")
        (self.root / ".envrc").write_text(f"{self.trap} envrc\n")
        (self.root / ".twiceshy.toml").write_text(
            f'[distiller]\nbackend = "claude-cli"\n[embed]\nbackend = "openai"\nurl = "http://127.0.0.1:9/"\n'
            f'[sync]\nremote = "ext::{self.trap} settings"\n'
        )
        os.mkfifo(self.root / "pipe")

    def plant(self, path: Path, name: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\n: > "{self.marks}/{name}"\nexit 0\n')
        path.chmod(0o755)

    def seen(self) -> list[str]:
        """Return the names of what ran, and forget them."""
        found = sorted(each.name for each in self.marks.iterdir())
        for each in self.marks.iterdir():
            each.unlink()
        return found

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the installed program as from a shell whose PATH holds the folder one is in."""
        program = shutil.which("twiceshy", path=str(Path(sys.executable).parent))
        assert program
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        env["PATH"] = f".::node_modules/.bin:{env['PATH']}"
        return subprocess.run(
            [program, *words], cwd=self.root, env=env, capture_output=True, text=True, check=False, timeout=30,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip


@pytest.fixture
def trapped(tmp_path: Path, home: Path) -> Trapped:
    remember(home)
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    (home / "config.toml").write_text(f'[sync]\nremote = "{remote}"\n')
    return Trapped(tmp_path / "work", home)


def test_the_traps_are_set(trapped: Trapped, tally: Tally) -> None:
    for words in (
        ["status"],
        ["diff"],
        ["--no-pager", "diff", "--no-ext-diff"],
        ["add", "."],
        ["commit", "-qm", "x"],
    ):
        trapped.ask(*words)
    allowed = ["-c", "protocol.ext.allow=always"]
    trapped.ask(*allowed, "fetch")

    ran = trapped.seen()

    for name in (
        "fsmonitor",
        "clean",
        "clean-with-equals",
        "diff.command",
        "ext",
        "hook post-index-change",
    ):
        tally.expect_control(name, arrived=name in ran)
    assert tally.lost == [], ran


@requirement("Y84")
def test_no_hook_runs_a_program_of_the_repository(trapped: Trapped, tally: Tally) -> None:
    env = {"PATH": f".::{os.environ['PATH']}"}
    calls = [
        payload("PreToolUse", cwd=trapped.root, tool_input={"command": each}) for each in CALLS
    ]
    for said in [*(payload(event, cwd=trapped.root) for event in EVENTS), *calls]:
        answer = fire(said, cwd=trapped.root, env=env)
        ran = trapped.seen()
        what = f"{said['hook_event_name']}: {said.get('tool_input')}: {ran}"
        tally.count_attack(FAMILY, what, succeeded=bool(ran))
        assert (answer.code, answer.err) == (0, b"")
    assert tally.succeeded == []


@requirement("Y84")
def test_no_command_runs_a_program_of_the_repository(trapped: Trapped, tally: Tally) -> None:
    for words in COMMANDS:
        done = trapped.run(*words)
        ran = trapped.seen()
        tally.count_attack(FAMILY, f"{' '.join(words)}: {ran}", succeeded=bool(ran))
        assert "Traceback" not in done.stderr, done.stderr
    assert tally.succeeded == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin"),
        (".:/bin", "/bin"),
        (":/bin:", "/bin"),
        ("node_modules/.bin:/bin:../x", "/bin"),
        ("", ""),
    ],
)
def test_programs_are_looked_for_in_no_relative_folder(given: str, kept: str) -> None:
    assert list_program_folders(given) == kept
