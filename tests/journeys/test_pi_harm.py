"""Whatever is wrong with us, a session of Pi goes on as if we were not there; and when we go, nothing is left."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.script import calls
from tests.requirements import requirement
from tests.store.support import Clock, bytes_under, learn, opened

import twiceshy
from twiceshy.app import read_clock
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope

if TYPE_CHECKING:
    from tests.journeys.lab.pi import Pi

pytestmark = pytest.mark.journey

PACKAGE = Path(twiceshy.__file__).parent
LESSON = "Weigh the box before you tape it shut."
# As a person left it: tabs, an odd order, no line break at the end.
SETTINGS = '{\n\t"theme":"dark", "defaultModel": "lab-model",\n\t"defaultProvider": "lab"\n}'


def spoil(pi: Pi, source: str) -> None:
    """Let the hooks use a copy of the package in which a module is spoiled."""
    copy = pi.lab.root / "package" / "twiceshy"
    if not copy.exists():
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "recall" / "respond.py").write_text(source)
    launcher = pi.lab.memory / "bin" / "hook"
    launcher.write_text(launcher.read_text().replace(f"{PACKAGE}/", f"{copy}/"))


def the_hook_raises(pi: Pi) -> None:
    spoil(pi, "raise RuntimeError('boom')\n")


def the_hook_never_ends_and_cannot_be_asked_to(pi: Pi) -> None:
    spoil(
        pi, "import signal\nsignal.alarm(0)\nsignal.pthread_sigmask(0, {14})\nwhile True: pass\n"
    )


def the_launcher_is_gone(pi: Pi) -> None:
    (pi.lab.memory / "bin" / "hook").unlink()


SABOTAGES = (the_hook_raises, the_hook_never_ends_and_cannot_be_asked_to, the_launcher_is_gone)


def session(pi: Pi, project: Path) -> tuple[int, str, str, str]:
    """Run a session; return how it went for the user, and for the model."""
    ran = pi.ask(
        "pack the box",
        calls("bash", command="echo no tape; exit 3"),
        project=project,
        TWICESHY_HOOK_WALL_MS="300",
    )
    sent = [neutral(pi.lab, request.body["messages"]) for request in pi.lab.requests]
    return ran.code, ran.out, ran.err, json.dumps(sent)


@requirement("R13")
def test_a_session_is_the_same_as_without_us_whatever_is_wrong(pi: Pi) -> None:
    project = pi.lab.project("shop")
    pi.lab.twiceshy("install", "pi", "--yes")
    settings, launcher = pi.settings.read_text(), pi.lab.memory / "bin" / "hook"
    script = launcher.read_text()
    # the skill of our package is listed in every session; compared is what our extension does
    pi.set(packages=[{"source": str(pi.lab.memory / "pi"), "extensions": []}])
    without_us = session(pi, project)
    pi.settings.write_text(settings)
    with opened(pi.lab.memory, clock=Clock(read_clock())) as store:
        learn(store, LESSON, scope=Scope(EVERYWHERE, NO_SKILL))
    with_us = session(pi, project)

    went = {}
    for sabotage in SABOTAGES:
        launcher.write_text(script)
        launcher.chmod(0o700)
        sabotage(pi)
        went[sabotage.__name__] = session(pi, project)

    assert without_us[:3] == (0, "All done.\n", "")
    assert went == dict.fromkeys(went, without_us)
    assert (LESSON in without_us[3], LESSON in with_us[3]) == (False, True)


@requirement("R13")
def test_when_we_are_taken_out_nothing_of_us_is_left(pi: Pi) -> None:
    project = pi.lab.project("shop")
    pi.settings.write_text(SETTINGS)
    before = bytes_under(pi.folder)
    pi.lab.twiceshy("install", "pi", "--yes")
    pi.ask("pack", project=project)
    offered = [tool["function"]["name"] for tool in pi.lab.requests[0].body["tools"]]
    doctor = pi.lab.twiceshy("doctor", cwd=project)

    pi.lab.twiceshy("uninstall", "pi", "--yes")

    assert "skill_recall" in offered
    assert "a hook of Pi was run, and showed a test note" in doctor.out
    after = bytes_under(pi.folder)
    assert pi.settings.read_text() == SETTINGS
    assert {path: after[path] for path in before} == before
    known = [path for path, content in after.items() if b".twiceshy" in content]
    assert set(known) <= set(pi.transcripts())  # what was said in a session stays said
    assert not (pi.lab.memory / "pi").exists()
