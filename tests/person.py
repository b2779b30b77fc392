"""A person at a terminal: commands run on a terminal of their own, and the code that is asked for is typed."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NoReturn

from tests.commands import Command, run_command

from twiceshy.cli import run_command_line

if TYPE_CHECKING:
    from pathlib import Path

AT_TERMINAL = (
    "only a person at a terminal may"  # what only a person may do, and was tried without one
)
_ASKED = re.compile("(?:type|请输入|請輸入) ?([a-z]{5}) [^\n]*$")
_QUESTION = re.compile("[^\n]*?(?:type|请输入|請輸入) ?[a-z]{5} [^\n]*\n")
_SECONDS = 60
Typing = Callable[[str], str]


def type_code(code: str) -> str:
    """Type the code as it is shown."""
    return f"{code}\n"


class PersonTerminal:
    """A terminal of its own, with a function that runs on it in a process with nothing above it."""

    def __init__(
        self,
        run: Callable[[], int],
        *,
        errors: int = -1,
        types: Typing = type_code,
        orphan: bool = True,
    ) -> None:
        """Start the function; without ``orphan``, this process stays its parent."""
        self.ours, theirs = pty.openpty()
        self.shown, self._raw, self._types, self._asked = "", b"", types, 0
        self._told, tell = os.pipe()
        self._child = _fork()
        if self._child == 0:
            os.close(self.ours)
            os.close(self._told)
            _become(run, theirs, errors, tell, orphan=orphan)
        os.close(theirs)
        os.close(tell)

    def read(self) -> bool:
        """Read what is shown next, and type the code if one is asked for; False at the end."""
        ready, _, _ = select.select([self.ours], [], [], _SECONDS)
        assert ready, self.shown
        try:
            some = os.read(self.ours, 65_536)
        except OSError:  # the terminal is closed when the function ends
            return False
        self._raw += some
        self.shown = self._raw.decode("utf-8", "replace").replace("\r\n", "\n")
        if found := _ASKED.search(self.shown, self._asked):
            self._asked = len(self.shown)
            self.type(self._types(found[1]))
        return bool(some)

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self.ours, text.encode())

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        while self.read():
            pass
        told = os.read(self._told, 16)
        os.waitpid(self._child, 0)
        os.close(self._told)
        os.close(self.ours)
        return int(told or b"-1")


def run_as_person(
    *words: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    types: Typing = type_code,
    typed: str = "",
) -> Command:
    """Run ``twiceshy`` on a terminal of its own; what it says to stderr is kept apart.

    ``typed`` is there before anything is asked, for questions that are no question for a code.
    """

    def run() -> int:
        if cwd is not None:
            os.chdir(cwd)
        os.environ.update(env or {})
        return run_command_line(list(words))

    with tempfile.TemporaryFile() as errors:
        terminal = PersonTerminal(run, errors=errors.fileno(), types=types)
        terminal.type(typed)
        code = terminal.end()
        errors.seek(0)
        return Command(code, _QUESTION.sub("", terminal.shown), errors.read().decode())


def run_by_person(*words: str, cwd: Path, env: Mapping[str, str], stdin: str = "") -> Command:
    """Run ``twiceshy`` in this process, as ``run_command``; what needs a person is done at a terminal."""
    ran = run_command(*words, cwd=cwd, env=env, stdin=stdin)
    return run_as_person(*words, cwd=cwd, env=env) if AT_TERMINAL in ran.err else ran


def _fork() -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads of the test runner
        return os.fork()


def _become(
    run: Callable[[], int], theirs: int, errors: int, tell: int, *, orphan: bool
) -> NoReturn:
    """Become the process on the terminal; with ``orphan``, a child that its parent leaves at once."""
    code = -1
    try:
        if orphan:
            parent = os.getpid()
            if _fork():
                os._exit(0)
            while os.getppid() == parent:
                time.sleep(0.001)
        os.setsid()
        _take_over(theirs, errors)
        code = run()
    except BaseException:  # noqa: BLE001 - it must not go on as the test runner
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(tell, str(code).encode())
    os._exit(0)


def _take_over(theirs: int, errors: int) -> None:
    """Make a terminal the controlling one, and the one of stdin, stdout and (without a file) stderr."""
    import fcntl
    import termios

    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for number in (0, 1, 2):
        os.dup2(errors if number == 2 and errors >= 0 else theirs, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - until the process ends
    sys.stdout, sys.stderr = (
        open(number, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115 - as above
        for number in (1, 2)
    )
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
