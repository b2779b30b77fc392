"""Read growing JSON-lines transcripts: one pass, line by line, resumable.

Unreadable lines are counted and skipped. A step is yielded once per set of known keys,
however many files repeat the step; the end of a pass is a short text, and the next pass
begins there.
"""

from __future__ import annotations

import os
import stat
import zlib

from twiceshy.core.errors import NotFoundError
from twiceshy.core.value import Value
from twiceshy.runtimes.records import parse_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, Protocol

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record

    class Translator(Protocol):
        """Translates a runtime's records to steps.

        A record without any of the ``telling`` bytes is skipped. ``state`` carries facts from
        earlier to later records; a resumed pass begins with it.
        """

        telling: tuple[bytes, ...]
        hint: str
        state: str

        def steps(self, record: Record, made: str) -> Iterator[Step]:
            """Yield the steps of a record, in order; ``made`` is an id for steps without one."""


LONGEST_LINE = 16 << 20  # bytes; pictures make lines of five million, and one line is in memory
_CHUNK = 1 << 20
_SAMPLE = 256


class FilePosition(Value):
    """Position in a file; ``mark`` is a checksum of the head and the text before."""

    offset: int = 0
    mark: int = 0
    state: str = ""

    def to_text(self) -> str:
        """Return the position as a short text."""
        return f"{self.offset}-{self.mark:08x}" + (f"-{self.state}" if self.state else "")

    @classmethod
    def from_text(cls, text: str) -> FilePosition:
        """Parse a position; the beginning if invalid."""
        offset, _, rest = text.partition("-")
        mark, _, state = rest.partition("-")
        try:
            return cls(int(offset), int(mark, 16), state) if offset.isdecimal() else cls()
        except ValueError:
            return cls()


class JsonLinesPass:
    """A pass over a file, with counts and position during and after.

    ``unusable`` lines were broken or too long; see ``TranscriptReader`` for the arguments.
    """

    def __init__(
        self, path: str, translator: Translator, *, after: str, whole: bool, known: set[str] | None
    ) -> None:
        self.path, self.unusable = path, 0
        self._after = FilePosition.from_text(after)
        self._whole, self._read_before = whole, 0
        self._known = set() if known is None else known
        self._translator = translator
        self._restart()

    @property
    def position(self) -> str:
        """Return the start of the next pass: after the last complete line."""
        if not self._offset:
            return ""
        mark = zlib.crc32(self._head + self._tail)
        return FilePosition(self._offset, mark, self._translator.state).to_text()

    @property
    def is_fresh(self) -> bool:
        """True if the last step is new since the earlier pass."""
        return self._offset >= self._read_before

    def __iter__(self) -> Iterator[Step]:
        with open_plain_file(self.path, self._translator.hint) as file:
            self._seek_start(file)
            for line in self._read_lines(file):
                for step in self._translate_steps(line):
                    if step.key not in self._known:
                        self._known.add(step.key)
                        yield step
                self._advance(line, line, len(line))

    def _restart(self) -> None:
        self._offset = 0
        self._head = self._tail = b""
        self._translator.state = ""

    def _seek_start(self, file: BinaryIO) -> None:
        """Seek to the end of the last pass, unless the file was replaced."""
        self._restart()
        offset = min(self._after.offset, os.fstat(file.fileno()).st_size)
        sample = min(_SAMPLE, offset)
        head = file.read(sample)
        file.seek(offset - sample)
        tail = file.read(sample)
        same = offset == self._after.offset and zlib.crc32(head + tail) == self._after.mark
        self._read_before = offset if same and tail.endswith(b"\n") else 0
        if self._read_before and not self._whole:
            self._offset, self._head, self._tail = offset, head, tail
            self._translator.state = self._after.state
        else:
            file.seek(0)

    def _read_lines(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield complete lines; an incomplete last line waits."""
        while line := file.readline(LONGEST_LINE):
            if line.endswith(b"\n"):
                yield line
            elif len(line) < LONGEST_LINE or not self._skip_long_line(file, line):
                return

    def _skip_long_line(self, file: BinaryIO, line: bytes) -> bool:
        """Skip the rest of an overlong line; True if its end was found."""
        length, tail = len(line), line[-_SAMPLE:]
        while rest := file.readline(_CHUNK):
            length += len(rest)
            tail = (tail + rest)[-_SAMPLE:]
            if rest.endswith(b"\n"):
                self.unusable += 1
                self._advance(line, tail, length)
                return True
        return False

    def _advance(self, line: bytes, tail: bytes, length: int) -> None:
        self._offset += length
        self._head = (self._head + line[:_SAMPLE])[:_SAMPLE]
        self._tail = (self._tail + tail[-_SAMPLE:])[-_SAMPLE:]

    def _translate_steps(self, line: bytes) -> Iterator[Step]:
        if record := self._parse_record(line.strip()):
            made = f"line-{zlib.crc32(line):08x}{len(line):x}"
            yield from self._translator.steps(record, made)

    def _parse_record(self, line: bytes) -> dict[str, object]:
        """Parse a relevant line; None if irrelevant or broken."""
        if not line:
            return {}
        if not (line.startswith(b"{") and line.endswith(b"}")):
            self.unusable += 1
            return {}
        if not any(sign in line for sign in self._translator.telling):
            return {}
        record = parse_line(line)
        if record is None:
            self.unusable += 1
        return record or {}


def open_plain_file(path: str, hint: str) -> BinaryIO:
    """Open a plain file only: links and pipes are refused."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError) as cause:
        raise NotFoundError("the transcript cannot be opened", hint=hint) from cause
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotFoundError("the transcript is not a plain file", hint=hint)
    return open(handle, "rb")
