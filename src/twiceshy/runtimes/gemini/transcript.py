"""Gemini CLI chats: appended lines, some of them repeating earlier content.

A message is rewritten whenever extended, and the conversation whenever changed by the
client. So only new parts of a message count, and of a conversation only its summary.
"""

from __future__ import annotations

import os
from zlib import crc32

from twiceshy.core.value import Value
from twiceshy.runtimes import jsonl
from twiceshy.runtimes.gemini import outcome, transcript_records
from twiceshy.runtimes.gemini.transcript_places import (
    CHATS,
    SUFFIX,
    find_transcript,
    list_session_parts,
    list_transcripts,
    read_opening,
    session_of_path,
)
from twiceshy.runtimes.jsonl import get_text, transcript_size
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.jsonl import Record

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

SETTING = "transcripts.gemini"


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

    def __init__(self, path: str, session: str) -> None:
        agent = os.path.basename(path).removesuffix(SUFFIX) if _is_agent_chat(path) else ""
        own = session_of_path(path)
        self._origin = transcript_records.ChatOrigin(own, read_opening(path).cwd, agent)
        self._foreign = bool(session) and session != own
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield the new steps of a record, in order."""
        if self._foreign:
            return
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
    path: str,
    *,
    after: str = "",
    whole: bool = False,
    known: set[str] | None = None,
    session: str = "",
) -> jsonl.JsonLinesPass:
    """Return a pass over a transcript that yields its steps.

    ``after`` is the position of an earlier pass: only later content is read, everything if the
    file shrank or was replaced. ``known`` are the keys of steps read before, in this file or
    another; the pass adds to the set. With ``session``, records of other sessions are skipped.
    """
    if session:
        check_session_id(session)
    return jsonl.JsonLinesPass(
        path, after, set() if known is None else known, GeminiRecords(path, session), whole=whole
    )


def owns_transcript(path: str) -> bool:
    """True if a path is a Gemini CLI chat, or an agent's."""
    above, name = os.path.split(path)
    own = os.path.basename(above) == CHATS and name.startswith("session-")
    return name.endswith(SUFFIX) and (own or _is_agent_chat(path))


def _is_agent_chat(path: str) -> bool:
    return os.path.basename(os.path.dirname(os.path.dirname(path))) == CHATS


def _is_introduction(record: Record) -> bool:
    """True if a record introduces the client: a full copy follows."""
    text = outcome.extract_text(record.get("content")) if record.get("type") == "user" else ""
    return text.startswith(transcript_records.INTRODUCTION)


def _message_mark(name: str) -> str:
    return f"{crc32(name.encode('utf-8', 'replace')):08x}"
