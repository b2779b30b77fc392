"""Sit in front of an interactive client: read its screen, press keys."""

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tests.journeys.lab.screen import Screen

ROWS, COLUMNS = 50, 160
PATIENCE = 20  # seconds a screen may take to change
# A client asks its terminal who it is and where the cursor stands, and waits for the answer.
REPLIES = {"\x1b[6n": b"\x1b[1;1R", "\x1b[c": b"\x1b[?62;c"}


class Terminal:
    """A pseudo-terminal with a client on it; leaving the block hangs up."""

    def __init__(self, start: Callable[[int], subprocess.Popen[bytes]]) -> None:
        self._screen = Screen(ROWS, COLUMNS)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._client = start(theirs)
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None
    ) -> None:
        os.close(self._end)
        try:
            self._client.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._client.kill()
            self._client.wait()

    @property
    def text(self) -> str:
        """Return what the screen shows now."""
        return self._screen.text

    def press(self, keys: str) -> None:
        """Send keys."""
        os.write(self._end, keys.encode())

    def kill(self) -> None:
        """End the client and all that it runs, with no time for last words."""
        os.killpg(self._client.pid, signal.SIGKILL)

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows a text."""
        self.wait_until(lambda: text in self.text, text)

    def look(self, seconds: float) -> None:
        """Look for a while before answering, as a person does: a dialog ignores hasty keys."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._read():
            pass

    def wait_until(self, happened: Callable[[], bool], what: str) -> None:
        """Wait until something is so, while the client goes on."""
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end or not self._read():
                raise AssertionError(f"waited in vain for {what!r}; the screen says:\n{self.text}")

    def _read(self) -> bool:
        if not select.select([self._end], [], [], 0.1)[0]:
            return True
        try:
            fresh = self._decoder.decode(os.read(self._end, 65536))
        except OSError:  # Linux reports a client that has gone in this way
            return False
        self._screen.feed(fresh)
        for question, reply in REPLIES.items():
            if question in fresh:
                os.write(self._end, reply)
        return True
