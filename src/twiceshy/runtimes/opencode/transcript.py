"""OpenCode transcripts: sessions in its database, read in client order up to unfinished content."""

import os
import zlib
from collections.abc import Iterator, Sequence

from twiceshy.core.errors import NotFoundError
from twiceshy.core.moment import format_stamp
from twiceshy.core.transcript import InterruptStep, Step
from twiceshy.core.value import Value
from twiceshy.runtimes import transcript_files as files
from twiceshy.runtimes.jsonl import FilePosition
from twiceshy.runtimes.opencode.payload import split_transcript_path, transcript_path
from twiceshy.runtimes.opencode.storage import (
    Message,
    Storage,
    StoredPart,
    StoredSession,
    open_storage,
)
from twiceshy.runtimes.opencode.transcript_parts import (
    build_message_context,
    is_finished,
    translate_part,
)
from twiceshy.runtimes.records import get_count, get_text, get_value
from twiceshy.safety.names import check_session_id

SETTING = "transcripts.opencode"
_ABORTED = "MessageAbortedError"
_MOST_AGENTS = 1_000  # of one session
_SENT = (("input",), ("cache", "read"), ("cache", "write"))


class TranscriptEntry(Value):
    """A unit of reading: a message part, or an interrupt after its parts.

    A ``settled`` entry no longer changes, even if unfinished: its writer is gone.
    """

    id: str
    message: Message
    size: int
    settled: bool
    stop: bool = False


class StoragePass:
    """A pass over a session, with counts and position during and after.

    Parts change in place until finished, so a pass ends before the first unfinished part. A
    position counts the entries read, and marks the last one by its id.
    """

    def __init__(self, path: str, *, after: str, whole: bool, known: set[str] | None) -> None:
        self.path, self.unusable = path, 0
        self._after = FilePosition.from_text(after.partition("-")[2])
        self._known = set() if known is None else known
        self._size = 0
        self._at = FilePosition()
        self._whole, self._read_before = whole, 0

    @property
    def is_fresh(self) -> bool:
        """True if the last step is new since the earlier pass."""
        return self._at.offset >= self._read_before

    @property
    def position(self) -> str:
        """Return the start of the next pass: after the last entry."""
        return f"{self._size}-{self._at.to_text()}" if self._at.offset else ""

    def __iter__(self) -> Iterator[Step]:
        with open_storage(self.path) as storage:
            session = storage.find_session(session_of_path(self.path))
            if session is None:
                raise NotFoundError("the session is not there any more", hint="it was deleted")
            entries = _list_entries(storage, session.id)
            root = storage.find_root_session(session)
            self._read_before = self._after.offset if _is_reached(self._after, entries) else 0
            done = 0 if self._whole else self._read_before
            self._size, self._at = 0, FilePosition()
            self._advance(*entries[:done])
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
            stop = InterruptStep(entry.id, within.session, within.cwd, within.at, within.agent)
            steps = translate_part(part, entry.id, within)
            for step in [stop] if entry.stop else steps:
                if step.key not in self._known:
                    self._known.add(step.key)
                    yield step
            self._advance(entry)

    def _advance(self, *entries: TranscriptEntry) -> None:
        if entries:
            self._size += sum(entry.size for entry in entries)
            self._at = FilePosition(self._at.offset + len(entries), _entry_mark(entries[-1]))


def read_transcript(
    path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
) -> StoragePass:
    """Return a pass over a transcript that yields its steps."""
    return StoragePass(path, after=after, whole=whole, known=known)


def owns_transcript(path: str) -> bool:
    """True if a path is an OpenCode transcript."""
    database, session = split_transcript_path(path)
    return _is_database(os.path.basename(database)) and bool(session) and "/" not in session


