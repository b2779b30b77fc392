"""Commands run in this process, in a project of their own; what they print is caught."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from twiceshy.cli import run


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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def twiceshy(project: Path, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run ``twiceshy`` with some words; without ``fails`` it must succeed."""

    def call(*words: str, fails: int = 0) -> Ran:
        capfd.readouterr()
        code = run(list(words))
        printed = capfd.readouterr()
        assert code == fails, printed.err
        return Ran(code, printed.out, printed.err)

    return call
