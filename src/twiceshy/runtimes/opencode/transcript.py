"""OpenCode transcripts, read in client order up to unfinished content."""

from __future__ import annotations

import zlib

from twiceshy.core.errors import NotFoundError
from twiceshy.core.transcript import InterruptStep
from twiceshy.core.value import Value
from twiceshy.runtimes.jsonl import get_text
from twiceshy.runtimes.opencode.places import owns_transcript, split_transcript_path
from twiceshy.runtimes.opencode.storage import open_storage
from twiceshy.runtimes.opencode.transcript_parts import (
    build_message_context,
    is_finished,
    translate_part,
)
from twiceshy.runtimes.opencode.transcript_places import (
    find_transcript,
    list_session_parts,
    list_transcripts,
    read_opening,
    session_of_path,
    transcript_size,
)
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.opencode.storage import Message, Storage, StoredPart, StoredSession
    from twiceshy.runtimes.opencode.transcript_parts import MessageContext

__all__ = [
    "find_transcript",
    "list_session_parts",
    "list_transcripts",
    "owns_transcript",
    "read_opening",
    "read_transcript",
    "session_of_path",
    "transcript_size",
]

SETTING = "transcripts.opencode"
_ABORTED = "MessageAbortedError"


class TranscriptEntry(Value):
    """A unit of reading: a message part, or an interrupt after its parts.

    A ``settled`` entry no longer changes, even if unfinished: its writer is gone.
    """

    id: str
    message: Message
    size: int
    settled: bool
    stop: bool = False


class EntryPosition(Value):
    """Number of entries read, and a checksum of the last entry's id."""

    count: int = 0
    mark: int = 0

    @classmethod
    def from_text(cls, text: str) -> EntryPosition:
        """Parse a position; the beginning if invalid."""
        _, _, rest = text.partition("-")
        count, _, mark = rest.partition("-")
        try:
            return cls(int(count), int(mark, 16)) if count.isdecimal() else cls()
        except ValueError:
            return cls()

    def is_reached_in(self, entries: Sequence[TranscriptEntry]) -> bool:
        """True if these entries include the position; a revert removes entries."""
        there = 0 < self.count <= len(entries)
        return there and _entry_mark(entries[self.count - 1]) == self.mark


class StoragePass:
    """A pass over a session, with counts and position during and after.

    ``repeated`` steps were known. Parts change in place until finished, so a pass ends before
    the first unfinished part.
    """

    def __init__(
        self, path: str, after: str, known: set[str], session: str, *, whole: bool
    ) -> None:
        self.path = path
        self.unusable = self.repeated = 0
        self._after = EntryPosition.from_text(after)
        self._known = known
        self._only = session
        self._size = 0
        self._at = EntryPosition()
        self._whole, self._read_before = whole, 0

    @property
    def is_fresh(self) -> bool:
        """True if the last step is new since the earlier pass."""
        return self._at.count >= self._read_before

    @property
    def position(self) -> str:
        """Return the start of the next pass: after the last entry."""
        at = self._at
        return f"{self._size}-{at.count}-{at.mark:08x}" if at.count else ""

    def __iter__(self) -> Iterator[Step]:
        with open_storage(self.path) as storage:
            session = storage.find_session(split_transcript_path(self.path)[1])
            if session is None:
                raise NotFoundError("the session is not there any more", hint="it was deleted")
            entries = _list_entries(storage, session.id)
            root = storage.find_root_session(session)
            self._read_before = self._after.count if self._after.is_reached_in(entries) else 0
            done = 0 if self._whole else self._read_before
            self._size, self._at = 0, EntryPosition()
            self._advance(*entries[:done])
            if self._only in ("", root):
                yield from self._translate_steps(storage, session, root, entries[done:])
            # whatever is unfinished now changes this when it is finished
            self._size = storage.session_size(session.id)

    def _translate_steps(
        self,
        storage: Storage,
        session: StoredSession,
        root: str,
        entries: Sequence[TranscriptEntry],
    ) -> Iterator[Step]:
        agent = "" if root == session.id else session.id
        for entry in entries:
            within = build_message_context(
                entry.message.record, session=root, agent=agent, directory=session.directory
            )
            part = {} if entry.stop else storage.read_part(entry.id)
            if not entry.settled and not is_finished(part):
                return
            if within.summary:
                within = within.but(automatic=_is_automatic(storage, session.id, entry.message))
            for step in (
                [_stop_entry(entry, within)]
                if entry.stop
                else translate_part(part, entry.id, within)
            ):
                if step.key in self._known:
                    self.repeated += 1
                else:
                    self._known.add(step.key)
                    yield step
            self._advance(entry)

    def _advance(self, *entries: TranscriptEntry) -> None:
        if entries:
            self._size += sum(entry.size for entry in entries)
            self._at = EntryPosition(self._at.count + len(entries), _entry_mark(entries[-1]))


def read_transcript(
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> StoragePass:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        check_session_id(session)
    return StoragePass(path, after, set() if known is None else known, session, whole=whole)


def _list_entries(storage: Storage, session: str) -> list[TranscriptEntry]:
    """Return entries in order, up to the message being written."""
    inside: dict[str, list[StoredPart]] = {}
    for part in storage.list_parts(session):
        inside.setdefault(part.message, []).append(part)
    messages = storage.list_messages(session)
    newest = max((at for at, one in enumerate(messages) if _is_by_agent(one)), default=0)
    entries: list[TranscriptEntry] = []
    for at, message in enumerate(messages):
        # the next answer is begun when the one before has come to its end
        settled = at < newest or not _is_by_agent(message) or _is_completed(message)
        parts = inside.get(message.id, ())
        entries += [TranscriptEntry(part.id, message, part.size, settled) for part in parts]
        if not settled:
            break
        if get_text(message.record, "error", "name") == _ABORTED:
            entries.append(TranscriptEntry(message.id, message, 0, settled=True, stop=True))
    return entries


def _is_by_agent(message: Message) -> bool:
    return message.record.get("role") == "assistant"


def _is_completed(message: Message) -> bool:
    times = message.record.get("time")
    return isinstance(times, dict) and times.get("completed") is not None


def _is_automatic(storage: Storage, session: str, summary: Message) -> bool:
    """True if a summary was automatic, by the message it answers."""
    asked = get_text(summary.record, "parentID")
    parts = [
        storage.read_part(part.id) for part in storage.list_parts(session) if part.message == asked
    ]
    return any(part.get("type") == "compaction" and part.get("auto") is True for part in parts)


def _stop_entry(entry: TranscriptEntry, within: MessageContext) -> Step:
    return InterruptStep(entry.id, within.session, within.cwd, within.at, within.agent)


def _entry_mark(entry: TranscriptEntry) -> int:
    return zlib.crc32(entry.id.encode("utf-8", "replace"))