def list_transcripts(folder: str) -> list[str]:
    """Return user sessions, oldest first per database."""
    return [
        transcript_path(database, session)
        for database in _list_databases(folder)
        for session in _started_sessions(database, "")
        if files.is_session_id(session)
    ]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    check_session_id(session)
    places = (transcript_path(database, session) for database in _list_databases(folder))
    return next((place for place in places if transcript_size(place) >= 0), "")


def list_session_parts(path: str) -> list[str]:
    """Return a session and the sessions of its agents, recursively."""
    database, first = split_transcript_path(path)
    found = [first]
    for session in found:
        new = [
            one
            for one in _started_sessions(database, session)
            if one not in found and files.is_session_id(one)
        ]
        found += new[: max(0, _MOST_AGENTS - len(found))]
    return [transcript_path(database, session) for session in found]


def session_of_path(path: str) -> str:
    """Return the session named by a transcript."""
    return split_transcript_path(path)[1]


def read_opening(path: str) -> files.TranscriptOpening:
    """Read start directory and time of a session, and its root session."""
    try:
        with open_storage(path) as storage:
            session = storage.find_session(session_of_path(path))
            if session is None:
                return files.TranscriptOpening()
            return files.TranscriptOpening(
                frozenset((storage.find_root_session(session),)),
                session.directory,
                format_stamp(session.at) if 0 < session.at < 1 << 47 else "",
            )
    except NotFoundError:
        return files.TranscriptOpening()


def transcript_size(path: str) -> int:
    """Return the current size of a session in position units; -1 if gone."""
    try:
        with open_storage(path) as storage:
            name = session_of_path(path)
            return storage.session_size(name) if storage.find_session(name) else -1
    except NotFoundError:
        return -1


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    try:
        with open_storage(path) as storage:
            messages = storage.list_messages(session_of_path(path))
    except NotFoundError:
        return files.UNKNOWN_USE
    for message in filter(_is_by_agent, reversed(messages)):
        if message.record.get("summary") is True:
            break  # what is left behind a compaction is counted with the next answer
        if sent := sum(get_count(message.record, "tokens", *names) for names in _SENT):
            return sent, files.context_window_of(get_text(message.record, "modelID"))
    return files.UNKNOWN_USE


def _list_databases(folder: str) -> Iterator[str]:
    for name in files.list_plain_files(folder, ".db"):
        if _is_database(name):
            yield os.path.join(folder, name)


def _is_database(name: str) -> bool:
    """True if a file name is an OpenCode database; test builds have their own."""
    return name.startswith("opencode") and name.endswith(".db")


def _started_sessions(database: str, session: str) -> list[str]:
    try:
        with open_storage(transcript_path(database, session)) as storage:
            return storage.list_sessions(session)
    except NotFoundError:
        return []


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
        completed = get_value(message.record, "time", "completed") is not None
        settled = at < newest or not _is_by_agent(message) or completed
        parts = inside.get(message.id, ())
        entries += [TranscriptEntry(part.id, message, part.size, settled) for part in parts]
        if not settled:
            break
        if get_text(message.record, "error", "name") == _ABORTED:
            entries.append(TranscriptEntry(message.id, message, 0, settled=True, stop=True))
    return entries


def _is_reached(position: FilePosition, entries: Sequence[TranscriptEntry]) -> bool:
    """True if these entries include the position; a revert removes entries."""
    there = 0 < position.offset <= len(entries)
    return there and _entry_mark(entries[position.offset - 1]) == position.mark


def _is_by_agent(message: Message) -> bool:
    return message.record.get("role") == "assistant"


def _is_automatic(storage: Storage, session: str, summary: Message) -> bool:
    """True if a summary was automatic, by the message it answers."""
    asked = get_text(summary.record, "parentID")
    parts = [
        storage.read_part(part.id) for part in storage.list_parts(session) if part.message == asked
    ]
    return any(part.get("type") == "compaction" and part.get("auto") is True for part in parts)


def _entry_mark(entry: TranscriptEntry) -> int:
    return zlib.crc32(entry.id.encode("utf-8", "replace"))
