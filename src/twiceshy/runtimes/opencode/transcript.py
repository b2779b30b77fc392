"""OpenCode transcripts, read in client order up to unfinished content."""

from __future__ import annotations

import zlib

from twiceshy.core.errors import NotFoundError
from twiceshy.core.transcript import Interrupted
from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.opencode.places import parted, wrote
from twiceshy.runtimes.opencode.storage import opened
from twiceshy.runtimes.opencode.transcript_parts import around, finished, steps_of
from twiceshy.runtimes.opencode.transcript_places import (
    everywhere,
    opening_of,
    parts_of,
    session_of,
    size_of,
    transcript_of,
)
from twiceshy.safety.names import session_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.opencode.storage import Message, Part, Session, Storage
    from twiceshy.runtimes.opencode.transcript_parts import Around

__all__ = [
    "everywhere",
    "opening_of",
    "parts_of",
    "read",
    "session_of",
    "size_of",
    "transcript_of",
    "wrote",
]

SETTING = "transcripts.opencode"
_ABORTED = "MessageAbortedError"


class Entry(Value):
    """A unit of reading: a message part, or an interrupt after its parts.

    A ``settled`` entry no longer changes, even if unfinished: its writer is gone.
    """

    id: str
    message: Message
    size: int
    settled: bool
    stop: bool = False


class Position(Value):
    """Number of entries read, and a checksum of the last entry's id."""

    count: int = 0
    mark: int = 0

    @classmethod
    def parsed(cls, text: str) -> Position:
        """Parse a position; the beginning if invalid."""
        _, _, rest = text.partition("-")
        count, _, mark = rest.partition("-")
        try:
            return cls(int(count), int(mark, 16)) if count.isdecimal() else cls()
        except ValueError:
            return cls()

    def reached(self, entries: Sequence[Entry]) -> bool:
        """True if these entries include the position; a revert removes entries."""
        there = 0 < self.count <= len(entries)
        return there and _mark(entries[self.count - 1]) == self.mark


class Reading:
    """A pass over a session, with counts and position during and after.

    ``repeated`` steps were known. Parts change in place until finished, so a pass ends before
    the first unfinished part.
    """

    def __init__(
        self, path: str, after: str, known: set[str], session: str, *, whole: bool
    ) -> None:
        self.path = path
        self.unusable = self.repeated = 0
        self._after = Position.parsed(after)
        self._known = known
        self._only = session
        self._size = 0
        self._at = Position()
        self._whole, self._read_before = whole, 0

    @property
    def fresh(self) -> bool:
        """True if the last step is new since the earlier pass."""
        return self._at.count >= self._read_before

    @property
    def position(self) -> str:
        """Return the start of the next pass: after the last entry."""
        at = self._at
        return f"{self._size}-{at.count}-{at.mark:08x}" if at.count else ""

    def __iter__(self) -> Iterator[Step]:
        with opened(self.path) as storage:
            session = storage.session(parted(self.path)[1])
            if session is None:
                raise NotFoundError("the session is not there any more", hint="it was deleted")
            entries = _entries(storage, session.id)
            root = storage.root(session)
            self._read_before = self._after.count if self._after.reached(entries) else 0
            done = 0 if self._whole else self._read_before
            self._size, self._at = 0, Position()
            self._advance(*entries[:done])
            if self._only in ("", root):
                yield from self._steps(storage, session, root, entries[done:])
            # whatever is unfinished now changes this when it is finished
            self._size = storage.size(session.id)

    def _steps(
        self, storage: Storage, session: Session, root: str, entries: Sequence[Entry]
    ) -> Iterator[Step]:
        agent = "" if root == session.id else session.id
        for entry in entries:
            within = around(
                entry.message.record, session=root, agent=agent, directory=session.directory
            )
            part = {} if entry.stop else storage.part(entry.id)
            if not entry.settled and not finished(part):
                return
            if within.summary:
                within = within.but(automatic=_automatic(storage, session.id, entry.message))
            for step in [_stop(entry, within)] if entry.stop else steps_of(part, entry.id, within):
                if step.key in self._known:
                    self.repeated += 1
                else:
                    self._known.add(step.key)
                    yield step
            self._advance(entry)

    def _advance(self, *entries: Entry) -> None:
        if entries:
            self._size += sum(entry.size for entry in entries)
            self._at = Position(self._at.count + len(entries), _mark(entries[-1]))


def read(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> Reading:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        session_name(session)
    return Reading(path, after, set() if known is None else known, session, whole=whole)


def _entries(storage: Storage, session: str) -> list[Entry]:
    """Return entries in order, up to the message being written."""
    inside: dict[str, list[Part]] = {}
    for part in storage.parts(session):
        inside.setdefault(part.message, []).append(part)
    messages = storage.messages(session)
    newest = max((at for at, one in enumerate(messages) if _by_agent(one)), default=0)
    entries: list[Entry] = []
    for at, message in enumerate(messages):
        # the next answer is begun when the one before has come to its end
        settled = at < newest or not _by_agent(message) or _completed(message)
        parts = inside.get(message.id, ())
        entries += [Entry(part.id, message, part.size, settled) for part in parts]
        if not settled:
            break
        if text_at(message.record, "error", "name") == _ABORTED:
            entries.append(Entry(message.id, message, 0, settled=True, stop=True))
    return entries


def _by_agent(message: Message) -> bool:
    return message.record.get("role") == "assistant"


def _completed(message: Message) -> bool:
    times = message.record.get("time")
    return isinstance(times, dict) and times.get("completed") is not None


def _automatic(storage: Storage, session: str, summary: Message) -> bool:
    """True if a summary was automatic, by the message it answers."""
    asked = text_at(summary.record, "parentID")
    parts = [storage.part(part.id) for part in storage.parts(session) if part.message == asked]
    return any(part.get("type") == "compaction" and part.get("auto") is True for part in parts)


def _stop(entry: Entry, within: Around) -> Step:
    return Interrupted(entry.id, within.session, within.cwd, within.at, within.agent)


def _mark(entry: Entry) -> int:
    return zlib.crc32(entry.id.encode("utf-8", "replace"))
