"""Read a transcript of Claude Code as it grows: one pass, a line at a time, from where it was left.

What cannot be read is counted and passed over. A step is yielded once for every set of known keys,
however many files repeat it; where a pass ended is a short text, and the next one begins there.
"""

from __future__ import annotations

import json
import os
import stat
import zlib

from twiceshy.core.errors import NotFoundError
from twiceshy.core.names import session_name
from twiceshy.core.transcript import Summarised
from twiceshy.core.value import Value
from twiceshy.runtimes.claude_code.transcript_records import Origin, steps_of, trigger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from twiceshy.core.transcript import Step

LONGEST_LINE = 16 << 20  # bytes; pictures make lines of five million, and one line is in memory
_CHUNK = 1 << 20
_SAMPLE = 256
# A record without any of these tells nothing of the conversation, and most of a file is of that kind.
_TELLING = (b'"message"', b"compact_boundary", b"queued_command")


class Position(Value):
    """How far a file was read; ``mark`` is a checksum of what stood at its head and before the place."""

    offset: int = 0
    mark: int = 0
    trigger: str = ""  # of a compaction whose summary is still to come

    def written(self) -> str:
        """Return the position as a short text."""
        return f"{self.offset}-{self.mark:08x}" + (f"-{self.trigger}" if self.trigger else "")

    @classmethod
    def parsed(cls, text: str) -> Position:
        """Return the position that was written as a text; the beginning if it is none."""
        offset, _, rest = text.partition("-")
        mark, _, pending = rest.partition("-")
        try:
            place = cls(int(offset), int(mark, 16)) if offset.isdecimal() else cls()
        except ValueError:
            return cls()
        return place.but(trigger=pending) if pending in ("auto", "manual") else place


class Reading:
    """One pass over a file. While it goes on and afterwards it tells what it met, and how far it is.

    ``unusable`` lines were broken or too long, ``repeated`` steps were known, ``foreign`` records
    belong to another session than the one asked for.
    """

    def __init__(self, path: str, after: Position, known: set[str], session: str) -> None:
        self.path = path
        self.unusable = self.repeated = self.foreign = 0
        self._after = after
        self._known = known
        self._session = session
        self._restart()

    @property
    def position(self) -> str:
        """Return where the next pass has to begin: behind the last line that was read whole."""
        if not self._offset:
            return ""
        return Position(self._offset, zlib.crc32(self._head + self._tail), self._trigger).written()

    def __iter__(self) -> Iterator[Step]:
        origin = _origin(self.path)
        with _opened(self.path) as file:
            self._begin(file)
            for line in self._lines(file):
                for step in self._steps(line, origin):
                    if step.key in self._known:
                        self.repeated += 1
                    else:
                        self._known.add(step.key)
                        yield step
                self._advance(line, line, len(line))

    def _restart(self) -> None:
        self._offset = 0
        self._head = self._tail = b""
        self._trigger = ""

    def _begin(self, file: BinaryIO) -> None:
        """Go to where the last pass ended, unless the file is another one since."""
        self._restart()
        offset = min(self._after.offset, os.fstat(file.fileno()).st_size)
        sample = min(_SAMPLE, offset)
        head = file.read(sample)
        file.seek(offset - sample)
        tail = file.read(sample)
        same = offset == self._after.offset and zlib.crc32(head + tail) == self._after.mark
        if same and tail.endswith(b"\n"):
            self._offset, self._head, self._tail = offset, head, tail
            self._trigger = self._after.trigger
        else:
            file.seek(0)

    def _lines(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield whole lines; the last one is left alone until its end is written."""
        while line := file.readline(LONGEST_LINE):
            if line.endswith(b"\n"):
                yield line
            elif len(line) < LONGEST_LINE or not self._skip(file, line):
                return

    def _skip(self, file: BinaryIO, line: bytes) -> bool:
        """Pass over the rest of a line that is too long; tell whether it ends."""
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

    def _steps(self, line: bytes, origin: Origin) -> Iterator[Step]:
        record = self._record(line.strip())
        if not record:
            return
        named = record.get("sessionId")
        if self._session and isinstance(named, str) and named != self._session:
            self.foreign += 1
            return
        if pending := trigger(record):
            self._trigger = pending
        made = f"line-{zlib.crc32(line):08x}{len(line):x}"
        for step in steps_of(record, origin.but(id=made, automatic=self._trigger == "auto")):
            yield step
            if isinstance(step, Summarised):
                self._trigger = ""

    def _record(self, line: bytes) -> dict[str, object]:
        """Parse a line that tells something; nothing for one that does not, or that is broken."""
        if not line:
            return {}
        if not (line.startswith(b"{") and line.endswith(b"}")):
            self.unusable += 1
            return {}
        if not any(sign in line for sign in _TELLING):
            return {}
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            self.unusable += 1
            return {}
        return record if isinstance(record, dict) else {}


def read(
    path: str, *, after: str = "", known: set[str] | None = None, session: str = ""
) -> Reading:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only what came later is read, all of it if the file
    shrank or was replaced. ``known`` are the keys of steps that were read before, in this file or in
    another; the pass adds to it. With ``session`` the records of every other session are passed over.
    """
    if session:
        session_name(session)
    return Reading(path, Position.parsed(after), set() if known is None else known, session)


def _opened(path: str) -> BinaryIO:
    """Open a plain file and nothing else: a link may lead anywhere, and a pipe never ends."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)
    hint = "Claude Code keeps transcripts below ~/.claude/projects; older ones are removed in time"
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError) as cause:
        raise NotFoundError("the transcript cannot be opened", hint=hint) from cause
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotFoundError("the transcript is not a plain file", hint=hint)
    return open(handle, "rb")


def _origin(path: str) -> Origin:
    """Tell from a file's name whose it is: a session's, or that of an agent it started."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    if not stem.startswith("agent-"):
        return Origin(session=stem)
    above, last = os.path.split(folder)
    session = os.path.basename(above) if last == "subagents" else ""
    return Origin(session=session, agent=stem.removeprefix("agent-"))
