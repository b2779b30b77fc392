"""Gemini CLI chats: where they are, whose they are, and how full their context is.

A project folder names its project. Some of the appended lines repeat earlier content: a
message is rewritten whenever extended, and the conversation whenever changed by the client.
So only new parts of a message count, and of a conversation only its summary.
"""

from __future__ import annotations

import os
from zlib import crc32

from twiceshy.core.value import Value
from twiceshy.runtimes import transcript_files as files
from twiceshy.runtimes.gemini import calls, transcript_records
from twiceshy.runtimes.jsonl import JsonLinesPass
from twiceshy.runtimes.records import get_count, get_list, get_text

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.records import Record

SETTING = "transcripts.gemini"
transcript_size = files.transcript_size
_CHATS, _CHAT = "chats", "session-"
_ROOT = ".project_root"
_OPENING = 1 << 18  # bytes; the first records list the project's files
_LONGEST_PATH = 4_096
# how the client introduces itself to the model
_DIRECTORIES = "**Workspace Directories:**\n  - "
_MODEL = "gemini"  # where an answer does not name its model


class ChatState(Value):
    """State of reading: last message, its calls, last summary, and copying."""

    message: str = ""
    calls: int = 0
    summary: str = ""
    copying: bool = False

    def to_word(self) -> str:
        """Return the state as a word; empty if nothing was seen."""
        if self == ChatState():
            return ""
        return f"{self.message}.{self.calls}.{self.summary}.{'c' if self.copying else ''}"

    @classmethod
    def from_word(cls, text: str) -> ChatState:
        """Parse a state."""
        message, calls, summary, copying, *_ = [*text.split("."), "", "", "", ""]
        return cls(message, int(calls) if calls.isdecimal() else 0, summary, copying == "c")


class GeminiRecords:
    """Gemini CLI records; the state is the last content seen."""

    telling: tuple[bytes, ...] = (b'"type"', b'"messages"')
    hint = "Gemini CLI keeps chats below ~/.gemini/tmp; older ones are removed in time"

    def __init__(self, path: str) -> None:
        agent = os.path.basename(path).removesuffix(files.SUFFIX) if _is_agent_chat(path) else ""
        self._origin = transcript_records.ChatOrigin(
            session_of_path(path), read_opening(path).cwd, agent
        )
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the new steps of a record, in order."""
        seen = ChatState.from_word(self.state)
        patch = record.get("$set")
        if isinstance(patch, dict):
            if "messages" in patch:
                seen = yield from self._summary_steps(
                    patch.get("messages"), seen.but(copying=False)
                )
        elif _is_introduction(record):
            seen = seen.but(copying=True)  # message by message, until the conversation is set
        elif not seen.copying:
            seen = yield from self._message_steps(record, made, seen)
        self.state = seen.to_word()

    def _summary_steps(
        self, messages: object, seen: ChatState
    ) -> Generator[Step, None, ChatState]:
        for step in transcript_records.summary_steps(messages, self._origin):
            if (mark := _message_mark(step.id)) != seen.summary:
                yield step
                seen = seen.but(summary=mark)
        return seen

    def _message_steps(
        self, record: Record, made: str, seen: ChatState
    ) -> Generator[Step, None, ChatState]:
        match record.get("type"):
            case "user":
                yield from transcript_records.user_steps(record, self._origin, made)
            case "info":
                yield from transcript_records.client_steps(record, self._origin, made)
            case "gemini":
                message = _message_mark(get_text(record, "id") or made)
                known = seen.calls if message == seen.message else 0
                if message != seen.message:
                    yield from transcript_records.agent_steps(record, self._origin, made)
                calls = transcript_records.finished_calls(record)
                yield from transcript_records.call_steps(calls[known:], record, self._origin, made)
                return seen.but(message=message, calls=max(known, len(calls)))
            case _:
                pass
        return seen


def read_transcript(
    path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
) -> JsonLinesPass:
    """Return a pass over a transcript that yields its steps."""
    return JsonLinesPass(path, GeminiRecords(path), after=after, whole=whole, known=known)


def owns_transcript(path: str) -> bool:
    """True if a path is a Gemini CLI chat, or an agent's."""
    above, name = os.path.split(path)
    own = os.path.basename(above) == _CHATS and name.startswith("session-")
    return name.endswith(files.SUFFIX) and (own or _is_agent_chat(path))


def _is_agent_chat(path: str) -> bool:
    return os.path.basename(os.path.dirname(os.path.dirname(path))) == _CHATS


def _is_introduction(record: Record) -> bool:
    """True if a record introduces the client: a full copy follows."""
    text = calls.extract_text(record.get("content")) if record.get("type") == "user" else ""
    return text.startswith(transcript_records.INTRODUCTION)


def _message_mark(name: str) -> str:
    return f"{crc32(name.encode('utf-8', 'replace')):08x}"


def list_transcripts(folder: str) -> list[str]:
    """Return every transcript, oldest session first."""
    return files.sort_oldest_first(_list_chats(folder), read_opening)


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    found = [path for path in _list_chats(folder) if session in read_opening(path).sessions]
    return found[0] if len(found) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    folder = os.path.join(os.path.dirname(path), session_of_path(path))
    return [path, *(os.path.join(folder, name) for name in files.list_plain_files(folder))]


def session_of_path(path: str) -> str:
    """Return the session of a chat; the file name holds only a part."""
    if _is_agent_chat(path):  # in a folder named after the session
        return os.path.basename(os.path.dirname(path))
    named = os.path.basename(path).removesuffix(files.SUFFIX)
    return next(iter(read_opening(path).sessions), named)


def read_opening(path: str) -> files.TranscriptOpening:
    """Read session and start time of a chat; the folder tells the directory."""
    records = files.read_first_records(path, _OPENING)
    head = next(records, {})
    session, at = get_text(head, "sessionId"), get_text(head, "startTime")
    cwd = _project_root(path) or _first_directory(head) or _find_introduced_directory(records)
    sessions = frozenset({session}) if files.is_session_id(session) else frozenset()
    return files.TranscriptOpening(sessions, cwd, at)


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in files.read_last_records(path, b'"tokens"'):
        tokens = get_count(record, "tokens", "input")
        if record.get("type") == "gemini" and tokens:
            return tokens, files.context_window_of(get_text(record, "model") or _MODEL)
    return files.UNKNOWN_USE


def _list_chats(folder: str) -> Iterator[str]:
    for project in files.list_folders(folder):
        chats = os.path.join(project, _CHATS)
        for name in files.list_plain_files(chats):
            if name.startswith(_CHAT):
                yield os.path.join(chats, name)


def _project_root(path: str) -> str:
    """Return the project path in the folder above the chats."""
    above = os.path.dirname(path)
    while os.path.basename(above) not in (_CHATS, ""):
        above = os.path.dirname(above)
    try:
        with open(os.path.join(os.path.dirname(above), _ROOT), "rb") as file:
            root = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return ""
    return root if os.path.isabs(root) else ""


def _first_directory(head: Record) -> str:
    first = next(iter(get_list(head, "directories")), "")
    return first if isinstance(first, str) and os.path.isabs(first) else ""


def _find_introduced_directory(records: Iterator[Record]) -> str:
    for record in records:
        for message in get_list(record, "$set", "messages"):
            for part in get_list(message, "content"):
                found = (
                    get_text(part, "text").partition(_DIRECTORIES)[2].partition("\n")[0].strip()
                )
                if os.path.isabs(found):
                    return found
    return ""
