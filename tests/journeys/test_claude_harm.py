"""Whatever is wrong with us, a session of Claude Code goes on as if we were not there."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.script import calls
from tests.requirements import requirement

import twiceshy

pytestmark = pytest.mark.journey

PACKAGE = Path(twiceshy.__file__).parent
LESSON = "Weigh the box before you tape it shut."


def rewrite_launcher(claude: ClaudeCode, old: str, new: str) -> None:
    launcher = claude.lab.memory / "bin" / "hook"
    text = launcher.read_text()
    assert old in text
    launcher.write_text(text.replace(old, new))


def break_module(claude: ClaudeCode, name: str, source: str) -> None:
    """Let the hooks use a copy of the package in which one module is spoiled."""
    copy = claude.lab.root / "package" / "twiceshy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert (copy / name).exists()
    (copy / name).write_text(source)
    rewrite_launcher(claude, f"{PACKAGE}/", f"{copy}/")


def the_hook_raises(claude: ClaudeCode) -> None:
    break_module(claude, "recall/respond.py", "raise RuntimeError('boom')\n")


def the_hook_is_killed(claude: ClaudeCode) -> None:
    break_module(claude, "recall/respond.py", "import os\nos.kill(os.getpid(), 9)\n")


def the_hook_never_ends(claude: ClaudeCode) -> None:
    break_module(claude, "recall/respond.py", "while True:\n    pass\n")


def the_package_is_half_written(claude: ClaudeCode) -> None:
    break_module(claude, "hooks/entry.py", "def main(")


def the_interpreter_is_gone(claude: ClaudeCode) -> None:
    rewrite_launcher(claude, "python=", "python=/nowhere")


def the_database_is_garbage(claude: ClaudeCode) -> None:
    (claude.lab.memory / "twiceshy.db").write_bytes(b"This is no database. " * 1000)


def the_launcher_is_gone(claude: ClaudeCode) -> None:
    (claude.lab.memory / "bin" / "hook").unlink()


SILENT = [
    the_hook_raises,
    the_hook_is_killed,
    the_hook_never_ends,
    the_package_is_half_written,
    the_interpreter_is_gone,
    the_database_is_garbage,
]
# What nobody is left to be silent about: the client notes it for the user.
UNHEARD_BY_THE_MODEL = [the_launcher_is_gone]


class Session(NamedTuple):
    """How a session went for the user and for the model."""

    code: int
    out: str
    err: str
    sent: str


@pytest.fixture
def shop(connected: ClaudeCode) -> Path:
    project = connected.lab.project("shop")
    connected.trust(project)
    connected.skill(project, "pack")
    connected.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    return project


def session(claude: ClaudeCode, project: Path, *, hooks: bool, deadline: str = "300") -> Session:
    """Run one session, with our hooks or without them."""
    file = claude.lab.memory / "claude-code" / "plugins" / "twiceshy" / "hooks" / "hooks.json"
    installed = file.read_text()
    if not hooks:
        file.write_text('{"hooks": {}}')
    ran = claude.ask(
        "pack the box",
        calls("Skill", skill="pack"),
        calls("Bash", command="echo no tape; exit 3", description="Tape"),
        calls("Bash", command="echo taped", description="Tape again"),
        project=project,
        TWICESHY_HOOK_WALL_MS=deadline,
    )
    file.write_text(installed)
    bodies = [neutral(claude.lab, request.body) for request in claude.lab.requests]
    return Session(ran.code, ran.out, ran.err, json.dumps(bodies))


def test_when_all_is_well_the_model_is_told(connected: ClaudeCode, shop: Path) -> None:
    without_us = session(connected, shop, hooks=False)

    with_us = session(connected, shop, hooks=True, deadline="4000")

    assert with_us[:3] == without_us[:3] == (0, "All done.\n", "")
    assert LESSON in with_us.sent
    assert LESSON not in without_us.sent
    assert connected.hook_troubles() == []


@requirement("R13")
@pytest.mark.parametrize("sabotage", SILENT, ids=lambda sabotage: sabotage.__name__)
def test_a_session_is_the_same_as_without_us(
    connected: ClaudeCode, shop: Path, sabotage: Callable[[ClaudeCode], None]
) -> None:
    without_us = session(connected, shop, hooks=False)

    sabotage(connected)
    with_us = session(connected, shop, hooks=True)

    assert with_us == without_us
    assert connected.hook_troubles() == []


@pytest.mark.parametrize("sabotage", UNHEARD_BY_THE_MODEL, ids=lambda sabotage: sabotage.__name__)
def test_what_the_user_is_told_never_reaches_the_model(
    connected: ClaudeCode, shop: Path, sabotage: Callable[[ClaudeCode], None]
) -> None:
    without_us = session(connected, shop, hooks=False)

    sabotage(connected)
    with_us = session(connected, shop, hooks=True)

    assert (with_us.code, with_us.out) == (0, "All done.\n")
    assert with_us.sent == without_us.sent
    assert connected.hook_troubles()


def test_a_session_goes_on_after_the_memory_home_was_deleted(
    connected: ClaudeCode, shop: Path
) -> None:
    shutil.rmtree(connected.lab.memory)

    ran = connected.ask("pack the box", calls("Skill", skill="pack"), project=shop)

    assert (ran.code, ran.out, ran.err) == (0, "All done.\n", "")
    assert connected.lab.find("Launching skill: pack")
    assert not connected.lab.memory.exists()


def test_after_the_environment_moved_doctor_says_how_to_repair_it_and_that_helps(
    connected: ClaudeCode, shop: Path
) -> None:
    the_interpreter_is_gone(connected)
    pack = calls("Skill", skill="pack")

    connected.ask("pack", pack, project=shop)
    before = connected.lab.find(LESSON)
    doctor = connected.lab.twiceshy("doctor", cwd=shop, succeeds=False)
    connected.lab.twiceshy("install", "--yes")
    connected.ask("pack", pack, project=shop)

    assert before == []
    assert "which is gone" in doctor.out
    assert "run: twiceshy install" in doctor.out
    assert len(connected.lab.find(LESSON)) == 1
