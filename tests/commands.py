"""Commands in this process, with a folder, variables and streams of their own: 15 ms, where a process takes 80."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

from twiceshy.cli import run_command_line


class Command(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run_command(*words: str, cwd: Path, env: Mapping[str, str], stdin: str = "") -> Command:
    """Run ``twiceshy`` in a folder, with these variables beside those that are set."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, _time_zone(env):
        patch.chdir(cwd)
        for name, value in env.items():
            patch.setenv(name, value)
        given = TextIOWrapper(BytesIO(stdin.encode()), encoding="utf-8")
        for name, stream in {"stdin": given, "stdout": out, "stderr": err}.items():
            patch.setattr(sys, name, stream)
        code = run_command_line(list(words))
    return Command(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


@contextmanager
def _time_zone(env: Mapping[str, str]) -> Iterator[None]:
    """Let local time be that of the variables, if they name it."""
    if "TZ" not in env:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", env["TZ"])
        time.tzset()
        yield
    time.tzset()
