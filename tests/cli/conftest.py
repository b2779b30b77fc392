"""Commands run in this process, in a project of their own; what they print is caught."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.person import AT_TERMINAL, run_as_person
from tests.store.support import prepare

from twiceshy.cli import run_command_line
from twiceshy.files import replace
from twiceshy.interop.views import files


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ran]
# Commands that need a store, and would create the one that they find here.
NEED_A_STORE = frozenset(
    """add-decision add-issue add-pattern analyze checkpoint compact-guide diary extract-facts flush
    handoff import inject learn memory-set note save show todo""".split()
)


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is in the middle of writing a view here: 0.5 s need not be waited to be sure."""
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


@pytest.fixture
def older_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of older systems are written, and no vault."""
    monkeypatch.setenv("TWICESHY_VIEWS_LAYOUTS", "fireworks,memory-keeper,memory-engine")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def twiceshy(project: Path, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run ``twiceshy`` with some words, as a ``person`` does; without ``fails`` it must succeed."""

    def call(*words: str, fails: int = 0, person: bool = True) -> Ran:
        if words and words[0] in NEED_A_STORE:
            prepare(Path(os.environ["TWICESHY_HOME"]))
        capfd.readouterr()
        code = run_command_line(list(words))
        printed = capfd.readouterr()
        if code and person and AT_TERMINAL in printed.err:
            ran = Ran(*run_as_person(*words))  # nothing was changed before it was refused
        else:
            ran = Ran(code, printed.out, printed.err)
        assert ran.code == fails, ran.err
        return ran

    return call
