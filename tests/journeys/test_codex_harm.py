"""Whatever is wrong with us, a session of Codex goes on as if we were not there."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import pytest
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.script import calls
from tests.requirements import requirement

import twiceshy

pytestmark = pytest.mark.journey

PACKAGE = Path(twiceshy.__file__).parent
LESSON = "Weigh the box before you tape it shut."


class Session(NamedTuple):
    """How a session went for the user and for the model."""

    code: int
    out: str
    sent: str


@pytest.fixture
def shop(codex: Codex) -> Path:
    codex.lab.twiceshy("install", "codex", "--yes")
    project = codex.lab.project("shop")
    codex.skill(project, "pack")
    codex.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    return project


def session(codex: Codex, project: Path, *, hooks: bool = True) -> Session:
    """Run one session; the client skips hooks that nobody trusts."""
    codex.trusts_hooks = hooks
    ran = codex.ask(
        "pack the box",
        calls("exec_command", cmd="cat .agents/skills/pack/SKILL.md"),
        calls("exec_command", cmd="echo no tape; exit 3"),
        calls("exec_command", cmd="echo taped"),
        project=project,
        TWICESHY_HOOK_WALL_MS="300",
    )
    bodies = [request.body["input"] for request in codex.lab.requests]
    return Session(ran.code, ran.out, json.dumps(neutral(codex.lab, bodies)))


def the_hook_raises(hook: Path) -> None:
    break_module(hook, "raise RuntimeError('boom')\n")


def the_hook_never_ends(hook: Path) -> None:
    break_module(hook, "while True:\n    pass\n")


def the_hook_is_killed(hook: Path) -> None:
    hook.write_text("#!/bin/sh\nkill -9 $$\n")


def the_hook_fails_and_babbles(hook: Path) -> None:
    hook.write_text("#!/bin/sh\necho oops >&2\nexit 3\n")


def the_launcher_is_gone(hook: Path) -> None:
    hook.unlink()


def break_module(hook: Path, source: str) -> None:
    """Let the hooks use a copy of the package in which the module that answers is spoiled."""
    # a place of its own: what an earlier copy left running may still write to that
    copy = Path(mkdtemp(dir=hook.parents[2])) / "twiceshy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "recall" / "respond.py").write_text(source)
    hook.write_text(hook.read_text().replace(f"{PACKAGE}/", f"{copy}/"))


SABOTAGE: list[Callable[[Path], None]] = [
    the_hook_raises,
    the_hook_never_ends,
    the_hook_is_killed,
    the_hook_fails_and_babbles,
    the_launcher_is_gone,
]


@requirement("R13")
def test_a_session_is_the_same_as_without_us_whatever_is_wrong_with_the_hook(
    codex: Codex, shop: Path
) -> None:
    hook = codex.lab.memory / "bin" / "hook"
    sound = hook.read_text()
    without_us = session(codex, shop, hooks=False)

    with_us = {}
    for sabotage in SABOTAGE:
        hook.write_text(sound)
        hook.chmod(0o700)
        sabotage(hook)
        with_us[sabotage.__name__] = session(codex, shop)

    assert (without_us.code, without_us.out) == (0, "All done.\n")
    assert LESSON not in without_us.sent
    assert with_us == {sabotage.__name__: without_us for sabotage in SABOTAGE}


def test_a_session_goes_on_after_the_memory_home_was_deleted(codex: Codex, shop: Path) -> None:
    shutil.rmtree(codex.lab.memory)

    ran = session(codex, shop)

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert not codex.lab.memory.exists()
