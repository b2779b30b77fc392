"""Streams that show control characters instead of sending them: every output of a command passes here.

What is stored came from tools, files and other machines. A terminal obeys escapes, and a reader believes
what hidden and reordering characters show. They are written as JSON writes them (``\\u001b``), so that
``--json`` and bundles stay valid, on a terminal as in a pipe.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from twiceshy.core.text import escape_unsafe

# Bold type, which is ours to switch on: no stored text can hold a number that this process made up.
_SWITCH = os.urandom(8).hex()
BOLD, PLAIN = f"{_SWITCH}+", f"{_SWITCH}-"
_TYPES = {"+": "\x1b[1m", "-": "\x1b[0m"}


class SafeStream:
    """A text stream that writes control characters as their numbers; all else is the stream below."""

    # of the stream below, what it cannot write is escaped; a program that asks may send every letter
    encoding = "utf-8"

    def __init__(self, raw: TextIO) -> None:
        """Write into another stream."""
        self.raw = raw

    def __getattr__(self, name: str) -> Any:
        """Return what the stream below has: its number, whether it is a terminal."""
        return getattr(self.raw, name)

    def write(self, text: str) -> int:
        """Write a text, its control characters as their numbers."""
        self._write_raw("".join(self._show_parts(text)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines one after the other."""
        for line in lines:
            self.write(line)

    def _show_parts(self, text: str) -> Iterator[str]:
        first, *rest = text.split(_SWITCH)
        yield escape_unsafe(first)
        for part in rest:
            yield _TYPES[part[0]] if self.raw.isatty() else ""
            yield escape_unsafe(part[1:])

    def _write_raw(self, text: str) -> None:
        try:
            self.raw.write(text)
        except UnicodeEncodeError:  # a terminal that knows few letters
            known = self.raw.encoding or "ascii"
            self.raw.write(text.encode(known, "backslashreplace").decode(known))


@contextmanager
def safe_streams() -> Iterator[None]:
    """Let everything that this process prints pass through safe streams."""
    before = sys.stdout, sys.stderr
    if sys.stdout is not None:  # it was closed before we started
        sys.stdout = cast(TextIO, SafeStream(sys.stdout))
    if sys.stderr is not None:
        sys.stderr = cast(TextIO, SafeStream(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def stderr_for_progress() -> TextIO:
    """Return stderr as it is, for a progress bar, whose label is ours and which moves the cursor."""
    stream: object = sys.stderr
    return stream.raw if isinstance(stream, SafeStream) else sys.stderr
